package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.genai.Client;
import com.google.genai.types.Content;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.HttpOptions;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** What google-genai sends, caught by a server on this host. */
final class GeminiSdk {
    private GeminiSdk() {}

    static JsonNode gemini(String model, List<Content> contents, GenerateContentConfig config) {
        return caught(Client.builder().apiKey("key"), model, contents, config);
    }

    static JsonNode vertex(String model, List<Content> contents, GenerateContentConfig config) {
        Client.Builder client = Client.builder()
                .vertexAI(true)
                .project("p-1")
                .location("europe-west4")
                .credentials(GoogleCredentials.create(new AccessToken("key", null)));
        return caught(client, model, contents, config);
    }

    private static JsonNode caught(
            Client.Builder settings, String model, List<Content> contents, GenerateContentConfig config) {
        AtomicReference<JsonNode> request = new AtomicReference<>();
        HttpServer server = start(request);
        String base = "http://127.0.0.1:" + server.getAddress().getPort();
        try (Client client = settings.httpOptions(
                        HttpOptions.builder().baseUrl(base).build())
                .build()) {
            client.models.generateContent(model, contents, config);
        } finally {
            server.stop(0);
        }
        return request.get();
    }

    private static HttpServer start(AtomicReference<JsonNode> request) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
            server.createContext("/", exchange -> {
                byte[] body = exchange.getRequestBody().readAllBytes();
                ObjectNode caught =
                        Json.object().put("path", exchange.getRequestURI().getRawPath());
                request.set(caught.set("body", Json.read(body)));
                byte[] answer = "{}".getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
            });
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
