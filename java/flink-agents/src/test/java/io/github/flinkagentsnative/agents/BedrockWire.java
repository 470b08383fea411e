package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Amazon Bedrock Converse, with a Bedrock API key or a signature. */
final class BedrockWire extends Wire {

    private static final Set<String> ROOT = Set.of(
            "messages",
            "system",
            "inferenceConfig",
            "toolConfig",
            "outputConfig",
            "additionalModelRequestFields",
            "guardrailConfig",
            "requestMetadata");

    private Answer message(String end, Object... content) {
        return Answer.ok(Json.object(
                        "output",
                        Json.object("message", Json.object("role", "assistant", "content", Json.array(content))),
                        "stopReason",
                        end,
                        "usage",
                        Json.object("inputTokens", 3, "outputTokens", 5, "totalTokens", 8),
                        "metrics",
                        Json.object("latencyMs", 7)))
                .header("x-amzn-RequestId", "request-1");
    }

    private static ObjectNode call(Call call) {
        return Json.object("toolUse", Json.object("toolUseId", call.id(), "name", call.name(), "input", call.input()));
    }

    @Override
    Answer text(String text) {
        return message("end_turn", Json.object("text", text));
    }

    @Override
    Answer cut(String text) {
        return message("max_tokens", Json.object("text", text));
    }

    @Override
    Answer filtered() {
        return message("guardrail_intervened", Json.object("text", "blocked"));
    }

    @Override
    Answer calls(Call... calls) {
        return message("tool_use", Stream.of(calls).map(BedrockWire::call).toArray());
    }

    @Override
    Answer brokenCall(String name) {
        return message(
                "tool_use",
                Json.object("toolUse", Json.object("toolUseId", "tooluse_1", "name", name, "input", "no object")));
    }

    @Override
    Answer thought(String thought, Call call) {
        ObjectNode said = Json.object("text", thought, "signature", "c2lnbmVk");
        return message("tool_use", Json.object("reasoningContent", Json.object("reasoningText", said)), call(call));
    }

    @Override
    Answer nothing() {
        return message("end_turn");
    }

    @Override
    Answer error(int status, String code, String message) {
        return Answer.of(status, Json.object("message", message).toString())
                .header("x-amzn-ErrorType", code + ":http://internal.amazon.com/coral/")
                .header("x-amzn-RequestId", "request-1");
    }

    @Override
    JsonNode schema(JsonNode body) {
        JsonNode text = body.at("/outputConfig/textFormat/structure/jsonSchema/schema");
        return text.isTextual() ? Json.read(text.asText()) : MissingNode.getInstance();
    }

    @Override
    List<String> tools(JsonNode body) {
        return Json.texts(body.at("/toolConfig/tools"), "/toolSpec/name");
    }

    @Override
    JsonNode turns(JsonNode body) {
        return body.path("messages");
    }

    @Override
    Map<String, Object> ownFormat() {
        return Map.of("outputConfig", Map.of("textFormat", Map.of("type", "json_schema")));
    }

    @Override
    String fault(Received request) {
        JsonNode body = request.body();
        Check check = post(request, "/model/" + model.replace(":", "%3A") + "/converse")
                .known(body, "the body", ROOT)
                .that(!turns(body).isEmpty(), "there are no messages");
        checkKey(request, check);
        List<String> open = new ArrayList<>();
        boolean callsTools = false;
        String before = "assistant";
        for (JsonNode turn : turns(body)) {
            String role = turn.path("role").asText();
            check.that(!role.equals(before), "roles do not alternate, or the first is not the user's");
            before = role;
            check.that(!turn.path("content").isEmpty(), "a turn has no content");
            boolean document = false;
            boolean text = false;
            for (JsonNode block : turn.path("content")) {
                check.that(block.size() == 1, "a block has not one member");
                check.that(!block.has("text") || !block.path("text").asText().isBlank(), "a text is blank");
                text |= block.has("text");
                document |= block.has("document");
                if (block.has("toolResult")) {
                    callsTools = true;
                    String id = block.at("/toolResult/toolUseId").asText();
                    check.that(open.remove(id), "a result of the call " + id + " without that call before it");
                    check.that(
                            Set.of("success", "error")
                                    .contains(block.at("/toolResult/status").asText("success")),
                            "a status is unknown");
                }
            }
            check.that(!document || text, "a document without a text");
            check.that(open.isEmpty(), "the calls " + open + " have no results");
            for (String id : Json.texts(turn.path("content"), "/toolUse/toolUseId")) {
                if (!id.isEmpty()) {
                    callsTools = true;
                    check.that(id.matches("[a-zA-Z0-9_-]{1,64}"), "an id is malformed");
                    open.add(id);
                }
            }
        }
        check.that(open.isEmpty(), "the calls " + open + " have no results");
        check.that(!callsTools || !tools(body).isEmpty(), "calls and results need toolConfig");
        check.that(isClosed(schema(body)), "an object of the schema is open");
        return check.fault();
    }

    private static void checkKey(Received request, Check check) {
        String authorization = request.header("authorization");
        if (!authorization.startsWith("AWS4-HMAC-SHA256 ")) {
            check.that(authorization.equals("Bearer " + LocalService.KEY), "there is neither key nor signature");
            return;
        }
        check.that(
                        authorization.contains("SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date"),
                        "other headers are signed: " + authorization)
                .that(
                        request.header("x-amz-date").matches("\\d{8}T\\d{6}Z"),
                        "the time is " + request.header("x-amz-date"))
                .that(
                        request.header("x-amz-content-sha256").equals(sha256(request.text())),
                        "the digest is not that of the body");
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
