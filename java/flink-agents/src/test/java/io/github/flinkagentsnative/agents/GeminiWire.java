package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Google Gemini's generateContent, and Vertex AI's. Calls have no ids. */
final class GeminiWire extends Wire {

    private static final Set<String> ROOT =
            Set.of("contents", "systemInstruction", "tools", "toolConfig", "generationConfig", "safetySettings");
    private static final Set<String> CONFIG = Set.of(
            "temperature",
            "maxOutputTokens",
            "topP",
            "topK",
            "seed",
            "stopSequences",
            "responseLogprobs",
            "logprobs",
            "frequencyPenalty",
            "presencePenalty",
            "thinkingConfig",
            "responseMimeType",
            "responseJsonSchema");

    private Answer candidate(String end, Object... parts) {
        return Answer.ok(Json.object(
                "candidates",
                Json.array(Json.object(
                        "content", Json.object("role", "model", "parts", Json.array(parts)), "finishReason", end)),
                "usageMetadata",
                Json.object("promptTokenCount", 3, "candidatesTokenCount", 5, "totalTokenCount", 8),
                "modelVersion",
                model,
                "responseId",
                "r1"));
    }

    private static ObjectNode call(Call call, String signature) {
        return Json.object(
                "functionCall", Json.object("name", call.name(), "args", call.input()), "thoughtSignature", signature);
    }

    @Override
    Answer text(String text) {
        return candidate("STOP", Json.object("text", text));
    }

    @Override
    Answer cut(String text) {
        return candidate("MAX_TOKENS", Json.object("text", text));
    }

    @Override
    Answer filtered() {
        return candidate("SAFETY");
    }

    @Override
    Answer calls(Call... calls) {
        return candidate("STOP", Stream.of(calls).map(call -> call(call, null)).toArray());
    }

    @Override
    Answer brokenCall(String name) {
        return candidate("STOP", Json.object("functionCall", Json.object("name", name, "args", Json.array(1))));
    }

    @Override
    Answer thought(String thought, Call call) {
        return candidate("STOP", Json.object("text", thought, "thought", true), call(call, "c2lnbmVk"));
    }

    @Override
    Answer nothing() {
        return Answer.of(200, "{\"candidates\":[]}");
    }

    @Override
    Answer error(int status, String code, String message) {
        return Answer.of(
                status,
                Json.object(
                                "error",
                                Json.object(
                                        "code", status, "message", message, "status", code.toUpperCase(Locale.ROOT)))
                        .toString());
    }

    @Override
    JsonNode schema(JsonNode body) {
        return body.at("/generationConfig/responseJsonSchema");
    }

    @Override
    List<String> tools(JsonNode body) {
        return Json.texts(body.at("/tools/0/functionDeclarations"), "/name");
    }

    @Override
    JsonNode turns(JsonNode body) {
        return body.path("contents");
    }

    @Override
    Map<String, Object> ownFormat() {
        return Map.of("generationConfig", Map.of("responseMimeType", "text/plain"));
    }

    @Override
    String fault(Received request) {
        JsonNode body = request.body();
        String path = request.path();
        boolean vertex = path.startsWith("/v1/projects/");
        String called = path.substring(path.lastIndexOf('/') + 1).replace(":generateContent", "");
        Check check = post(request, vertex ? path : "/v1beta/models/" + called + ":generateContent")
                .that(path.endsWith(":generateContent"), "the path is " + path)
                .that(called.startsWith("gemini-"), "the model is " + called)
                .that(
                        vertex
                                ? request.header("authorization").equals("Bearer " + LocalService.KEY)
                                : !request.headers().containsKey("authorization"),
                        "the key is in the wrong place")
                .that(
                        vertex || Set.of("", LocalService.KEY).contains(request.header("x-goog-api-key")),
                        "the key is another one")
                .known(body, "the body", ROOT)
                .known(body.path("generationConfig"), "generationConfig", CONFIG)
                .that(!turns(body).isEmpty(), "there are no contents");
        List<String> open = new ArrayList<>();
        for (JsonNode turn : turns(body)) {
            check.that(Set.of("user", "model").contains(turn.path("role").asText()), "a role is " + turn.path("role"));
            check.that(!turn.path("parts").isEmpty(), "a turn has no parts");
            List<String> results = new ArrayList<>();
            List<String> calls = new ArrayList<>();
            for (JsonNode part : turn.path("parts")) {
                check.that(
                        !part.path("text").asText("x").isEmpty() || part.has("thoughtSignature"), "a part has no data");
                if (part.has("functionResponse")) {
                    results.add(part.at("/functionResponse/name").asText());
                    check.that(part.at("/functionResponse/response").isObject(), "a response is no object");
                    check.that(
                            !part.at("/functionResponse/parts").isEmpty()
                                    || part.at("/functionResponse/parts").isMissingNode(),
                            "a response has empty parts");
                } else if (part.has("functionCall")) {
                    calls.add(part.at("/functionCall/name").asText());
                    check.that(
                            !called.startsWith("gemini-3") || calls.size() > 1 || part.has("thoughtSignature"),
                            "Function call is missing a thought_signature");
                }
            }
            check.that(results.equals(open), "results of " + results + " where " + open + " were called");
            open = calls;
        }
        check.that(open.isEmpty(), "the calls " + open + " have no results");
        boolean hasSchema = !schema(body).isMissingNode();
        check.that(
                !hasSchema
                        || body.at("/generationConfig/responseMimeType")
                                .asText()
                                .equals("application/json"),
                "a schema without its type");
        check.that(
                !hasSchema || tools(body).isEmpty() || called.startsWith("gemini-3"),
                "function calling with a response mime type 'application/json' is unsupported");
        return check.fault();
    }
}
