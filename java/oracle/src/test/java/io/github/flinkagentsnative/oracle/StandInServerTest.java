package io.github.flinkagentsnative.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.flinkagentsnative.ChatClient;
import io.github.flinkagentsnative.ChatExecutor;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatModelException;
import io.github.flinkagentsnative.ChatOutcome;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ChatResult;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.Finalization;
import io.github.flinkagentsnative.ModelCaller;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.Provider;
import io.github.flinkagentsnative.RetryOn;
import io.github.flinkagentsnative.ToolCallBlock;
import io.github.flinkagentsnative.ToolSpec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The transport and the runs against two servers that other people wrote: llmock, which is told what to do next and judges its client,
 * and fakellm, which follows rules. Each in the shapes of OpenAI and Anthropic.
 */
@Timeout(180)
class StandInServerTest {

    record Verdict(String topic, int urgency) {}

    private static final OutputSchema<Verdict> SCHEMA = OutputSchema.of(Verdict.class);
    /** Without an attempt at HTTP/2, which llmock's server takes for a broken request. */
    private static final HttpClient ADMIN =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final ToolSpec WEATHER = new ToolSpec(
            "weather",
            "Tells the weather",
            "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]}");

    enum Shape {
        OPENAI,
        ANTHROPIC;

        ChatClient client(String url) {
            return ChatClient.open(
                    this == OPENAI
                            ? ChatModel.builder(Provider.OPENAI)
                                    .apiBaseUrl(url + "/v1")
                                    .model("gpt-4o-mini")
                                    .apiKey("not-used")
                                    .build()
                            : ChatModel.builder(Provider.ANTHROPIC)
                                    .apiBaseUrl(url)
                                    .model("claude-sonnet-4-5")
                                    .apiKey("not-used")
                                    .build());
        }
    }

    private static ChatExecutor executor(ChatClient client) {
        return ChatExecutor.builder(ModelCaller.of(client))
                .maxRetries(3)
                .retryWaitInterval(Duration.ofMillis(20))
                .retryOn(RetryOn.RETRYABLE)
                .finalization(Finalization.WITH_TOOLS)
                .build();
    }

    private static ChatRequest ask(String text) {
        return ChatRequest.of(ChatMessage.user(text));
    }

    /** The call of a tool that the server answers with. */
    private static ToolCallBlock weatherCall(ChatClient client) throws ChatModelException, InterruptedException {
        ChatRequest request = ChatRequest.builder()
                .message(ChatMessage.user("weather?"))
                .tool(WEATHER)
                .build();
        return client.chat(request).toolCalls().get(0);
    }

    /** A time-out of a call is told with its phase, and the client goes on. */
    private static void tooSlow(ChatClient client) {
        ChatRequest hasty = ChatRequest.builder()
                .message(ChatMessage.user("hurry"))
                .timeout(Duration.ofMillis(400))
                .build();
        assertThatThrownBy(() -> client.chat(hasty)).isInstanceOfSatisfying(ChatModelException.class, e -> {
            assertThat(e.kind()).isEqualTo(ErrorKind.TIMEOUT);
            assertThat(e.details()).containsEntry("phase", "total");
            assertThat(e.retryable()).isTrue();
        });
    }

    @Nested
    class Llmock {
        private static ToolServer server;

        @BeforeAll
        static void start() throws Exception {
            server = ToolServer.standIn("llmock");
        }

        @AfterAll
        static void stop() throws IOException {
            if (server != null) {
                server.close();
            }
        }

        /** llmock has a folder for each provider but OpenAI. */
        private static ChatClient client(Shape shape) {
            return shape.client(server.url() + (shape == Shape.ANTHROPIC ? "/anthropic" : ""));
        }

        @BeforeEach
        void reset() throws Exception {
            post("/_llmock/reset", "{}");
        }

        private void next(String... behaviors) throws Exception {
            post("/_llmock/scenario", "{\"behaviors\":[" + String.join(",", behaviors) + "]}");
        }

