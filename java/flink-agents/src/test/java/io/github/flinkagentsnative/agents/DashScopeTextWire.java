package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** DashScope's own call for texts. */
class DashScopeTextWire extends ChatCompletionsWire {

    @Override
    Answer completion(ObjectNode message, String end) {
        return Answer.ok(Json.object(
                "request_id",
                "request-1",
                "output",
                Json.object("choices", Json.array(Json.object("message", message, "finish_reason", end))),
                "usage",
                Json.object("input_tokens", 3, "output_tokens", 5, "total_tokens", 8)));
    }

    @Override
    Answer error(int status, String code, String message) {
        return Answer.of(
                status,
                Json.object("code", code, "message", message, "request_id", "request-1")
                        .toString());
    }

    @Override
    JsonNode schema(JsonNode body) {
        return body.at("/parameters/response_format/json_schema/schema");
    }

    @Override
    List<String> tools(JsonNode body) {
        return Json.texts(body.at("/parameters/tools"), "/function/name");
    }

    @Override
    JsonNode turns(JsonNode body) {
        return body.at("/input/messages");
    }

    @Override
    String fault(Received request) {
        JsonNode body = request.body();
        Check check = post(request, "/api/v1/services/aigc/text-generation/generation")
                .that(request.header("authorization").equals("Bearer " + LocalService.KEY), "there is no key")
                .that(
                        body.at("/parameters/result_format").asText().equals("message"),
                        "the answer would have another shape")
                .that(!turns(body).isEmpty(), "there are no messages");
        checkResults(turns(body), check);
        DashScopeWire.checkJsonWord(body, turns(body), body.at("/parameters/response_format"), check);
        return check.fault();
    }
}
