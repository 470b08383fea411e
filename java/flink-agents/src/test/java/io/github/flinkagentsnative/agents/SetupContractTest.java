package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.flinkagentsnative.agents.ConnectionContractTest.Open;
import io.github.flinkagentsnative.agents.ConnectionContractTest.Verdict;
import io.github.flinkagentsnative.testkit.LocalChatServer;
import io.github.flinkagentsnative.testkit.Reply;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolCallBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.apache.flink.agents.api.prompt.Prompt;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The gate and the calls of a setup (#1215), for each of ours. */
@Timeout(120)
class SetupContractTest {

    private final LocalChatServer server = LocalChatServer.start();
    private NativeChatModelConnection connection;

    @AfterEach
    void close() throws Exception {
        if (connection != null) {
            connection.close();
        }
        server.close();
    }

    /** Services, a schema, a change of the setup, and the connection's answer. */
    static Stream<Arguments> answers() {
        return Stream.of(Services.values()).flatMap(service -> {
            Object unknown = service == Services.AZURE ? "model_of_azure_deployment" : "model";
            NativeStructuredOutputSupport unlisted = service == Services.VLLM
                    ? NativeStructuredOutputSupport.NATIVE_RECOMMENDED
                    : NativeStructuredOutputSupport.FEASIBLE;
            NativeStructuredOutputSupport open = service == Services.VLLM
                    ? NativeStructuredOutputSupport.NATIVE_RECOMMENDED
                    : NativeStructuredOutputSupport.INFEASIBLE;
            return Stream.of(
                    Arguments.of(
                            service, Verdict.class, "temperature", 0, NativeStructuredOutputSupport.NATIVE_RECOMMENDED),
                    Arguments.of(service, Verdict.class, unknown, "somebody-s-model", unlisted),
                    Arguments.of(service, Open.class, "temperature", 0, open),
                    Arguments.of(
                            service,
                            ConnectionContractTest.ROW,
                            "temperature",
                            0,
                            NativeStructuredOutputSupport.INFEASIBLE));
        });
    }

    @ParameterizedTest
    @MethodSource("answers")
    void pr1215_theDecisionTable(
            Services service, Object schema, String name, Object value, NativeStructuredOutputSupport answer)
            throws Exception {
        connection = service.connect(server);
        NativeChatModelSetup auto = service.setUp(connection, name, value);
        assertThat(connection.supportsNativeStructuredOutput(schema, List.of(), auto.getParameters()))
                .isEqualTo(answer);
        assertThat(auto.willApplyNativeStructuredOutput(schema))
                .isEqualTo(answer == NativeStructuredOutputSupport.NATIVE_RECOMMENDED);

        NativeChatModelSetup prompt = service.setUp(connection, name, value, "structured_output_strategy", "prompt");
        assertThat(prompt.willApplyNativeStructuredOutput(schema)).isFalse();

        NativeChatModelSetup natively = service.setUp(connection, name, value, "structured_output_strategy", "NATIVE");
        if (answer == NativeStructuredOutputSupport.INFEASIBLE) {
            assertThatThrownBy(() -> natively.willApplyNativeStructuredOutput(schema))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Structured output strategy NATIVE was requested, but ")
                    .hasMessageContaining(service.connection.getName());
        } else {
            assertThat(natively.willApplyNativeStructuredOutput(schema)).isTrue();
        }
        assertThat(natively.willApplyNativeStructuredOutput(null)).isFalse();
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void pr1215_aSetupWithoutConnectionTakesThePromptPathUnlessNativeIsDemanded(Services service) throws Exception {
        NativeChatModelSetup unbound = (NativeChatModelSetup) Services.build(
                new ResourceDescriptor(service.setup.getName(), service.setupArguments()),
                new Services.Context(Map.of()));
        assertThat(unbound.willApplyNativeStructuredOutput(Verdict.class)).isFalse();
        NativeChatModelSetup demanding = (NativeChatModelSetup) Services.build(
                new ResourceDescriptor(
                        service.setup.getName(),
                        Services.with(service.setupArguments(), "structured_output_strategy", "native")),
                new Services.Context(Map.of()));
        assertThatThrownBy(() -> demanding.willApplyNativeStructuredOutput(Verdict.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(service.setup.getName());
        assertThatThrownBy(() -> unbound.chatStructured(List.of(), Map.of(), Verdict.class))
                .isInstanceOf(NullPointerException.class);
    }

    @ParameterizedTest
    @EnumSource
    void pr1215_chatStructuredSendsTheSchemaAndNoToolTraffic(Services service) throws Exception {
        connection = service.connect(server);
        NativeChatModelSetup setup =
                service.setUp(connection, "tools", List.of("weather"), "prompt", Prompt.fromText("never again"));
        ToolCallBlock call = new ToolCallBlock("call_1", "weather", Map.of("city", "Bonn"));
        List<ChatMessage> history = List.of(
                ChatMessage.user("Weather?"),
                ChatMessage.assistant(List.of(TextBlock.of("let me look"), call)),
                ChatMessage.tool(new ToolResultBlock("call_1", List.of(TextBlock.of("sun")), false)),
                ChatMessage.assistant("It is sunny."),
                ChatMessage.user("Convert it."));
        ChatResult result = setup.chatStructured(history, Map.of("temperature", 0), Verdict.class);
        JsonNode body = server.requests().get(0).json();
        assertThat(body.has("tools")).isFalse();
        assertThat(body.path("temperature").asInt(-1)).isZero();
        assertThat(body.toString()).doesNotContain("let me look", "call_1", "never again");
        assertThat(body.path(service == Services.RESPONSES ? "input" : "messages"))
                .hasSize(3);
        assertThat(AgentSchemas.of(Verdict.class).read(result.getText())).isInstanceOf(Verdict.class);
    }

    @ParameterizedTest
    @EnumSource
    void chatSendsThePromptTheToolsAndTheParameters(Services service) throws Exception {
        connection = service.connect(server);
        NativeChatModelSetup setup = service.setUp(
                connection,
                "tools",
                List.of("weather"),
                "prompt",
                Prompt.fromMessages(List.of(ChatMessage.system("You serve {team}."))),
                "max_tokens",
                99,
                "additional_kwargs",
                Map.of("metadata", Map.of("team", "a")));
        setup.chat(List.of(ChatMessage.user("Hello")), Map.of("team", "billing"), Map.of("temperature", 0.5));
        JsonNode body = server.requests().get(0).json();
        assertThat(body.toString()).contains("You serve billing.", "\"weather\"");
        assertThat(body.path("temperature").asDouble()).isEqualTo(0.5);
        assertThat(body.path("metadata").path("team").asText()).isEqualTo("a");
        assertThat(body.path(service == Services.RESPONSES ? "max_output_tokens" : "max_completion_tokens")
                        .asInt(body.path("max_tokens").asInt()))
                .isEqualTo(99);
    }

    @Test
    void parametersAreWhatWasGivenAndNothingElse() throws Exception {
        connection = Services.OPENAI.connect(server);
        assertThat(Services.OPENAI.setUp(connection).getParameters()).isEqualTo(Map.of("model", "gpt-4o-mini"));
        assertThat(Services.OPENAI
                        .setUp(connection, "temperature", 0.2, "logprobs", true, "top_logprobs", 3, "strict", true)
                        .getParameters())
                .isEqualTo(Map.of(
                        "model",
                        "gpt-4o-mini",
                        "temperature",
                        0.2,
                        "logprobs",
                        true,
                        "top_logprobs",
                        3,
                        "strict",
                        true));
        assertThat(Services.AZURE.setUp(connection).getParameters())
                .isEqualTo(Map.of("model", "our-deployment", "model_of_azure_deployment", "gpt-4o-mini"));
    }

    @Test
    void azureSendsTopLogprobsAndReasoningEffort() throws Exception {
        connection = Services.AZURE.connect(server);
        Services.AZURE
                .setUp(connection, "logprobs", true, "top_logprobs", 2, "reasoning_effort", "low")
                .chat(List.of(ChatMessage.user("Hello")));
        assertThat(server.requests().get(0).json().path("top_logprobs").asInt()).isEqualTo(2);
        assertThat(server.requests().get(0).json().path("reasoning_effort").asText())
                .isEqualTo("low");
    }

    @Test
    void responsesSendsStoreAndInstructions() throws Exception {
        connection = Services.RESPONSES.connect(server);
        Services.RESPONSES
                .setUp(connection, "store", false, "instructions", "Be brief.")
                .chat(List.of(ChatMessage.user("Hello")));
        assertThat(server.requests().get(0).json().path("instructions").asText())
                .isEqualTo("Be brief.");
        assertThat(server.requests().get(0).json().path("store").asBoolean(true))
                .isFalse();
    }

    @Test
    void c4_tokensAreCountedUnderTheReportedModel() throws Exception {
        connection = Services.AZURE.connect(server);
        NativeChatModelSetup setup = Services.AZURE.setUp(connection);
        CountingMetrics metrics = new CountingMetrics();
        for (int i = 0; i < 2; i++) {
            server.enqueue(Reply.text("hello"));
            ChatResult result = setup.chat(List.of(ChatMessage.user("Hello")));
            assertThat(result.getModel()).isEqualTo("gpt-4o-mini");
            setup.recordTokenMetrics(
                    metrics,
                    result.getModel(),
                    result.getUsage().getPromptTokens(),
                    result.getUsage().getCompletionTokens());
        }
        assertThat(metrics.counts())
                .containsOnlyKeys("model=gpt-4o-mini/promptTokens", "model=gpt-4o-mini/completionTokens");
    }
}
