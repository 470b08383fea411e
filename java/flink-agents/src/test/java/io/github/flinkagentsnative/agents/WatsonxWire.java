package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.atomic.AtomicInteger;

/** IBM watsonx.ai's text chat, with IBM Cloud's token service beside it, all of whose tokens count. */
final class WatsonxWire extends ChatCompletionsWire {

    private final AtomicInteger tokens = new AtomicInteger();
    /** What the token service answers next in place of a token. */
    volatile Answer trouble;

    /** How many tokens were given. */
    int tokens() {
        return tokens.get();
    }

    @Override
    Answer token(Received request) {
        if (!request.path().equals("/identity/token")) {
            return null;
        }
        Answer instead = trouble;
        trouble = null;
        if (instead != null) {
            return instead;
        }
        boolean sound = request.method().equals("POST")
                && request.header("content-type").equals("application/x-www-form-urlencoded")
                && request.text()
                        .equals("grant_type=urn%3Aibm%3Aparams%3Aoauth%3Agrant-type%3Aapikey&apikey="
                                + LocalService.KEY);
        return sound
                ? Answer.ok(Json.object("access_token", "token-" + tokens.incrementAndGet(), "expires_in", 3600))
                : Answer.of(
                        400,
                        "{\"errorCode\":\"BXNIM0415E\",\"errorMessage\":\"Provided API key could not be found.\"}");
    }

    @Override
    Answer completion(ObjectNode message, String end) {
        ObjectNode body = (ObjectNode) Json.read(super.completion(message, end).body());
        body.remove("model");
        return Answer.ok(body.put("model_id", model));
    }

    @Override
    Answer error(int status, String code, String message) {
        return Answer.of(
                status,
                Json.object(
                                "errors",
                                Json.array(Json.object("code", code, "message", message)),
                                "trace",
                                "t-1",
                                "status_code",
                                status)
                        .toString());
    }

    @Override
    Answer exhausted() {
        return null;
    }

    @Override
    String fault(Received request) {
        JsonNode body = request.body();
        Check check = post(request, "/ml/v1/text/chat?version=2025-04-23")
                .that(!body.path("model_id").asText().isBlank() && !body.has("model"), "there is no model_id")
                .that(body.has("project_id") != body.has("space_id"), "neither project nor space, or both")
                .that(!turns(body).isEmpty(), "there are no messages")
                .that(isToken(request.header("authorization")), "the token is unknown");
        checkResults(turns(body), check);
        return check.fault();
    }

    private boolean isToken(String authorization) {
        String token = authorization.replaceFirst("Bearer token-", "");
        return token.equals("of-the-job")
                || token.matches("\\d+") && Integer.parseInt(token) >= 1 && Integer.parseInt(token) <= tokens.get();
    }
}
