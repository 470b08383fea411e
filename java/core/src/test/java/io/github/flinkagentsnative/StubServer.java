package io.github.flinkagentsnative;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A provider on this host that does what a test says, and remembers what it was asked. */
final class StubServer implements AutoCloseable {

    /** What to do with a request. */
    interface Handler {
        void handle(HttpExchange exchange, String body) throws Exception;
    }

    /** What was asked. */
    record Seen(String method, String uri, Headers headers, String body) {}

    static {
        // Otherwise the JDK's server holds each answer back for some 40 ms (Nagle's algorithm against delayed ACKs).
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    private StubServer(HttpServer server, Handler handler) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            seen.add(new Seen(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    body));
            try {
                handler.handle(exchange, body);
            } catch (Exception e) {
                // The client is gone, or the test ends the exchange this way.
            } finally {
                exchange.close();
            }
        });
        server.start();
    }

    static StubServer http(Handler handler) throws IOException {
        return new StubServer(HttpServer.create(address(), 0), handler);
    }

    static StubServer https(SSLContext tls, Handler handler) throws IOException {
        HttpsServer server = HttpsServer.create(address(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new StubServer(server, handler);
    }

    private static InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    int port() {
        return server.getAddress().getPort();
    }

    String baseUrl() {
        return "http://127.0.0.1:" + port() + "/v1";
    }

    List<Seen> seen() {
        return seen;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.getResponseBody().close();
    }

    static void json(HttpExchange exchange, int status, String body) throws IOException {
        answer(exchange, status, "application/json", body);
    }

    /** Answers with a text, given as the inside of a JSON string. */
    static void say(HttpExchange exchange, String escapedText) throws IOException {
        json(exchange, 200, completion(escapedText));
    }

    static String completion(String escapedText) {
        return """
                {"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"gpt-4o-2024-11-20",
                "choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"%s"}}],
                "usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}""".formatted(escapedText);
    }
}
