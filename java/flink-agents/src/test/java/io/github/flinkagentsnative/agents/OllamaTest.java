package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.agents.Wire.Call;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.ReasoningBlock;
import org.apache.flink.agents.api.tools.Tool;
import org.apache.flink.agents.api.tools.ToolMetadata;
import org.apache.flink.agents.api.tools.ToolParameters;
import org.apache.flink.agents.api.tools.ToolResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What only Ollama has. */
@Timeout(60)
class OllamaTest extends ServiceTest {

    @BeforeEach
    void connect() throws Exception {
        connect(Services.OLLAMA);
    }

    @Test
    void thoughtsAreLeftOutOnDemand() throws Exception {
        for (boolean kept : new boolean[] {true, false}) {
            server.enqueue(wire.thought("I weigh", new Call(null, "weather", Map.of())));
            ChatResult result = service.setUp(connection, "think", true, "extract_reasoning", kept)
                    .chat(ASK);
            assertThat(result.getMessage().getBlocks().stream().anyMatch(ReasoningBlock.class::isInstance))
                    .isEqualTo(kept);
            assertThat(server.last().body().path("think").asBoolean()).isTrue();
            assertThat(server.last().text()).doesNotContain("extract_reasoning");
        }
    }

    @Test
    void thinkMayBeAWordAndIsNothingElse() throws Exception {
        server.enqueue(wire.text("hi"));
        service.setUp(connection, "think", "low").chat(ASK);
        assertThat(body().path("think").asText()).isEqualTo("low");
        assertThatThrownBy(() -> service.setUp(connection, "think", "a lot").chat(ASK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("think");
    }

    /** Defect 9 of upstream's. */
    @Test
    void samplingOptionsAreSent() throws Exception {
        server.enqueue(wire.text("hi"));
        service.setUp(
                        connection,
                        "temperature",
                        0,
                        "max_tokens",
                        9,
                        "num_ctx",
                        4096,
                        "keep_alive",
                        "5m",
                        "additional_kwargs",
                        Map.of("top_k", 3, "options", Map.of("mirostat", 1)))
                .chat(ASK);
        assertThat(server.only().body().path("options"))
                .isEqualTo(
                        Json.read("{\"temperature\":0,\"num_predict\":9,\"top_k\":3,\"num_ctx\":4096,\"mirostat\":1}"));
        assertThat(body().path("keep_alive").asText()).isEqualTo("5m");
    }

    /** Upstream's name of the time for one call; both at once are one too many. */
    @Test
    void requestTimeoutIsTaken() throws Exception {
        reconnect("requestTimeout", 0.3, "max_retries", 0);
        server.enqueue(wire.text("late").after(java.time.Duration.ofSeconds(20)));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                .isInstanceOfSatisfying(
                        ChatCallException.class,
                        e -> assertThat(e.kind()).isEqualTo(io.github.flinkagentsnative.ErrorKind.TIMEOUT));
        assertThatThrownBy(() -> reconnect("requestTimeout", 0)).hasMessageContaining("'requestTimeout'");
        assertThatThrownBy(() -> reconnect("requestTimeout", 3, "timeout", 3))
                .hasMessageContainingAll("'timeout'", "'requestTimeout'", "exclude each other");
    }

    /** Upstream kept the first level of a tool's schema only, and a list of types was a ClassCastException. */
    private static final class Nested extends Tool {
        private static final long serialVersionUID = 1L;
        private static final String SCHEMA =
                "{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"object\",\"properties\":"
                        + "{\"lat\":{\"type\":[\"number\",\"null\"]}}}},\"required\":[\"at\"]}";

        Nested() {
            super(new ToolMetadata("nested", "takes a place", SCHEMA));
        }

        @Override
        public ToolResponse call(ToolParameters parameters) {
            return ToolResponse.text("");
        }
    }

    @Test
    void aToolsSchemaIsSentWhole() throws Exception {
        server.enqueue(wire.text("hi"));
        connection.chat(ASK, List.of(new Nested()), parameters());
        assertThat(body().at("/tools/0/function/parameters")).isEqualTo(Json.read(Nested.SCHEMA));
    }

    @Test
    void aModelWithoutThoughtsIsTold() throws Exception {
        server.enqueue(wire.error(400, null, "\"qwen3:8b\" does not support thinking"));
        assertThatThrownBy(() -> service.setUp(connection, "think", true).chat(ASK))
                .isInstanceOf(ChatCallException.class)
                .hasMessageContaining("does not support thinking");
        assertThat(server.requests()).hasSize(1);
    }
}
