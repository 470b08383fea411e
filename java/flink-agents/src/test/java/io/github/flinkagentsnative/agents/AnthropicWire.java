package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Anthropic Messages, version 2023-06-01. */
final class AnthropicWire extends Wire {

    private static final Set<String> ROOT = Set.of(
            "model",
            "max_tokens",
            "messages",
            "system",
            "tools",
            "tool_choice",
            "output_config",
            "thinking",
            "temperature",
            "top_p",
            "top_k",
            "stop_sequences",
            "metadata",
            "service_tier");

    private Answer message(String end, Object... content) {
        return Answer.ok(Json.object(
                "id",
                "msg_1",
                "type",
                "message",
                "role",
                "assistant",
                "model",
                model,
                "content",
                Json.array(content),
                "stop_reason",
                end,
                "usage",
                Json.object("input_tokens", 3, "output_tokens", 5)));
    }

    private static ObjectNode block(String text) {
        return Json.object("type", "text", "text", text);
    }

    private static ObjectNode call(Call call) {
        return Json.object("type", "tool_use", "id", call.id(), "name", call.name(), "input", call.input());
    }

    @Override
    Answer text(String text) {
        return message("end_turn", block(text));
    }

    @Override
    Answer cut(String text) {
        return message("max_tokens", block(text));
    }

    @Override
    Answer refusal(String why) {
        return message("refusal", block(why));
    }

    @Override
    Answer calls(Call... calls) {
        return message("tool_use", Stream.of(calls).map(AnthropicWire::call).toArray());
    }

    @Override
    Answer brokenCall(String name) {
        return message(
                "tool_use",
                Json.object("type", "tool_use", "id", "toolu_1", "name", name, "input", Json.array("no object")));
    }

    @Override
    Answer thought(String thought, Call call) {
        return message(
                "tool_use", Json.object("type", "thinking", "thinking", thought, "signature", "c2lnbmVk"), call(call));
    }

    @Override
    Answer nothing() {
        return message("end_turn");
    }

    @Override
    Answer error(int status, String code, String message) {
        return Answer.of(
                status,
                Json.object("type", "error", "error", Json.object("type", code, "message", message))
                        .toString());
    }

    @Override
    JsonNode schema(JsonNode body) {
        return body.at("/output_config/format/schema");
    }

    @Override
    List<String> tools(JsonNode body) {
        return Json.texts(body.path("tools"), "/name");
    }

    @Override
    JsonNode turns(JsonNode body) {
        return body.path("messages");
    }

    @Override
    Map<String, Object> ownFormat() {
        return Map.of("output_config", Map.of("format", Map.of("type", "json_schema")));
    }

    @Override
    String fault(Received request) {
        JsonNode body = request.body();
        Check check = post(request, "/v1/messages")
                .that(request.header("x-api-key").equals(LocalService.KEY), "there is no key in x-api-key")
                .that(request.header("anthropic-version").equals("2023-06-01"), "the version is another one")
                .known(body, "the body", ROOT)
                .that(!body.path("model").asText().isBlank(), "there is no model")
                .that(body.path("max_tokens").asInt() > 0, "there is no max_tokens")
                .that(!turns(body).isEmpty(), "there are no messages");
        List<String> open = new ArrayList<>();
        boolean callsTools = false;
        for (JsonNode turn : turns(body)) {
            boolean isUser = turn.path("role").asText().equals("user");
            check.that(isUser || turn.path("role").asText().equals("assistant"), "a role is " + turn.path("role"));
            JsonNode content = turn.path("content");
            check.that(!content.isEmpty() || !content.asText().isBlank(), "a turn is empty");
            boolean resultsAreOver = false;
            for (JsonNode block : content) {
                String type = block.path("type").asText();
                check.that(
                        !type.equals("text") || !block.path("text").asText().isBlank(),
                        "text content blocks must be non-empty");
                if (type.equals("tool_result")) {
                    callsTools = true;
                    check.that(isUser && !resultsAreOver, "a result stands behind something else");
                    check.that(
                            open.remove(block.path("tool_use_id").asText()),
                            "a result of the call " + block.path("tool_use_id") + " without that call before it");
                } else {
                    resultsAreOver = true;
                }
            }
            check.that(open.isEmpty(), "tool_use ids were found without tool_result blocks: " + open);
            for (JsonNode block : content) {
                if (block.path("type").asText().equals("tool_use")) {
                    callsTools = true;
                    check.that(!isUser && block.path("input").isObject(), "a call is malformed");
                    check.that(block.path("id").asText().matches("[a-zA-Z0-9_-]+"), "an id is malformed");
                    open.add(block.path("id").asText());
                }
            }
        }
        check.that(open.isEmpty(), "tool_use ids were found without tool_result blocks: " + open);
        check.that(!callsTools || !tools(body).isEmpty(), "calls and results need tools");
        for (JsonNode tool : body.path("tools")) {
            check.that(tool.at("/input_schema/type").asText().equals("object"), "a tool has no schema of an object");
            check.that(
                    !tool.path("strict").asBoolean() || isClosed(tool.path("input_schema")),
                    "a strict tool's schema is open");
        }
        JsonNode last = turns(body).path(turns(body).size() - 1);
        boolean prefilled = last.path("role").asText().equals("assistant");
        check.that(!prefilled || schema(body).isMissingNode(), "a prefill beside output_config.format");
        check.that(isClosed(schema(body)), "an object of the schema is open");
        return check.fault();
    }
}
