package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/** Wraps an assistant message into a {@code chat.completion}: ids, token limit, usage. */
final class Completion {
    /** A rule of thumb of the field: four characters are about one token. */
    private static final int CHARACTERS_PER_TOKEN = 4;
    /** Role and separators of one message. */
    private static final int TOKENS_PER_MESSAGE = 3;

    private Completion() {}

    static byte[] write(ReceivedRequest request, ObjectNode message, String finishReason) {
        ObjectNode answer = message.deepCopy();
        boolean cut = cutToLimit(limit(request.json()), answer);
        long prompt = promptTokens(request.json());
        long completion = tokens(
                answer.path("content").asText("") + answer.path("refusal").asText("") + toolText(answer));

        ObjectNode root = Json.object();
        root.put("id", "chatcmpl-" + UUID.randomUUID().toString().replace("-", ""));
        root.put("object", "chat.completion");
        root.put("created", System.currentTimeMillis() / 1000);
        root.put("model", request.model());
        ObjectNode choice = root.putArray("choices").addObject();
        choice.put("index", 0);
        choice.set("message", answer);
        choice.putNull("logprobs");
        choice.put("finish_reason", cut ? "length" : finishReason);
        ObjectNode usage = root.putObject("usage");
        usage.put("prompt_tokens", prompt)
                .put("completion_tokens", completion)
                .put("total_tokens", prompt + completion);
        usage.putObject("prompt_tokens_details").put("cached_tokens", 0);
        usage.putObject("completion_tokens_details").put("reasoning_tokens", 0);
        root.put("service_tier", "default").put("system_fingerprint", "fp_local");
        return Json.bytes(root);
    }

    private static JsonNode limit(JsonNode request) {
        return request.has("max_completion_tokens") ? request.get("max_completion_tokens") : request.path("max_tokens");
    }

    /** Whether the text was longer than the token limit; it is cut then, as the service does. */
    static boolean cutToLimit(JsonNode limit, ObjectNode answer) {
        String content = answer.path("content").asText("");
        if (!limit.isIntegralNumber() || tokens(content) <= limit.asLong()) {
            return false;
        }
        int end = Math.toIntExact(Math.min(content.length(), limit.asLong() * CHARACTERS_PER_TOKEN));
        if (end > 0 && Character.isHighSurrogate(content.charAt(end - 1))) {
            end--;
        }
        answer.put("content", content.substring(0, end));
        return true;
    }

    private static long promptTokens(JsonNode request) {
        long tokens = 0;
        for (JsonNode message : request.path("messages")) {
            JsonNode content = message.path("content");
            tokens += TOKENS_PER_MESSAGE + tokens(content.isTextual() ? content.asText() : Json.write(content));
        }
        JsonNode schema = request.path("response_format").path("json_schema");
        return tokens + (schema.isMissingNode() ? 0 : tokens(Json.write(schema)));
    }

    private static String toolText(ObjectNode answer) {
        JsonNode calls = answer.path("tool_calls");
        return calls.isMissingNode() ? "" : Json.write(calls);
    }

    static long tokens(String text) {
        return (text.length() + CHARACTERS_PER_TOKEN - 1L) / CHARACTERS_PER_TOKEN;
    }
}
