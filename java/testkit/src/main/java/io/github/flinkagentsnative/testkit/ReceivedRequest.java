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
        String text = "";
        for (JsonNode message : json.path("messages")) {
            if (message.path("role").asText().equals("user")) {
                text = textOf(message);
            }
        }
        return text;
    }

    /** The text of all system and developer messages, joined by line breaks. */
    public String systemText() {
        StringBuilder text = new StringBuilder();
        for (JsonNode message : json.path("messages")) {
            String role = message.path("role").asText();
            if (role.equals("system") || role.equals("developer")) {
                text.append(textOf(message)).append('\n');
            }
        }
        return text.toString();
    }

    /** The schema of a strict or loose {@code json_schema} response format; a missing node when there is none. */
    public JsonNode schema() {
        return json.path("response_format").path("json_schema").path("schema");
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
