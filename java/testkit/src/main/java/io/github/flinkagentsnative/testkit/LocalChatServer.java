package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A chat model service on loopback, for tests and for trying a job without a key.
 *
 * <p>It speaks OpenAI Chat Completions ({@code POST /v1/chat/completions}), OpenAI Responses ({@code POST /v1/responses}) and the Azure OpenAI
 * forms ({@code /openai/deployments/{deployment}/chat/completions?api-version=...}, {@code /openai/v1/chat/completions} and
 * {@code /openai/v1/responses}). A request that the
 * real service would refuse is refused with the same status and error body: a missing or wrong key, an unknown model or parameter, a tool
 * result without its call, a strict schema without {@code additionalProperties: false}, and so on. What is accepted is answered from the
 * text of the last user message ({@link SchemaResponder}): the same request always gets the same answer.
 *
 * <p>A test of a user's own code:
 *
 * <pre>{@code
 * @Test
 * void aComplaintIsRoutedToBilling() throws Exception {
 *     try (LocalChatServer server = LocalChatServer.start()) {
 *         server.respondWith(new SchemaResponder().hint("BILLING", "invoice", "Rechnung", "facture"));
 *         ChatModel model = ChatModel.builder(Provider.OPENAI)
 *                 .apiBaseUrl(server.baseUrl()).apiKey(server.apiKey()).model("gpt-4o-mini").build();
 *         try (ChatClient client = ChatClient.open(model)) {
 *             ChatRequest request = ChatRequest.of(ChatMessage.user("Die Rechnung stimmt nicht."));
 *             assertEquals(Team.BILLING, client.ask(request, OutputSchema.of(Verdict.class)).value().team());
 *
 *             server.enqueue(Reply.rateLimited(Duration.ofSeconds(1)));           // the next call fails
 *             assertEquals(ErrorKind.PROVIDER_ERROR, client.ask(request, OutputSchema.of(Verdict.class)).kind());
 *         }
 *         assertEquals(2, server.requests().size());
 *     }
 * }
 * }</pre>
 *
 * <p>An accepted request is answered by the first rule of {@link #when} that matches, else by the next {@link #enqueue}d reply, else by the
 * responder. All methods may be called at any time, from any thread.
 */
public final class LocalChatServer implements AutoCloseable {
    /** The key that a new server takes. */
    public static final String DEFAULT_API_KEY = "sk-local-chat-server";

    private static final int MAX_REQUEST_BYTES = 64 << 20;

    static {
        // The JDK's server sends headers and body apart; without this each answer waits some 40 ms for the client's
        // acknowledgement.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private record Rule(Predicate<ReceivedRequest> applies, Responder responder) {}

    private final HttpServer http;
    private final ExecutorService threads;
    private final List<ReceivedRequest> requests = new CopyOnWriteArrayList<>();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final Queue<Reply> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger maxInFlight = new AtomicInteger();
    private final AtomicInteger received = new AtomicInteger();
    private volatile String apiKey = DEFAULT_API_KEY;
    private volatile Set<String> models = Set.of();
    private volatile Responder responder = new SchemaResponder();

    private LocalChatServer(HttpServer http) {
        this.http = http;
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "local-chat-server");
            thread.setDaemon(true);
            return thread;
        });
        http.setExecutor(threads);
        http.createContext("/", this::handle);
        http.start();
    }

    /** Starts a server on a free port of the loopback interface. */
    public static LocalChatServer start() {
        try {
            return new LocalChatServer(
                    HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 256));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on 127.0.0.1", e);
        }
    }

    /** The base URL for OpenAI clients, for example {@code http://127.0.0.1:40123/v1}. */
    public String baseUrl() {
        return azureEndpoint() + "/v1";
    }

    /** The endpoint for Azure OpenAI clients, for example {@code http://127.0.0.1:40123}. */
    public String azureEndpoint() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** The key that the server takes; null when it takes any or none. */
    public String apiKey() {
        return apiKey;
    }

    /** Sets the key that requests have to carry; null takes any key, and none. */
    public LocalChatServer requireKey(String key) {
        this.apiKey = key;
        return this;
    }

    /** Limits the models (on Azure: the deployments) that exist; without this every name exists. */
    public LocalChatServer knowModels(String... names) {
        this.models = Set.of(names);
        return this;
    }

    /** Sets who answers when no rule and no queued reply applies. */
    public LocalChatServer respondWith(Responder responder) {
        this.responder = responder;
        return this;
    }

    /** Answers accepted requests that match with this reply, until {@link #reset}. Rules are tried in the order they were added. */
    public LocalChatServer when(Predicate<ReceivedRequest> applies, Reply reply) {
        return when(applies, request -> reply);
    }

    /** Answers accepted requests that match through this responder, until {@link #reset}. */
    public LocalChatServer when(Predicate<ReceivedRequest> applies, Responder responder) {
        rules.add(new Rule(applies, responder));
        return this;
    }

    /** Adds replies for the next accepted requests, one each. */
    public LocalChatServer enqueue(Reply... replies) {
        queue.addAll(List.of(replies));
        return this;
    }

    /** Forgets rules, queued replies and received requests; key, models and responder stay. */
    public void reset() {
        rules.clear();
        queue.clear();
        requests.clear();
        maxInFlight.set(inFlight.get());
    }

    /** All requests received so far, refused ones included, in order of arrival. */
    public List<ReceivedRequest> requests() {
        return List.copyOf(requests);
    }

    /** The largest number of requests that were open at the same time. */
    public int maxInFlight() {
        return maxInFlight.get();
    }

    /** Stops listening at once; delayed answers are dropped and their connections end. */
    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        int open = inFlight.incrementAndGet();
        maxInFlight.accumulateAndGet(open, Math::max);
        try {
            ReceivedRequest request = receive(exchange);
            requests.add(request);
            Reply reply = answer(request);
            if (!reply.delay().isZero()) {
                Thread.sleep(reply.delay().toMillis());
            }
            send(exchange, request, reply);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            inFlight.decrementAndGet();
            exchange.close();
        }
    }

    private Reply answer(ReceivedRequest request) {
        try {
            RequestCheck.check(request, apiKey, models);
            for (Rule rule : rules) {
                if (rule.applies().test(request)) {
                    return rule.responder().respond(request);
                }
            }
            Reply next = queue.poll();
            return next != null ? next : responder.respond(request);
        } catch (Refusal refusal) {
            return refusal.reply();
        } catch (RuntimeException bug) {
            // A responder of the test's own that throws must not leave the client waiting.
            return Reply.error(500, "server_error", null, null, "The responder of the local server failed: " + bug);
        }
    }

    private ReceivedRequest receive(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readNBytes(MAX_REQUEST_BYTES), StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
        return new ReceivedRequest(
                received.incrementAndGet(),
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath(),
                query(exchange.getRequestURI().getRawQuery()),
                headers,
                body,
                parseOrNull(body));
    }

    private static JsonNode parseOrNull(String body) {
        try {
            return Json.parse(body);
        } catch (JsonProcessingException notJson) {
            return null;
        }
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (raw == null || raw.isEmpty()) {
            return parameters;
        }
        for (String pair : raw.split("&")) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            parameters.put(
                    URLDecoder.decode(name, StandardCharsets.UTF_8), URLDecoder.decode(value, StandardCharsets.UTF_8));
        }
        return parameters;
    }

    private static void send(HttpExchange exchange, ReceivedRequest request, Reply reply) throws IOException {
        if (reply.cut() == Reply.Cut.BEFORE_THE_ANSWER) {
            return; // closing the exchange without an answer closes the connection
        }
        byte[] body = reply.bodyFor(request);
        exchange.getResponseHeaders().set("Content-Type", reply.contentType());
        exchange.getResponseHeaders()
                .set("x-request-id", "req_" + UUID.randomUUID().toString().replace("-", ""));
        exchange.getResponseHeaders().set("openai-processing-ms", "1");
        exchange.getResponseHeaders().set("x-ratelimit-limit-requests", "10000");
        exchange.getResponseHeaders().set("x-ratelimit-remaining-requests", "9999");
        exchange.getResponseHeaders().set("x-ratelimit-reset-requests", "6ms");
        reply.headers().forEach(exchange.getResponseHeaders()::set);
        boolean cut = reply.cut() == Reply.Cut.IN_THE_BODY;
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : cut ? body.length + 1000L : body.length);
        OutputStream out = exchange.getResponseBody();
        if (body.length > 0) {
            out.write(body);
            out.flush();
        }
    }
}
