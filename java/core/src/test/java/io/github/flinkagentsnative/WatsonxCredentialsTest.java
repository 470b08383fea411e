package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WatsonxCredentialsTest {

    private static final String KEY = "ibm key+0123456789&x=y";

    private final SettableClock clock = new SettableClock();

    private static String token(int number, int seconds) {
        return "{\"access_token\":\"token-%d\",\"token_type\":\"Bearer\",\"expires_in\":%d}".formatted(number, seconds);
    }

    private WatsonxCredentials credentials(StubServer server) {
        return credentials(URI.create(server.baseUrl().replace("/v1", "/identity/token")));
    }

    private WatsonxCredentials credentials(URI url) {
        TransportOptions options =
                TransportOptions.builder().timeout(Duration.ofSeconds(10)).build();
        return new WatsonxCredentials(Secret.of(KEY), url, options, clock);
    }

    @Test
    void a_key_is_exchanged_for_a_token() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.json(exchange, 200, token(1, 3600)))) {
            assertThat(credentials(server).get().reveal()).isEqualTo("token-1");
            StubServer.Seen seen = server.seen().get(0);
            assertThat(seen.method()).isEqualTo("POST");
            assertThat(seen.uri()).isEqualTo("/identity/token");
            assertThat(seen.headers().getFirst("Content-type")).isEqualTo("application/x-www-form-urlencoded");
            assertThat(seen.body())
                    .isEqualTo("grant_type=urn%3Aibm%3Aparams%3Aoauth%3Agrant-type%3Aapikey"
                            + "&apikey=ibm+key%2B0123456789%26x%3Dy");
        }
    }

    @Test
    void a_token_is_kept_until_a_minute_before_its_end() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (StubServer server = StubServer.http(
                (exchange, body) -> StubServer.json(exchange, 200, token(count.incrementAndGet(), 3600)))) {
            WatsonxCredentials credentials = credentials(server);
            assertThat(credentials.get().reveal()).isEqualTo("token-1");
            clock.forward(Duration.ofSeconds(3539));
            assertThat(credentials.get().reveal()).isEqualTo("token-1");
            clock.forward(Duration.ofSeconds(1));
            assertThat(credentials.get().reveal()).isEqualTo("token-2");
            assertThat(server.seen()).hasSize(2);
        }
    }

    @Test
    void the_moment_of_expiration_serves_where_the_seconds_are_missing() throws Exception {
        long end = clock.instant().getEpochSecond() + 100;
        try (StubServer server = StubServer.http((exchange, body) ->
                StubServer.json(exchange, 200, "{\"access_token\":\"t\",\"expiration\":" + end + "}"))) {
            WatsonxCredentials credentials = credentials(server);
            credentials.get();
            clock.forward(Duration.ofSeconds(39));
            credentials.get();
            assertThat(server.seen()).hasSize(1);
            clock.forward(Duration.ofSeconds(1));
            credentials.get();
            assertThat(server.seen()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"access_token\":\"t\"}", "{\"access_token\":\"t\",\"expires_in\":9223372036854775807}"})
    void a_token_without_a_usable_time_counts_for_one_call(String answer) throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.json(exchange, 200, answer))) {
            WatsonxCredentials credentials = credentials(server);
            credentials.get();
            credentials.get();
            assertThat(server.seen()).hasSize(2);
        }
    }

    @Test
    void one_caller_fetches_and_all_get_the_token() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try (StubServer server = StubServer.http((exchange, body) -> {
            answer.await();
            StubServer.json(exchange, 200, token(1, 3600));
        })) {
            WatsonxCredentials credentials = credentials(server);
            List<Future<Secret>> secrets = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                secrets.add(callers.submit(credentials::get));
            }
            TimeUnit.MILLISECONDS.sleep(300);
            answer.countDown();
            for (Future<Secret> secret : secrets) {
                assertThat(secret.get().reveal()).isEqualTo("token-1");
            }
            assertThat(server.seen()).hasSize(1);
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void while_one_renews_the_others_go_on_with_the_old_token() throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch answer = new CountDownLatch(1);
        ExecutorService caller = Executors.newSingleThreadExecutor();
        try (StubServer server = StubServer.http((exchange, body) -> {
            asked.countDown();
            if (asked.getCount() == 0) {
                answer.await();
            }
            StubServer.json(exchange, 200, token(2 - (int) asked.getCount(), 3600));
        })) {
            WatsonxCredentials credentials = credentials(server);
            credentials.get();
            clock.forward(Duration.ofSeconds(3550));
            Future<Secret> renewed = caller.submit(credentials::get);
            asked.await();
            assertThat(credentials.get().reveal()).isEqualTo("token-1");
            answer.countDown();
            assertThat(renewed.get().reveal()).isEqualTo("token-2");
            assertThat(credentials.get().reveal()).isEqualTo("token-2");
            assertThat(server.seen()).hasSize(2);
        } finally {
            caller.shutdownNow();
        }
    }

    @Test
    void a_failed_renewal_does_not_harm_while_the_old_token_lasts() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (StubServer server = StubServer.http((exchange, body) -> {
            if (count.getAndIncrement() == 0) {
                StubServer.json(exchange, 200, token(1, 3600));
            } else {
                StubServer.json(exchange, 503, "{}");
            }
        })) {
            WatsonxCredentials credentials = credentials(server);
            credentials.get();
            clock.forward(Duration.ofSeconds(3599));
            assertThat(credentials.get().reveal()).isEqualTo("token-1");
            clock.forward(Duration.ofSeconds(1));
            assertThatThrownBy(credentials::get).hasMessageContaining("HTTP status 503");
        }
    }

    @ParameterizedTest
    @CsvSource({"400,false", "401,false", "403,false", "408,true", "429,true", "500,true", "503,true"})
    void a_refusal_says_what_the_service_said_and_never_the_key(int status, boolean retryable) throws Exception {
        String body = "{\"errorCode\":\"BXNIM0415E\",\"errorMessage\":\"No such key: " + KEY
                + "\",\"context\":{\"requestId\":\"req-7\"}}";
        try (StubServer server = StubServer.http((exchange, form) -> StubServer.json(exchange, status, body))) {
            ChatModelException failure = catchThrowableOfType(
                    ChatModelException.class, () -> credentials(server).get());
            assertThat(failure.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
            assertThat(failure)
                    .hasMessageContaining("HTTP status " + status)
                    .hasMessageContaining("BXNIM0415E")
                    .hasMessageContaining("No such key: ***")
                    .hasMessageNotContaining("0123456789");
            assertThat(failure.status()).isEqualTo(status);
            assertThat(failure.code()).isEqualTo("BXNIM0415E");
            assertThat(failure.requestId()).isEqualTo("req-7");
            assertThat(failure.retryable()).isEqualTo(retryable);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "[]", "{\"access_token\":\"\"}", "{\"access_token\":5}", "{\"a\":"})
    void an_answer_without_a_token_is_an_error(String answer) throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.json(exchange, 200, answer))) {
            ChatModelException failure = catchThrowableOfType(
                    ChatModelException.class, () -> credentials(server).get());
            assertThat(failure.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
            assertThat(failure).hasMessageContaining("no access_token").hasMessageContaining("/identity/token");
        }
    }

    @Test
    void a_service_that_is_not_there_is_worth_a_repeat() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        WatsonxCredentials credentials = credentials(URI.create("http://127.0.0.1:" + port + "/identity/token"));
        ChatModelException failure = catchThrowableOfType(ChatModelException.class, credentials::get);
        assertThat(failure.kind()).isEqualTo(ErrorKind.TRANSPORT);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure).hasMessageStartingWith("The IAM token could not be fetched: ");
    }

    @Test
    void who_waits_for_a_token_can_be_interrupted() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService caller = Executors.newSingleThreadExecutor();
        try (StubServer server = StubServer.http((exchange, body) -> {
            asked.countDown();
            end.await();
        })) {
            WatsonxCredentials credentials = credentials(server);
            CountDownLatch interrupted = new CountDownLatch(1);
            caller.execute(() -> {
                try {
                    credentials.get();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                } catch (ChatModelException e) {
                    throw new AssertionError(e);
                }
            });
            asked.await();
            caller.shutdownNow();
            assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
            end.countDown();
        } finally {
            caller.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://iam.example/token",
                "http://localhost.example/token",
                "http://cafe/token",
                "http://10.0.0.1/token",
                "ftp://h/token",
                "/token",
                "https://user:secret@h/token"
            })
    void the_key_goes_to_a_safe_place_only(String url) {
        Secret key = Secret.of(KEY);
        assertThatThrownBy(() -> WatsonxCredentials.of(key, URI.create(url), TransportOptions.defaults()))
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("IAM token service")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://iam.example/token", "http://localhost:1/t", "http://127.0.0.1/t", "http://[::1]:2/t"})
    void https_and_this_host_are_safe(String url) {
        WatsonxCredentials credentials =
                WatsonxCredentials.of(Secret.of(KEY), URI.create(url), TransportOptions.defaults());
        assertThat(credentials.toString()).contains(url).doesNotContain("0123456789");
    }

    @Test
    void plain_http_to_another_host_can_be_allowed() {
        TransportOptions options =
                TransportOptions.builder().allowInsecureHttp(true).build();
        assertThat(WatsonxCredentials.of(Secret.of(KEY), URI.create("http://iam.internal/token"), options))
                .isNotNull();
    }

    @Test
    void a_models_key_is_the_ibm_cloud_key() throws Exception {
        ChatModel model = ChatModel.builder(Provider.WATSONX).apiKey(KEY).build();
        assertThat(model.credentials())
                .isInstanceOf(WatsonxCredentials.class)
                .hasToString("WatsonxCredentials[https://iam.cloud.ibm.com/identity/token]");
        ChatModel own = ChatModel.builder(Provider.WATSONX)
                .credentials(() -> Secret.of("own-token"))
                .build();
        assertThat(own.credentials().get().reveal()).isEqualTo("own-token");
    }

    @Test
    void a_call_carries_the_token_and_never_the_key() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> {
            if (exchange.getRequestURI().getPath().equals("/identity/token")) {
                StubServer.json(exchange, 200, token(7, 3600));
            } else {
                StubServer.say(exchange, "hello");
            }
        })) {
            try (ChatClient client = ChatClient.open(model(server))) {
                assertThat(client.chat(request()).message().text()).isEqualTo("hello");
                assertThat(client.chat(request()).message().text()).isEqualTo("hello");
            }
            assertThat(server.seen())
                    .extracting(StubServer.Seen::uri)
                    .containsExactly(
                            "/identity/token",
                            "/ml/v1/text/chat?version=2025-04-23",
                            "/ml/v1/text/chat?version=2025-04-23");
            StubServer.Seen call = server.seen().get(1);
            assertThat(call.headers().getFirst("Authorization")).isEqualTo("Bearer token-7");
            assertThat(call.body()).contains("\"model_id\":\"ibm/granite\"").doesNotContain("0123456789");
        }
    }

    @Test
    void a_token_that_the_provider_refused_is_not_used_again() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (StubServer server = StubServer.http((exchange, body) -> {
                    if (exchange.getRequestURI().getPath().equals("/identity/token")) {
                        StubServer.json(exchange, 200, token(count.incrementAndGet(), 3600));
                    } else if (exchange.getRequestHeaders()
                            .getFirst("Authorization")
                            .equals("Bearer token-1")) {
                        StubServer.json(
                                exchange, 401, "{\"errors\":[{\"code\":\"x\",\"message\":\"token-1 expired\"}]}");
                    } else {
                        StubServer.say(exchange, "hello");
                    }
                });
                ChatClient client = ChatClient.open(model(server))) {
            ChatOutcome<Object> refused = client.ask(request(), null);
            assertThat(refused.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
            assertThat(refused.error()).contains("401").doesNotContain("token-1");
            assertThat(client.chat(request()).message().text()).isEqualTo("hello");
        }
    }

    @Test
    void an_outcome_tells_that_the_token_service_failed() throws Exception {
        try (StubServer server = StubServer.http((exchange, body) -> StubServer.json(exchange, 503, "{}"));
                ChatClient client = ChatClient.open(model(server))) {
            ChatOutcome<Object> outcome = client.ask(request(), null);
            assertThat(outcome.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
            assertThat(outcome.error()).contains("IAM token service").contains("503");
            assertThat(server.seen()).hasSize(1);
        }
    }

    private ChatModel model(StubServer server) {
        return ChatModel.builder(Provider.WATSONX)
                .apiBaseUrl(server.baseUrl().replace("/v1", ""))
                .model("ibm/granite")
                .setting("project_id", "p")
                .credentials(credentials(server))
                .build();
    }

    private static ChatRequest request() {
        return ChatRequest.of(ChatMessage.user("hi"));
    }

    /** Stands still unless it is moved. */
    private static final class SettableClock extends Clock {
        private volatile Instant now = Instant.parse("2026-11-30T10:00:00Z");

        void forward(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }
}
