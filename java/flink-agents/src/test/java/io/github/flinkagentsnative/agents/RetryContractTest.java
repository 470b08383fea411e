package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.flinkagentsnative.ChatExecutor;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatOutcome;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.OutputSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Z6: one loop, the same for each connection. */
@Timeout(120)
class RetryContractTest extends ServiceTest {

    private ChatResult chat() throws Exception {
        return connection.chat(ASK, List.of(), parameters());
    }

    @ParameterizedTest
    @EnumSource
    void z6_whatMayPassIsRepeatedUpToMaxRetries(Services service) throws Exception {
        connect(service, "max_retries", 1);
        Answer busy = wire.error(503, "busy", "try later");
        server.enqueue(busy, wire.text("second"));
        assertThat(chat().getText()).isEqualTo("second");
        server.enqueue(busy, busy, wire.text("never"));
        assertThatThrownBy(this::chat).isInstanceOfSatisfying(ChatCallException.class, e -> {
            assertThat(e.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
            assertThat(e.status()).isEqualTo(503);
            assertThat(e.getMessage()).contains("try later");
            switch (service) {
                case OLLAMA -> assertThat(e.code()).isNull();
                case ANTHROPIC -> assertThat(e.details()).containsEntry("type", "busy");
                default -> assertThat(e.code()).isEqualToIgnoringCase("busy");
            }
        });
        assertThat(server.requests()).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    void z6_whatCannotPassIsNotRepeated(Services service) throws Exception {
        connect(service);
        for (int status : new int[] {400, 403, 404, 422}) {
            server.enqueue(wire.error(status, "wrong", "no such thing"));
            assertThatThrownBy(this::chat)
                    .isInstanceOfSatisfying(
                            ChatCallException.class, e -> assertThat(e.status()).isEqualTo(status));
        }
        assertThat(server.requests()).hasSize(4);
    }

    /** Defect 14 of upstream's. */
    @ParameterizedTest
    @EnumSource
    void z6_anExhaustedQuotaIsNotRepeated(Services service) throws Exception {
        connect(service);
        assumeTrue(wire.exhausted() != null, "the provider has no word for it");
        server.enqueue(wire.exhausted());
        assertThatThrownBy(this::chat)
                .isInstanceOfSatisfying(
                        ChatCallException.class, e -> assertThat(e.status()).isEqualTo(429));
        assertThat(server.requests()).hasSize(1);
    }

    /** Defect 10 of upstream's: an answer without choices was an index error. */
    @ParameterizedTest
    @EnumSource
    void z6_anAnswerWithoutContentIsAFailureAndRepeated(Services service) throws Exception {
        connect(service, "max_retries", 1);
        server.enqueue(wire.nothing(), wire.text("second"));
        assertThat(chat().getText()).isEqualTo("second");
        server.enqueue(wire.nothing(), wire.nothing());
        assertThatThrownBy(this::chat)
                .isInstanceOfSatisfying(
                        ChatCallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.EMPTY_RESPONSE));
    }

    @ParameterizedTest
    @EnumSource
    void z6_retryAfterIsHeeded(Services service) throws Exception {
        connect(service, "max_retries", 1);
        server.enqueue(
                wire.error(429, "slow_down", "too many requests").header("Retry-After", "1"), wire.text("second"));
        long start = System.nanoTime();
        assertThat(chat().getText()).isEqualTo("second");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(990));
    }

    @ParameterizedTest
    @EnumSource
    void timeoutIsForOneCallAndIsRepeated(Services service) throws Exception {
        connect(service, "timeout", 0.7, "max_retries", 1);
        server.enqueue(wire.text("late").after(Duration.ofSeconds(20)), wire.text("in time"));
        assertThat(chat().getText()).isEqualTo("in time");
    }

    /** Defect 13 of upstream's. */
    @ParameterizedTest
    @EnumSource
    void z6_retriesOfARunAndOfAConnectionNeverMultiply(Services service) throws Exception {
        connect(service, "max_retries", 5);
        server.respondWith(request -> wire.error(500, "broken", "broken"));
        try (ChatExecutor executor = ChatExecutor.builder(connection.modelCaller())
                .maxRetries(1)
                .retryWaitInterval(Duration.ofMillis(1))
                .build()) {
            ChatOutcome<Verdict> outcome =
                    executor.execute("order-4711", request(parameters()), OutputSchema.of(Verdict.class));
            assertThat(outcome.isSuccess()).isFalse();
            assertThat(outcome.retryCount()).isEqualTo(1);
        }
        assertThat(server.requests()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void aRunTakesASetupsParametersAsTheConnectionDoes(Services service) throws Exception {
        connect(service);
        server.enqueue(wire.text("It is a parcel."), wire.text(VERDICT));
        Map<String, Object> parameters = service.setUp(
                        connection, service.maxTokensArgument(), 99, "additional_kwargs", Map.of("top_p", 0.5))
                .getParameters();
        try (ChatExecutor executor =
                ChatExecutor.builder(connection.modelCaller()).build()) {
            ChatOutcome<Verdict> outcome =
                    executor.execute("order-4711", request(parameters), OutputSchema.of(Verdict.class));
            assertThat(outcome.value()).isEqualTo(new Verdict("parcel", 1));
        }
        assertThat(server.requests())
                .hasSize(2)
                .allMatch(request -> request.text().contains(":99"));
        assertThat(wire.schema(server.last().body()).isMissingNode()).isFalse();
    }

    private static ChatRequest request(Map<String, Object> parameters) {
        return ChatRequest.builder()
                .message(ChatMessage.user("Where is it? Answer in json."))
                .parameters(parameters)
                .build();
    }
}
