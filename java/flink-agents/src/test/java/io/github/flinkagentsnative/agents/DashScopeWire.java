package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** DashScope's compatible endpoint. */
class DashScopeWire extends ChatCompletionsWire {

    @Override
    Answer refusal(String why) {
        return null;
    }

    @Override
    Answer filtered() {
        return null;
    }

    @Override
    Answer thought(String thought, Call call) {
        JsonNode said = Json.read(calls(call).body());
        ((ObjectNode) said.at("/choices/0/message")).put("reasoning_content", thought);
        return Answer.ok(said);
    }

    @Override
    Answer exhausted() {
        return error(429, "Throttling.AllocationQuota", "Free allocated quota exceeded.");
    }

    @Override
    String fault(Received request) {
        JsonNode body = request.body();
        Check check = post(request, "/compatible-mode/v1/chat/completions")
                .that(request.header("authorization").equals("Bearer " + LocalService.KEY), "there is no key")
                .that(!body.path("model").asText().isBlank(), "there is no model")
                .that(!turns(body).isEmpty(), "there are no messages")
                .that(!body.has("strict") && !body.has("max_completion_tokens"), "a name of OpenAI's");
        checkResults(turns(body), check);
        checkJsonWord(body, turns(body), body.path("response_format"), check);
        return check.fault();
    }

    static void checkJsonWord(JsonNode body, JsonNode messages, JsonNode format, Check check) {
        boolean wanted = format.path("type").asText().equals("json_object");
        check.that(!wanted || messages.toString().toLowerCase(Locale.ROOT).contains("json"), "no word json");
        check.that(
                !body.toString().contains("\"enable_thinking\":true") || format.isMissingNode(),
                "a format while the model thinks");
    }
}
