package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkagentsnative.ChatExecutor;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatOutcome;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.agents.ConnectionContractTest.Verdict;
import io.github.flinkagentsnative.testkit.LocalChatServer;
import io.github.flinkagentsnative.testkit.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection under a run: only the run repeats. */
@Timeout(60)
class ModelCallerTest {

    @ParameterizedTest
    @EnumSource
    void retriesOfARunAndOfAConnectionNeverMultiply(Services service) throws Exception {
        try (LocalChatServer server = LocalChatServer.start()) {
            server.respondWith(request -> Reply.serverError());
            NativeChatModelConnection connection = service.connect(server, "max_retries", 5);
            NativeChatModelSetup setup = service.setUp(connection);
            try (ChatExecutor executor = ChatExecutor.builder(connection.modelCaller())
                    .maxRetries(1)
                    .retryWaitInterval(Duration.ofMillis(1))
                    .build()) {
                ChatOutcome<Verdict> outcome = executor.execute(
                        "order-4711",
                        ChatRequest.builder()
                                .message(ChatMessage.user("Hello"))
                                .parameters(setup.getParameters())
                                .build(),
                        OutputSchema.of(Verdict.class));
                assertThat(outcome.isSuccess()).isFalse();
                assertThat(outcome.retryCount()).isEqualTo(1);
            }
            assertThat(server.requests()).hasSize(2);
            connection.close();
        }
    }

    @Test
    void theDecisionTellsItsReasons() throws Exception {
        try (LocalChatServer server = LocalChatServer.start()) {
            NativeChatModelConnection connection =
                    Services.AZURE.connection(Services.AZURE.connectionArguments(server));
            assertThat(connection
                            .decide(ConnectionContractTest.ROW, Services.AZURE.setupArguments())
                            .explain())
                    .contains("row_type");
        }
    }
}
