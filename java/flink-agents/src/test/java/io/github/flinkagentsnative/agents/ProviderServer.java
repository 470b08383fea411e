package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executors;

/** A local server that gives prepared answers in turn, and remembers what it was asked. Without an answer it says 500. */
final class ProviderServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** An answer as it goes over the wire. */
    record Answer(int status, String body) {}

    /** A request as it came. */
    record Request(String path, String key, JsonNode body) {}

    private final Queue<Answer> answers = new ArrayDeque<>();
    private final List<Request> requests = new ArrayList<>();
    private final HttpServer server;

    ProviderServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized void enqueue(Answer... next) {
        answers.addAll(List.of(next));
    }

    synchronized List<Request> requests() {
        return List.copyOf(requests);
    }

    Request only() {
        if (requests().size() != 1) {
            throw new AssertionError("expected one request, found " + requests().size());
        }
        return requests().get(0);
    }

    private synchronized Answer next(Request request) {
        requests.add(request);
        Answer next = answers.poll();
        return next == null ? new Answer(500, "{\"error\":{\"message\":\"nothing was prepared\"}}") : next;
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] sent = exchange.getRequestBody().readAllBytes();
        String key = String.join(
                "",
                exchange.getRequestHeaders().entrySet().stream()
                        .filter(header -> List.of("authorization", "x-api-key", "x-goog-api-key")
                                .contains(header.getKey().toLowerCase(java.util.Locale.ROOT)))
                        .map(header -> header.getValue().get(0))
                        .toList());
        Answer answer = next(new Request(exchange.getRequestURI().toString(), key, JSON.readTree(sent)));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
