package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Ollama's /api/chat. Calls have no ids. */
final class OllamaWire extends Wire {

    private static final Set<String> ROOT =
            Set.of("model", "stream", "messages", "tools", "format", "options", "think", "keep_alive");
    private static final Set<String> OPTIONS = Set.of(
            "temperature",
            "num_predict",
            "num_ctx",
            "top_k",
            "top_p",
            "min_p",
            "mirostat",
            "seed",
            "stop",
            "repeat_penalty",
            "frequency_penalty",
            "presence_penalty");

    private Answer message(String end, String content, String thinking, Object calls) {
        ObjectNode message =
                Json.object("role", "assistant", "content", content, "thinking", thinking, "tool_calls", calls);
        return Answer.ok(Json.object(
                "model",
                model,
                "created_at",
                "2026-11-30T00:00:00Z",
                "message",
                message,
                "done",
                true,
                "done_reason",
                end,
                "total_duration",
                9,
                "prompt_eval_count",
                3,
                "eval_count",
                5));
    }

    private static ObjectNode call(String name, Object arguments) {
        return Json.object("function", Json.object("name", name, "arguments", arguments));
    }

    @Override
    Answer text(String text) {
        return message("stop", text, null, null);
    }

    @Override
    Answer cut(String text) {
        return message("length", text, null, null);
    }

    @Override
    Answer calls(Call... calls) {
        return message(
                "stop",
                "",
                null,
                Json.array(Stream.of(calls)
                        .map(call -> call(call.name(), call.input()))
                        .toList()));
    }

    @Override
    Answer brokenCall(String name) {
        return message("stop", "", null, Json.array(call(name, Json.array(1))));
    }

    @Override
    Answer thought(String thought, Call call) {
        return message("stop", "", thought, Json.array(call(call.name(), call.input())));
    }

    @Override
    Answer nothing() {
        return Answer.of(200, "{}");
    }

    @Override
    Answer error(int status, String code, String message) {
        return Answer.of(status, Json.object("error", message).toString());
    }

    @Override
    JsonNode schema(JsonNode body) {
        return body.path("format");
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
        return Map.of("format", "json");
    }

    @Override
    String fault(Received request) {
        JsonNode body = request.body();
        Check check = post(request, "/api/chat")
                .that(!request.headers().containsKey("authorization"), "there is a key")
                .known(body, "the body", ROOT)
                .known(body.path("options"), "options", OPTIONS)
                .that(!body.path("model").asText().isBlank(), "there is no model")
                .that(body.path("stream").isBoolean() && !body.path("stream").asBoolean(), "the answer would stream")
                .that(!turns(body).isEmpty(), "there are no messages");
        List<String> open = new ArrayList<>();
        for (JsonNode message : turns(body)) {
            check.that(message.path("content").isTextual(), "a content is no text");
            if (message.path("role").asText().equals("tool")) {
                check.that(
                        open.remove(message.path("tool_name").asText()),
                        "a result of " + message.path("tool_name") + ", which nobody called");
                continue;
            }
            check.that(open.isEmpty(), "the calls " + open + " have no results");
            for (JsonNode call : message.path("tool_calls")) {
                open.add(call.at("/function/name").asText());
                check.that(call.at("/function/arguments").isObject(), "arguments are no object");
            }
        }
        check.that(open.isEmpty(), "the calls " + open + " have no results");
        for (JsonNode tool : body.path("tools")) {
            check.that(
                    tool.at("/function/parameters/type").asText().equals("object"),
                    "a tool has no schema of an object");
        }
        return check.fault();
    }
}
