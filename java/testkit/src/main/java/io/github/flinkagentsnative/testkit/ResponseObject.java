package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/** Turns an assistant message of Chat Completions into a {@code response} of Responses: items, status, token limit, usage. */
final class ResponseObject {
    private ResponseObject() {}

    static byte[] write(ReceivedRequest request, ObjectNode message, String finishReason) {
        JsonNode asked = request.json();
        ObjectNode answer = message.deepCopy();
        boolean cut = Completion.cutToLimit(asked.path("max_output_tokens"), answer);
        String reason = incompleteReason(cut ? "length" : finishReason);

        ObjectNode root = Json.object();
        root.put("id", id("resp_"));
        root.put("object", "response");
        root.put("created_at", System.currentTimeMillis() / 1000);
        root.put("status", reason == null ? "completed" : "incomplete");
        root.put("background", false);
        root.putNull("error");
        if (reason == null) {
            root.putNull("incomplete_details");
        } else {
            root.putObject("incomplete_details").put("reason", reason);
        }
        root.set("instructions", asked.path("instructions").isTextual() ? asked.get("instructions") : null);
        root.put("model", request.model());
        ArrayNode output = root.putArray("output");
        addMessage(output, answer, reason == null ? "completed" : "incomplete");
        addCalls(output, answer.path("tool_calls"));
        root.put("service_tier", "default");
        root.put("store", asked.path("store").asBoolean(true));
        addUsage(root.putObject("usage"), asked, output);
        return Json.bytes(root);
    }

    /** Why the answer is not complete, or null when it is. */
    private static String incompleteReason(String finishReason) {
        if ("length".equals(finishReason)) {
            return "max_output_tokens";
        }
        return "content_filter".equals(finishReason) ? "content_filter" : null;
    }

    private static void addMessage(ArrayNode output, ObjectNode answer, String status) {
        boolean refused = answer.path("refusal").isTextual();
        if (!refused && !answer.path("content").isTextual()) {
            return;
        }
        ObjectNode item = output.addObject().put("id", id("msg_")).put("type", "message");
        item.put("status", status).put("role", "assistant");
        ObjectNode part = item.putArray("content").addObject();
        if (refused) {
            part.put("type", "refusal").set("refusal", answer.get("refusal"));
        } else {
            part.put("type", "output_text").set("text", answer.get("content"));
            part.putArray("annotations");
        }
    }

    private static void addCalls(ArrayNode output, JsonNode calls) {
        for (JsonNode call : calls) {
            JsonNode function = call.path("function");
            ObjectNode item = output.addObject().put("id", id("fc_")).put("type", "function_call");
            item.put("status", "completed");
            item.set("call_id", call.get("id"));
            item.set("name", function.get("name"));
            item.set("arguments", function.get("arguments"));
        }
    }

    private static void addUsage(ObjectNode usage, JsonNode asked, ArrayNode output) {
        JsonNode schema = asked.path("text").path("format").path("schema");
        long input = Completion.tokens(Json.write(asked.path("input")))
                + Completion.tokens(asked.path("instructions").asText(""))
                + (schema.isMissingNode() ? 0 : Completion.tokens(Json.write(schema)));
        long written = output.isEmpty() ? 0 : Completion.tokens(Json.write(output));
        usage.put("input_tokens", input);
        usage.putObject("input_tokens_details").put("cached_tokens", 0);
        usage.put("output_tokens", written);
        usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
        usage.put("total_tokens", input + written);
    }

    private static String id(String prefix) {
        return prefix + UUID.randomUUID().toString().replace("-", "");
    }
}
