package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** OpenAI Responses, as the testkit's server takes it. */
final class ResponsesWire extends Wire {

    private Answer response(String status, String incomplete, Object... output) {
        return Answer.ok(Json.object(
                "id",
                "resp_1",
                "object",
                "response",
                "status",
                status,
                "incomplete_details",
                incomplete == null ? null : Json.object("reason", incomplete),
                "model",
                model,
                "output",
                Json.array(output),
                "usage",
                Json.object("input_tokens", 3, "output_tokens", 5, "total_tokens", 8)));
    }

    private static ObjectNode message(String type, String key, String text) {
        return Json.object(
                "type",
                "message",
                "id",
                "msg_1",
                "role",
                "assistant",
                "status",
                "completed",
                "content",
                Json.array(Json.object("type", type, key, text, "annotations", Json.array())));
    }

    private static ObjectNode call(String id, String name, String arguments) {
        return Json.object(
                "type",
                "function_call",
                "id",
                "fc_" + id,
                "call_id",
                id,
                "name",
                name,
                "arguments",
                arguments,
                "status",
                "completed");
    }

    private static ObjectNode call(Call call) {
        return call(
                call.id(), call.name(), Json.object("a", call.input()).get("a").toString());
    }

    @Override
    Answer text(String text) {
        return response("completed", null, message("output_text", "text", text));
    }

    @Override
    Answer cut(String text) {
        return response("incomplete", "max_output_tokens", message("output_text", "text", text));
    }

    @Override
    Answer refusal(String why) {
        return response("completed", null, message("refusal", "refusal", why));
    }

    @Override
    Answer filtered() {
        return response("incomplete", "content_filter", message("output_text", "text", ""));
    }

    @Override
    Answer calls(Call... calls) {
        return response(
                "completed", null, Stream.of(calls).map(ResponsesWire::call).toArray());
    }

    @Override
    Answer brokenCall(String name) {
        return response("completed", null, call("call_1", name, "{city: Bonn"));
    }

    @Override
    Answer thought(String thought, Call call) {
        ObjectNode reasoning = Json.object(
                "type",
                "reasoning",
                "id",
                "rs_1",
                "summary",
                Json.array(Json.object("type", "summary_text", "text", thought)),
                "encrypted_content",
                "c2VhbGVk");
        return response("completed", null, reasoning, call(call));
    }

    @Override
    Answer nothing() {
        return Answer.of(200, "{\"output\":[]}");
    }

    @Override
    Answer error(int status, String code, String message) {
        return new ChatCompletionsWire().error(status, code, message);
    }

    @Override
    Answer exhausted() {
        return new ChatCompletionsWire().exhausted();
    }

    @Override
    JsonNode schema(JsonNode body) {
        return body.at("/text/format/schema");
    }

    @Override
    List<String> tools(JsonNode body) {
        return new ArrayList<>(Json.texts(body.path("tools"), "/name"));
    }

    @Override
    JsonNode turns(JsonNode body) {
        return body.path("input");
    }

    @Override
    Map<String, Object> ownFormat() {
        return Map.of("text", Map.of("format", Map.of("type", "json_object")));
    }

    /** The testkit's server has checked it. */
    @Override
    String fault(Received request) {
        return null;
    }
}