        private static void post(String path, String body) throws IOException, InterruptedException {
            HttpResponse<String> answer = ADMIN.send(
                    HttpRequest.newBuilder(URI.create(server.url() + path))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        }

        /** What llmock says about its client: nothing bad. */
        private void judgedResilient(int calls, int attempts) throws Exception {
            HttpResponse<byte[]> answer = ADMIN.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/_llmock/verdict"))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            JsonNode verdict = Json.read(answer.body());
            String text = new String(answer.body(), StandardCharsets.UTF_8);
            assertThat(verdict.get("findings")).as(text).isEmpty();
            assertThat(verdict.get("calls").asInt()).as(text).isEqualTo(calls);
            assertThat(verdict.get("attempts").asInt()).as(text).isEqualTo(attempts);
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void success(Shape shape) throws Exception {
            next("{\"type\":\"reply\",\"text\":\"Grüße 🙂\"}");
            try (ChatClient client = client(shape)) {
                ChatResult result = client.chat(ask("hello"));
                assertThat(result.text()).isEqualTo("Grüße 🙂");
                assertThat(result.usage().promptTokens()).isPositive();
                assertThat(result.model()).isNotEmpty();
            }
            judgedResilient(1, 1);
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void aTypedAnswer(Shape shape) throws Exception {
            next("{\"type\":\"reply\",\"text\":\"{\\\"topic\\\":\\\"DELIVERY\\\",\\\"urgency\\\":2}\"}");
            try (ChatClient client = client(shape)) {
                assertThat(client.ask(ask("hello"), SCHEMA).value()).isEqualTo(new Verdict("DELIVERY", 2));
            }
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void aRateLimitIsWaitedForAsLongAsAsked(Shape shape) throws Exception {
            next(
                    "{\"type\":\"fail\",\"status\":429,\"retry_after\":1,\"times\":2}",
                    "{\"type\":\"reply\",\"text\":\"{\\\"topic\\\":\\\"DELIVERY\\\",\\\"urgency\\\":2}\"}");
            try (ChatClient client = client(shape);
                    ChatExecutor executor = executor(client)) {
                ChatOutcome<Verdict> outcome = executor.execute("limited", ask("hello"), SCHEMA);
                assertThat(outcome.value()).isEqualTo(new Verdict("DELIVERY", 2));
                assertThat(outcome.retryCount()).isEqualTo(2);
                assertThat(outcome.attempts()).hasSize(3);
                assertThat(outcome.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
            }
            judgedResilient(1, 3);
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void whatCannotPassIsNotRepeated(Shape shape) throws Exception {
            next("{\"type\":\"fail\",\"status\":401,\"times\":null}");
            try (ChatClient client = client(shape);
                    ChatExecutor executor = executor(client)) {
                ChatOutcome<Verdict> outcome = executor.execute("locked", ask("hello"), SCHEMA);
                assertThat(outcome.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
                assertThat(outcome.error()).contains("401");
            }
            judgedResilient(1, 1);
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void anOverloadedServerIsAskedAgain(Shape shape) throws Exception {
            next("{\"type\":\"fail\",\"status\":529,\"retry_after\":0.2}", "{\"type\":\"reply\",\"text\":\"well\"}");
            try (ChatClient client = client(shape);
                    ChatExecutor executor = executor(client)) {
                assertThat(executor.execute("overloaded", ask("hello"), null)
                                .response()
                                .text())
                        .isEqualTo("well");
            }
            judgedResilient(1, 2);
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void aMalformedAnswerIsToldWithItsPlace(Shape shape) throws Exception {
            next("{\"type\":\"reply\",\"text\":\"{\\\"topic\\\":\\\"DELIVERY\\\"\"}");
            try (ChatClient client = client(shape)) {
                ChatOutcome<Verdict> outcome = client.ask(ask("hello"), SCHEMA);
                assertThat(outcome.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
                assertThat(outcome.error()).contains("JSON");
            }
        }

        /** Anthropic's arguments are JSON by their shape: there llmock has none that are malformed. */
        @Test
        void malformedArgumentsComeBackAsACallThatSaysSo() throws Exception {
            next("{\"type\":\"tool_fault\",\"kind\":\"malformed_arguments\"}");
            try (ChatClient client = Shape.OPENAI.client(server.url())) {
                ToolCallBlock call = weatherCall(client);
                assertThat(call.input()).isEmpty();
                assertThat(call.metadata()).containsKey("invalid_arguments");
            }
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void aToolIsCalledWithItsArguments(Shape shape) throws Exception {
            next("{\"type\":\"reply\",\"tool_calls\":[{\"name\":\"weather\",\"arguments\":{\"city\":\"Bonn\"}}]}");
            try (ChatClient client = client(shape)) {
                assertThat(weatherCall(client).input()).containsEntry("city", "Bonn");
            }
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void aSlowAnswerTimesOutAndTheClientGoesOn(Shape shape) throws Exception {
            next("{\"type\":\"delay\",\"seconds\":2}", "{\"type\":\"reply\",\"text\":\"well\",\"times\":2}");
            try (ChatClient client = client(shape)) {
                tooSlow(client);
                assertThat(client.chat(ask("hello")).text()).isEqualTo("well");
            }
        }
    }

    /** fakellm cannot answer slowly: its process is stopped for a while instead. */
    @Nested
    class Fakellm {
        private static ToolServer server;

        @BeforeAll
        static void start() throws Exception {
            server = ToolServer.standIn("fakellm");
        }

        @AfterAll
        static void stop() throws IOException {
            if (server != null) {
                server.close();
            }
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void success(Shape shape) throws Exception {
            try (ChatClient client = shape.client(server.url())) {
                ChatOutcome<Verdict> outcome = client.ask(ask("where is it?"), SCHEMA);
                assertThat(outcome.value()).isEqualTo(new Verdict("DELIVERY", 2));
                assertThat(outcome.usage().completionTokens()).isPositive();
            }
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void aRateLimitWithoutARetryAfterIsRepeated(Shape shape) throws Exception {
            try (ChatClient client = shape.client(server.url());
                    ChatExecutor executor = executor(client)) {
                ChatOutcome<Verdict> outcome = executor.execute("busy", ask("busy once, " + shape), SCHEMA);
                assertThat(outcome.value()).isEqualTo(new Verdict("DELIVERY", 2));
                assertThat(outcome.retryCount()).isEqualTo(1);
            }
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void retriesEnd(Shape shape) throws Exception {
            try (ChatClient client = shape.client(server.url());
                    ChatExecutor executor = executor(client)) {
                ChatOutcome<Verdict> outcome = executor.execute("failing", ask("always failing"), SCHEMA);
                assertThat(outcome.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
                assertThat(outcome.error()).contains("500", "Out of order");
                assertThat(outcome.attempts()).hasSize(4);
            }
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void aMalformedAnswerIsToldWithItsPlace(Shape shape) throws Exception {
            try (ChatClient client = shape.client(server.url())) {
                ChatOutcome<Verdict> outcome = client.ask(ask("malformed"), SCHEMA);
                assertThat(outcome.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
            }
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void aToolIsCalledWithItsArguments(Shape shape) throws Exception {
            try (ChatClient client = shape.client(server.url())) {
                assertThat(weatherCall(client).input()).containsEntry("city", "Bonn");
            }
        }

        @ParameterizedTest
        @EnumSource(Shape.class)
        void aServerThatStandsStillTimesOutAndTheClientGoesOn(Shape shape) throws Exception {
            try (ChatClient client = shape.client(server.url())) {
                server.pause(true);
                try {
                    tooSlow(client);
                } finally {
                    server.pause(false);
                }
                assertThat(client.ask(ask("where is it?"), SCHEMA).isSuccess()).isTrue();
            }
        }
    }
}
