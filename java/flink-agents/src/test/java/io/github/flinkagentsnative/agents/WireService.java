package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A server for a {@link Wire}: a request that has a fault is refused with it. */
final class WireService implements LocalService {

    private final Wire wire;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<Received> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger maxInFlight = new AtomicInteger();
    private volatile Function<Received, Answer> responder =
            request -> Answer.of(501, "{\"error\":{\"message\":\"nothing was prepared\"}}");

    WireService(Wire wire) {
        this.wire = wire;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    @Override
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void enqueue(Answer... next) {
        answers.addAll(List.of(next));
    }

    @Override
    public void respondWith(Function<Received, Answer> newResponder) {
        responder = newResponder;
    }

    @Override
    public List<Received> requests() {
        return List.copyOf(requests);
    }

    @Override
    public int maxInFlight() {
        return maxInFlight.get();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        maxInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        try {
            Received request = receive(exchange);
            Answer answer = wire.token(request);
            if (answer == null) {
                requests.add(request);
                answer = answer(request);
            }
            Thread.sleep(answer.delay().toMillis());
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            inFlight.decrementAndGet();
            exchange.close();
        }
    }

    private Answer answer(Received request) {
        String fault = wire.fault(request);
        if (fault != null) {
            return wire.error(400, "ValidationException", "the local server refuses this: " + fault);
        }
        Answer next = answers.poll();
        return next == null ? responder.apply(request) : next;
    }

    private static Received receive(HttpExchange exchange) throws IOException {
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
        return new Received(
                exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, text, json(text));
    }

    private static JsonNode json(String text) {
        try {
            return Json.read(text);
        } catch (IllegalArgumentException noJson) {
            return MissingNode.getInstance();
        }
    }
}
