package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A small client for the tests. */
final class Http {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private Http() {}

    static HttpResponse<String> post(String url, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(20))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static HttpResponse<String> chat(LocalChatServer server, String body) throws IOException, InterruptedException {
        return post(server.baseUrl() + "/chat/completions", body, "authorization", "Bearer " + server.apiKey());
    }

    static JsonNode error(HttpResponse<String> answer) throws IOException {
        return Json.parse(answer.body()).path("error");
    }

    static String content(HttpResponse<String> answer) throws IOException {
        return Json.parse(answer.body()).at("/choices/0/message/content").asText();
    }

    /** A request with a strict schema. */
    static String strict(String text, String schema) {
        return """
                {"model":"gpt-4o-mini","messages":[{"role":"user","content":%s}],
                 "response_format":{"type":"json_schema","json_schema":{"name":"Verdict","strict":true,"schema":%s}}}""".formatted(Json.write(Json.array().add(text).get(0)), schema);
    }
}
