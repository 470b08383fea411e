package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** vLLM's server: Chat Completions, with open schemas and with thoughts. */
final class VllmWire extends ChatCompletionsWire {

    @Override
    Answer thought(String thought, Call call) {
        JsonNode said = Json.read(calls(call).body());
        ((ObjectNode) said.at("/choices/0/message")).put("reasoning_content", thought);
        return Answer.ok(said);
    }

    @Override
    Answer exhausted() {
        return null;
    }

    @Override
    String fault(Received request) {
        JsonNode body = request.body();
        Set<String> keys = Set.of("Bearer " + LocalService.KEY, "Bearer EMPTY");
        Check check = post(request, "/v1/chat/completions")
                .that(keys.contains(request.header("authorization")), "there is no key")
                .that(!body.path("model").asText().isBlank(), "there is no model")
                .that(!turns(body).isEmpty(), "there are no messages")
                .that(!body.has("structured_outputs") || schema(body).isMissingNode(), "two formats");
        checkResults(turns(body), check);
        return check.fault();
    }
}
