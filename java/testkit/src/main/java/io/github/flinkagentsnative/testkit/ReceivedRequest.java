package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Map;

/**
 * One HTTP request as the server received it.
 *
 * @param number counts the requests of a server, from 1
 * @param method HTTP method
 * @param path decoded path, without the query
 * @param query decoded query parameters
 * @param headers headers with lower-case names; of a repeated header the first value
 * @param body body as text (UTF-8)
 * @param json body as JSON; a missing node when it is no JSON
 */
public record ReceivedRequest(
        int number,
        String method,
        String path,
        Map<String, String> query,
        Map<String, String> headers,
        String body,
        JsonNode json) {

    public ReceivedRequest {
        query = Map.copyOf(query);
        headers = Map.copyOf(headers);
        json = json == null ? MissingNode.getInstance() : json;
    }

    /** The model of the body, or the deployment of an Azure path; empty when there is neither. */
    public String model() {
        String inPath = Endpoint.of(path).deployment();
        return inPath.isEmpty() ? json.path("model").asText("") : inPath;
    }

    /** The text of the last user message, its text parts joined; empty when there is none. */
    public String lastUserText() {
        if (json.path("input").isTextual()) {
            return json.path("input").asText();
        }
        String text = "";
        for (JsonNode message : messages()) {
            if (message.path("role").asText().equals("user")) {
                text = textOf(message);
            }
        }
        return text;
    }

    /** The text of all system and developer messages, on Responses of {@code instructions} before them, joined by line breaks. */
    public String systemText() {
        StringBuilder text = new StringBuilder();
        if (json.path("instructions").isTextual()) {
            text.append(json.path("instructions").asText()).append('\n');
        }
        for (JsonNode message : messages()) {
            String role = message.path("role").asText();
            if (role.equals("system") || role.equals("developer")) {
                text.append(textOf(message)).append('\n');
            }
        }
        return text.toString();
    }

    /** The schema of a strict or loose {@code json_schema} format; a missing node when there is none. */
    public JsonNode schema() {
        if (Endpoint.of(path).responses()) {
            return json.path("text").path("format").path("schema");
        }
        return json.path("response_format").path("json_schema").path("schema");
    }

    /** The messages of Chat Completions, the input items of Responses. */
    private JsonNode messages() {
        return json.path(Endpoint.of(path).responses() ? "input" : "messages");
    }

    /** Without headers and body: those hold the key and the user's text. */
    @Override
    public String toString() {
        return "ReceivedRequest[" + number + ", " + method + " " + path + ", " + body.length() + " characters]";
    }

    private static String textOf(JsonNode message) {
        JsonNode content = message.path("content");
        if (!content.isArray()) {
            return content.asText("");
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            text.append(part.path("text").asText(""));
        }
        return text.toString();
    }
}
