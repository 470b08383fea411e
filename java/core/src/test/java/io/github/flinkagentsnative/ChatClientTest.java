package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ChatClientTest {

    static final String KEY = "sk-test-0123456789";

    private static final OutputSchema<Object> VERDICT = OutputSchema.ofJsonSchema("""
            {"title":"verdict","type":"object","properties":{"label":{"type":"string"},"score":{"type":"number"}},
            "required":["label","score"],"additionalProperties":false}""");

    // ---- an ordinary call

    @Test
    void a_gateways_key_among_the_default_headers_is_never_shown() throws Exception {
        StubServer.Handler echo = (exchange, body) -> StubServer.json(
                exchange,
                401,
                "{\"error\":{\"message\":\"no access for "
                        + exchange.getRequestHeaders().getFirst("X-Gateway-Token") + "\"}}");
        try (StubServer server = StubServer.http(echo)) {
            ChatModel model = ChatModel.builder(Provider.OPENAI)
                    .apiBaseUrl(server.baseUrl())
                    .apiKey("sk-test")
                    .model("gpt-4o")
                    .defaultHeaders(Map.of("X-Gateway-Token", "gateway secret".replace(' ', '-')))
                    .build();
            ChatRequest request = ChatRequest.of(ChatMessage.user("hi"));
            assertThat(model.explain(request, null))
                    .contains("X-Gateway-Token: ***")
                    .doesNotContain("gateway-secret");
            try (ChatClient client = ChatClient.open(model)) {
                assertThat(client.ask(request, null).error())
                        .contains("no access for")
                        .doesNotContain("gateway-secret");
            }
            assertThat(server.seen().get(0).headers().getFirst("X-Gateway-Token"))
                    .isEqualTo("gateway-secret");
        }
    }

    @Test
    void a_cut_answer_is_no_success_without_a_schema_either() throws Exception {
        String cut = StubServer.completion("cut te").replace("\"stop\"", "\"length\"");
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.json(exchange, 200, cut))) {
            ChatModel model = ChatModel.builder(Provider.OPENAI)
                    .apiBaseUrl(server.baseUrl())
                    .apiKey("sk-test")
                    .model("gpt-4o")
                    .build();
            try (ChatClient client = ChatClient.open(model)) {
                ChatRequest request = ChatRequest.of(ChatMessage.user("hi"));
                ChatOutcome<Object> outcome = client.ask(request, null);
                assertThat(outcome.kind()).isEqualTo(ErrorKind.TRUNCATED);
                assertThat(outcome.response().text()).isEqualTo("cut te");
                assertThat(client.chat(request).finishReason()).isEqualTo("length");
            }
        }
    }

    @Test
    void a_call_carries_the_key_once_and_brings_back_the_answer() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"));
                ChatClient client = ChatClient.open(model(server))) {
            ChatResult result = client.chat(request("hi"));
            assertThat(result.message().text()).isEqualTo("hello");
            assertThat(result.usage().promptTokens()).isEqualTo(3);
            StubServer.Seen seen = server.seen().get(0);
            assertThat(seen.method()).isEqualTo("POST");
            assertThat(seen.uri()).isEqualTo("/v1/chat/completions");
            assertThat(seen.headers().get("Authorization")).containsExactly("Bearer " + KEY);
            assertThat(seen.headers().getFirst("User-agent")).isEqualTo("flink-agents-native/" + NativeLibrary.VERSION);
            assertThat(seen.body()).contains("\"hi\"").doesNotContain(KEY);
        }
    }

    @Test
    void ask_brings_back_the_typed_answer_and_how_it_travelled() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) ->
                        StubServer.say(exchange, "{\\\"label\\\":\\\"billing\\\",\\\"score\\\":1.10}"));
                ChatClient client = ChatClient.open(model(server))) {
            for (ChatOutcome<Object> outcome : List.of(
                    client.ask(request("hi"), VERDICT),
                    client.askAsync(request("hi"), VERDICT).get())) {
                assertThat(outcome.error()).isNull();
                assertThat(outcome.value())
                        .isEqualTo(Map.of("label", "billing", "score", new java.math.BigDecimal("1.10")));
                assertThat(outcome.decision().isNative()).isTrue();
                assertThat(outcome.elapsed()).isPositive();
            }
            assertThat(server.seen().get(0).body()).contains("\"json_schema\"");
        }
    }

    @Test
    void a_keyless_server_gets_no_key() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"));
                ChatClient client = ChatClient.open(ChatModel.builder(Provider.OPENAI)
                        .apiBaseUrl(server.baseUrl())
                        .model("local")
                        .keyless()
                        .build())) {
            assertThat(client.chat(request("hi")).message().text()).isEqualTo("hello");
            assertThat(server.seen().get(0).headers()).doesNotContainKey("Authorization");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "x\uD83D\uDD75y \uD842\uDFB7", "日本語 \u2028 \"quoted\" \\"})
    void b066_b067_text_is_the_same_after_both_ways(String text) throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> {
                    // The last JSON string of the body's content goes back as it came.
                    String escaped = body.replaceAll("(?s).*\"content\":\"((?:[^\"\\\\]|\\\\.)*)\".*", "$1");
                    StubServer.json(
                            exchange, 200, StubServer.completion("%ECHO%").replace("%ECHO%", escaped));
                });
                ChatClient client = ChatClient.open(model(server))) {
            assertThat(client.chat(request(text)).message().text()).isEqualTo(text);
        }
    }

    @Test
    void b068_an_unpaired_surrogate_is_refused_before_sending_and_survivable_in_an_answer() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "a\\ud83db"));
                ChatClient client = ChatClient.open(model(server))) {
            assertThatThrownBy(() -> client.chat(request("a\uD83Db")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("messages[0].blocks[0].text");
            assertThat(client.ask(request("a\uD83Db"), null).kind()).isEqualTo(ErrorKind.INVALID_ARGUMENT);
            assertThat(server.seen()).isEmpty();
            assertThat(client.chat(request("hi")).message().text()).isEqualTo("a\uFFFDb");
        }
    }

    @Test
    void many_calls_at_once_each_get_their_own_answer() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> {
                    String number = body.replaceAll("(?s).*number (\\d+).*", "$1");
                    Thread.sleep(Integer.parseInt(number) % 7);
                    StubServer.say(exchange, "answer " + number);
                });
                ChatClient client =
                        ChatClient.open(model(server), options().maxInFlight(16).build())) {
            List<CompletableFuture<ChatResult>> calls = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                calls.add(client.chatAsync(request("number " + i)));
            }
            for (int i = 0; i < 300; i++) {
                assertThat(calls.get(i).get().message().text()).isEqualTo("answer " + i);
            }
        }
    }

    // ---- answers that are none

    static Stream<Arguments> badAnswers() {
        return Stream.of(
                badAnswer(400, "application/json", error("bad request"), ErrorKind.PROVIDER_ERROR, false),
                badAnswer(
                        401,
                        "application/json",
                        error("Incorrect API key provided: " + KEY),
                        ErrorKind.PROVIDER_ERROR,
                        false),
                badAnswer(404, "application/json", error("no such model"), ErrorKind.PROVIDER_ERROR, false),
                badAnswer(429, "application/json", error("slow down"), ErrorKind.PROVIDER_ERROR, true),
                badAnswer(500, "application/json", error("oops"), ErrorKind.PROVIDER_ERROR, true),
                badAnswer(
                        502,
                        "text/html",
                        "<html><body>Bad Gateway " + KEY + "</body></html>",
                        ErrorKind.PROVIDER_ERROR,
                        true),
                badAnswer(302, "text/plain", "elsewhere", ErrorKind.PROVIDER_ERROR, false),
                badAnswer(200, "text/html", "<html>log in first</html>", ErrorKind.PROVIDER_ERROR, null),
                badAnswer(200, "application/json", "", ErrorKind.EMPTY_RESPONSE, true),
                badAnswer(200, "application/json", "{\"choices\":[{\"ind", ErrorKind.PROVIDER_ERROR, null));
    }

    private static Arguments badAnswer(int status, String type, String body, ErrorKind kind, Boolean retryable) {
        return Arguments.of(status, type, body, kind, retryable);
    }

    private static String error(String message) {
        return "{\"error\":{\"message\":\"" + message + "\",\"type\":\"t\",\"code\":\"c\"}}";
    }

    @ParameterizedTest
    @MethodSource("badAnswers")
    void an_answer_that_is_none_is_a_named_failure_without_the_key(
            int status, String type, String body, ErrorKind kind, Boolean retryable) throws Exception {
        try (StubServer server = StubServer.http((exchange, request) -> {
                    exchange.getResponseHeaders().set("Location", "/elsewhere");
                    StubServer.answer(exchange, status, type, body);
                });
                ChatClient client = ChatClient.open(model(server))) {
            ChatModelException thrown = (ChatModelException) catchThrowable(() -> client.chat(request("hi")));
            ChatModelException later = (ChatModelException)
                    catchThrowable(() -> client.chatAsync(request("hi")).get()).getCause();
            ChatOutcome<Object> outcome = client.ask(request("hi"), VERDICT);
            for (ErrorKind found : List.of(thrown.kind(), later.kind(), outcome.kind())) {
                assertThat(found).as("%s", thrown).isEqualTo(kind);
            }
            if (retryable != null) {
                assertThat(thrown.retryable()).isEqualTo(retryable);
            }
            assertThat(outcome.isSuccess()).isFalse();
            for (String text : List.of(
                    thrown.getMessage(),
                    thrown.details().toString(),
                    later.getMessage(),
                    outcome.error(),
                    outcome.details().toString(),
                    outcome.toJson(java.util.UUID.randomUUID()))) {
                assertThat(text).doesNotContain(KEY);
            }
            assertThat(server.seen())
                    .hasSize(3)
                    .allSatisfy(seen -> assertThat(seen.uri()).endsWith("/chat/completions"));
        }
    }

    @Test
    void a_connection_that_is_refused_is_a_transport_failure_that_names_the_place() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (ChatClient client = ChatClient.open(model("http://127.0.0.1:" + port + "/v1"))) {
            assertThat(catchThrowable(() -> client.chat(request("hi"))))
                    .isInstanceOfSatisfying(ChatModelException.class, e -> {
                        assertThat(e.kind()).isEqualTo(ErrorKind.TRANSPORT);
                        assertThat(e.retryable()).isTrue();
                    })
                    .hasMessageContaining("127.0.0.1:" + port);
        }
    }

    @Test
    void an_answer_that_is_cut_on_the_way_is_a_transport_failure() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> {
                    exchange.sendResponseHeaders(200, 1000);
                    exchange.getResponseBody().write("{\"choices\"".getBytes());
                    exchange.getResponseBody().flush();
                    throw new IOException("cut here");
                });
                ChatClient client = ChatClient.open(model(server))) {
            assertThat(client.ask(request("hi"), VERDICT).kind()).isEqualTo(ErrorKind.TRANSPORT);
        }
    }

    @Test
    void an_answer_that_is_too_large_is_refused() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "x".repeat(100_000)));
                ChatClient client = ChatClient.open(
                        model(server), options().maxResponseBytes(50_000).build())) {
            ChatOutcome<Object> outcome = client.ask(request("hi"), null);
            assertThat(outcome.isSuccess()).isFalse();
            assertThat(outcome.error()).contains("50000", "maxResponseBytes");
        }
    }

    @Test
    void the_time_of_a_call_ends_it_and_a_request_may_bring_its_own() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (StubServer server = StubServer.http((exchange, body) -> end.await());
                ChatClient client = ChatClient.open(
                        model(server), options().timeout(Duration.ofMillis(300)).build())) {
            long start = System.nanoTime();
            ChatOutcome<Object> outcome = client.ask(request("hi"), VERDICT);
            assertThat(outcome.kind()).isEqualTo(ErrorKind.TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(250), Duration.ofSeconds(5));
            assertThat(outcome.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(250));
            ChatRequest quick = ChatRequest.builder()
                    .message(ChatMessage.user("hi"))
                    .timeout(Duration.ofMillis(20))
                    .build();
            assertThat(client.ask(quick, VERDICT).details()).containsEntry("timeout_ms", 20);
            end.countDown();
        }
    }

    // ---- credentials

    @Test
    void credentials_are_asked_for_each_call_on_the_calling_thread() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"));
                ChatClient client = ChatClient.open(model(server.baseUrl(), () -> {
                    threads.add(Thread.currentThread());
                    return Secret.of("token-" + asked.incrementAndGet());
                }))) {
            client.chat(request("hi"));
            client.askAsync(request("hi"), VERDICT).get();
            assertThat(server.seen().stream().map(seen -> seen.headers().getFirst("Authorization")))
                    .containsExactly("Bearer token-1", "Bearer token-2");
            assertThat(threads).containsOnly(Thread.currentThread());
        }
    }

    @Test
    void credentials_that_fail_are_a_configuration_error_that_repeats_nothing_they_said() throws Exception {
        for (CredentialSupplier supplier : List.<CredentialSupplier>of(
                () -> {
                    throw new IOException("token " + KEY + " has expired");
                },
                () -> null,
                () -> Secret.of("  "))) {
            try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"));
                    ChatClient client = ChatClient.open(model(server.baseUrl(), supplier))) {
                Throwable thrown = catchThrowable(() -> client.chat(request("hi")));
                assertThat(thrown).isInstanceOf(ChatConfigurationException.class);
                assertThat(stackTrace(thrown)).doesNotContain(KEY);
                ChatOutcome<Object> outcome = client.ask(request("hi"), VERDICT);
                assertThat(outcome.kind()).isEqualTo(ErrorKind.CONFIGURATION);
                assertThat(outcome.error()).doesNotContain(KEY);
                assertThat(catchThrowable(() -> client.chatAsync(request("hi")).get()))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(ChatConfigurationException.class);
                assertThat(server.seen()).isEmpty();
            }
        }
    }

    @Test
    void a_supplier_that_is_interrupted_interrupts_the_call() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"));
                ChatClient client = ChatClient.open(model(server.baseUrl(), () -> {
                    throw new InterruptedException("while renewing");
                }))) {
            assertThatThrownBy(() -> client.ask(request("hi"), VERDICT)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(client.askAsync(request("hi"), VERDICT)).isCompletedExceptionally();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void a_key_does_not_travel_in_the_clear_to_another_host() throws Exception {
        try (ChatClient client = ChatClient.open(model("http://203.0.113.7/v1"))) {
            ChatOutcome<Object> outcome = client.ask(request("hi"), VERDICT);
            assertThat(outcome.kind()).isEqualTo(ErrorKind.CONFIGURATION);
            assertThat(outcome.error()).contains("unencrypted to 203.0.113.7", "allowInsecureHttp");
        }
    }

    @Test
    void nothing_that_prints_shows_the_key() throws Exception {
        ChatModel model = model("https://api.invalid/v1");
        try (ChatClient client = ChatClient.open(
                model, options().proxy("http://user:" + KEY + "@127.0.0.1:1").build())) {
            assertThat(client.toString()
                            + model
                            + options().proxy("http://user:" + KEY + "@h:1").build()
                            + model.buildRequest(request("hi")))
                    .doesNotContain(KEY);
            assertThat(client.ask(request("hi"), VERDICT).error())
                    .contains("127.0.0.1:1")
                    .doesNotContain(KEY);
        }
    }

    // ---- interrupt and cancel

    @ParameterizedTest
    @CsvSource({"chat", "ask"})
    void b076_an_interrupt_while_waiting_ends_the_call_with_the_flag_set(String how) throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (StubServer server = StubServer.http((exchange, body) -> {
                    if (body.contains("slow")) {
                        arrived.countDown();
                        end.await();
                    }
                    StubServer.say(exchange, "hello");
                });
                ChatClient client =
                        ChatClient.open(model(server), options().maxInFlight(1).build())) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            AtomicReference<Boolean> flag = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                thrown.set(catchThrowable(() -> {
                    if (how.equals("chat")) {
                        client.chat(request("slow"));
                    } else {
                        client.ask(request("slow"), VERDICT);
                    }
                }));
                flag.set(Thread.currentThread().isInterrupted());
            });
            caller.start();
            assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
            long start = System.nanoTime();
            caller.interrupt();
            caller.join();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            assertThat(flag.get()).isTrue();
            // The one place is free again, which shows that the call has ended on the native side too.
            assertThat(client.chat(request("quick")).message().text()).isEqualTo("hello");
            assertThat(server.seen()).hasSize(2);
            end.countDown();
        }
    }

    @Test
    void b076_a_thread_that_is_interrupted_already_sends_nothing() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"));
                ChatClient client = ChatClient.open(model(server))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> client.chat(request("hi"))).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThatThrownBy(() -> client.ask(request("hi"), VERDICT)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(server.seen()).isEmpty();
        }
    }

    @Test
    void b076_cancelling_a_future_cancels_its_call_and_no_other() throws Exception {
        CountDownLatch arrived = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        try (StubServer server = StubServer.http((exchange, body) -> {
                    if (body.contains("slow")) {
                        arrived.countDown();
                        end.await();
                    }
                    StubServer.say(exchange, "hello");
                });
                ChatClient client =
                        ChatClient.open(model(server), options().maxInFlight(2).build())) {
            CompletableFuture<ChatOutcome<Object>> first = client.askAsync(request("slow 1"), VERDICT);
            CompletableFuture<ChatResult> second = client.chatAsync(request("slow 2"));
            assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(first.cancel(true)).isTrue();
            assertThatThrownBy(first::get).isInstanceOf(CancellationException.class);
            assertThat(client.chat(request("quick")).message().text()).isEqualTo("hello");
            assertThat(second).isNotDone();
            end.countDown();
            assertThat(second.get().message().text()).isEqualTo("hello");
            assertThat(server.seen()).hasSize(3);
        }
    }

    @Test
    void what_follows_a_call_may_block_without_stalling_other_calls() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"));
                ChatClient client = ChatClient.open(model(server))) {
            List<CompletableFuture<Void>> blocked = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                blocked.add(client.askAsync(request("hi"), null).thenAccept(outcome -> {
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
            }
            for (int i = 0; i < 5; i++) {
                assertThat(client.chatAsync(request("hi"))
                                .get(10, TimeUnit.SECONDS)
                                .message()
                                .text())
                        .isEqualTo("hello");
                assertThat(client.chat(request("hi")).message().text()).isEqualTo("hello");
            }
            assertThat(blocked).noneMatch(CompletableFuture::isDone);
            release.countDown();
            CompletableFuture.allOf(blocked.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
        }
    }

    // ---- close

    @Test
    void close_fails_what_is_in_flight_and_all_later_calls_and_leaves_no_thread() throws Exception {
        CountDownLatch arrived = new CountDownLatch(3);
        CountDownLatch end = new CountDownLatch(1);
        try (StubServer server = StubServer.http((exchange, body) -> {
            arrived.countDown();
            end.await();
        })) {
            ChatClient client = ChatClient.open(model(server));
            CompletableFuture<ChatResult> chat = client.chatAsync(request("hi"));
            CompletableFuture<ChatOutcome<Object>> ask = client.askAsync(request("hi"), VERDICT);
            AtomicReference<Throwable> waiting = new AtomicReference<>();
            Thread waiter = new Thread(() -> waiting.set(catchThrowable(() -> client.chat(request("hi")))));
            waiter.start();
            assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
            long start = System.nanoTime();
            client.close();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
            assertThat(kind(catchThrowable(chat::get).getCause())).isEqualTo(ErrorKind.CLOSED);
            assertThat(ask.get().kind()).isEqualTo(ErrorKind.CLOSED);
            waiter.join();
            assertThat(kind(waiting.get())).isEqualTo(ErrorKind.CLOSED);
            assertThat(kind(catchThrowable(() -> client.chat(request("hi"))))).isEqualTo(ErrorKind.CLOSED);
            assertThat(client.ask(request("hi"), VERDICT).kind()).isEqualTo(ErrorKind.CLOSED);
            assertThat(client.askAsync(request("hi"), VERDICT).get().kind()).isEqualTo(ErrorKind.CLOSED);
            assertThat(client.toString()).contains("closed");
            end.countDown();
        }
        assertNoThreads();
    }

    @Test
    void closing_one_client_leaves_the_others_alone_and_new_ones_can_be_opened() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"))) {
            for (int round = 0; round < 20; round++) {
                ChatClient first = ChatClient.open(model(server));
                try (ChatClient second = ChatClient.open(model(server))) {
                    CompletableFuture<ChatResult> call = second.chatAsync(request("hi"));
                    first.close();
                    assertThat(call.get().message().text()).isEqualTo("hello");
                    assertThat(second.chat(request("hi")).message().text()).isEqualTo("hello");
                }
            }
        }
        assertNoThreads();
    }

    @Test
    void clients_that_are_opened_and_closed_by_many_threads_lose_no_call() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"))) {
            List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                threads.add(new Thread(() -> {
                    for (int round = 0; round < 15; round++) {
                        try (ChatClient client = ChatClient.open(
                                model(server), options().noProxy().build())) {
                            client.chat(request("hi"));
                            client.chatAsync(request("hi")).get();
                        } catch (Throwable e) {
                            failures.add(e);
                        }
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        }
        assertNoThreads();
    }

    // ---- arguments

    @Test
    void an_argument_error_is_thrown_by_chat_is_the_cause_in_futures_and_an_outcome_of_ask() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"));
                ChatClient client = ChatClient.open(model(server))) {
            ChatRequest wrong = ChatRequest.builder()
                    .message(ChatMessage.user("hi"))
                    .parameter("no_such_parameter", 1)
                    .build();
            assertThatThrownBy(() -> client.chat(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no_such_parameter");
            assertThatThrownBy(() -> client.chatAsync(wrong).get()).hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(client.ask(wrong, VERDICT).kind()).isEqualTo(ErrorKind.INVALID_ARGUMENT);
            assertThat(client.askAsync(wrong, VERDICT).get().error()).contains("no_such_parameter");
            assertThat(server.seen()).isEmpty();
        }
    }

    // ---- helpers

    static ChatModel model(StubServer server) {
        return model(server.baseUrl());
    }

    static ChatModel model(String baseUrl) {
        return model(baseUrl, () -> Secret.of(KEY));
    }

    static ChatModel model(String baseUrl, CredentialSupplier credentials) {
        return ChatModel.builder(Provider.OPENAI)
                .apiBaseUrl(baseUrl)
                .model("gpt-4o")
                .credentials(credentials)
                .build();
    }

    static ChatRequest request(String text) {
        return ChatRequest.of(ChatMessage.user(text));
    }

    private static TransportOptions.Builder options() {
        return TransportOptions.builder();
    }

    static ErrorKind kind(Throwable thrown) {
        assertThat(thrown).isInstanceOf(ChatModelException.class);
        return ((ChatModelException) thrown).kind();
    }

    private static String stackTrace(Throwable thrown) {
        java.io.StringWriter text = new java.io.StringWriter();
        thrown.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }

    private static void assertNoThreads() throws InterruptedException {
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        List<String> left;
        do {
            left = Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("flink-agents-native"))
                    .toList();
            Thread.sleep(10);
        } while (!left.isEmpty() && System.nanoTime() < patience);
        assertThat(left).isEmpty();
    }
}
