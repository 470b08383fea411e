package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Chat Completions, as the testkit's server takes it. */
class ChatCompletionsWire extends Wire {

    ObjectNode message(String content, Object calls, String refusal) {
        return Json.object("role", "assistant", "content", content, "tool_calls", calls, "refusal", refusal);
    }

    Answer completion(ObjectNode message, String end) {
        return Answer.ok(Json.object(
                "id",
                "answer-1",
                "object",
                "chat.completion",
                "created",
                1,
                "model",
                model,
                "choices",
                Json.array(Json.object("index", 0, "message", message, "finish_reason", end)),
                "usage",
                Json.object("prompt_tokens", 3, "completion_tokens", 5, "total_tokens", 8)));
    }

    @Override
    Answer text(String text) {
        return completion(message(text, null, null), "stop");
    }

    @Override
    Answer cut(String text) {
        return completion(message(text, null, null), "length");
    }

    @Override
    Answer refusal(String why) {
        return completion(message(null, null, why), "stop");
    }

    @Override
    Answer filtered() {
        return completion(message(null, null, null), "content_filter");
    }

    @Override
    Answer calls(Call... calls) {
        return completion(
                message(null, Json.array(Stream.of(calls).map(this::call).toList()), null), "tool_calls");
    }

    private ObjectNode call(Call call) {
        String arguments = Json.object("a", call.input()).get("a").toString();
        return call(call.id(), call.name(), arguments);
    }

    private static ObjectNode call(String id, String name, String arguments) {
        return Json.object("id", id, "type", "function", "function", Json.object("name", name, "arguments", arguments));
    }

    @Override
    Answer brokenCall(String name) {
        return completion(message(null, Json.array(call("call_1", name, "{city: Bonn")), null), "tool_calls");
    }

    @Override
    Answer nothing() {
        return Answer.of(200, "{\"choices\":[]}");
    }

    @Override
    Answer error(int status, String code, String message) {
        return Answer.of(
                status,
                Json.object("error", Json.object("message", message, "type", "t", "code", code))
                        .toString());
    }

    @Override
    Answer exhausted() {
        return error(429, "insufficient_quota", "You exceeded your quota.");
    }

    @Override
    JsonNode schema(JsonNode body) {
        return body.at("/response_format/json_schema/schema");
    }

    @Override
    List<String> tools(JsonNode body) {
        return Json.texts(body.path("tools"), "/function/name");
    }

    @Override
    JsonNode turns(JsonNode body) {
        return body.path("messages");
    }

    @Override
    Map<String, Object> ownFormat() {
        return Map.of("response_format", Map.of("type", "json_object"));
    }

    /** The testkit's server has checked it. */
    @Override
    String fault(Received request) {
        return null;
    }
}
