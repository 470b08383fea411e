package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolCallBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.apache.flink.agents.api.prompt.Prompt;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The gate and the calls of a setup (#1215), for each of ours. */
@Timeout(120)
class SetupContractTest extends ServiceTest {

    /** Services, a schema, a change of the setup, and the connection's answer. */
    static Stream<Arguments> answers() {
        return Stream.of(Services.values()).flatMap(service -> {
            String unlistedModel = service == Services.GEMINI ? "gemini-9-image" : "somebody-s-model";
            NativeStructuredOutputSupport recommended = NativeStructuredOutputSupport.NATIVE_RECOMMENDED;
            NativeStructuredOutputSupport unlisted =
                    service.trustsEveryModel() ? recommended : NativeStructuredOutputSupport.FEASIBLE;
            NativeStructuredOutputSupport open =
                    service.carriesOpenObjects() ? recommended : NativeStructuredOutputSupport.INFEASIBLE;
            return Stream.of(
                    Arguments.of(service, Verdict.class, "temperature", 0, recommended),
                    Arguments.of(service, Verdict.class, service.modelArgument(), unlistedModel, unlisted),
                    Arguments.of(service, Open.class, "temperature", 0, open),
                    Arguments.of(service, ROW, "temperature", 0, NativeStructuredOutputSupport.INFEASIBLE));
        });
    }

    @ParameterizedTest
    @MethodSource("answers")
    void pr1215_theDecisionTable(
            Services service, Object schema, String name, Object value, NativeStructuredOutputSupport answer)
            throws Exception {
        connect(service);
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

    /** The gate asks without tools, so tools of the setup change nothing, also where they exclude a schema. */
    @ParameterizedTest
    @EnumSource
    void pr1215_theGateAsksWithoutTools(Services service) throws Exception {
        connect(service);
        assertThat(service.setUp(connection, "tools", List.of("weather"))
                        .willApplyNativeStructuredOutput(Verdict.class))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aModelOfTheJobsOwnMayBeNamedAsOneThatHonoursASchema(Services service) throws Exception {
        String unlisted = service == Services.GEMINI ? "gemini-9-image" : "somebody-s-model";
        Object named = service.trustsEveryModel() ? null : List.of(unlisted);
        connect(service, "native_models", named);
        assertThat(service.setUp(connection, service.modelArgument(), unlisted)
                        .willApplyNativeStructuredOutput(Verdict.class))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void pr1215_aSetupWithoutConnectionTakesThePromptPathUnlessNativeIsDemanded(Services service) throws Exception {
        NativeChatModelSetup unbound = unbound(service);
        assertThat(unbound.willApplyNativeStructuredOutput(Verdict.class)).isFalse();
        NativeChatModelSetup demanding = unbound(service, "structured_output_strategy", "native");
        assertThatThrownBy(() -> demanding.willApplyNativeStructuredOutput(Verdict.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(service.setup.getName());
        assertThatThrownBy(() -> unbound.chatStructured(List.of(), Map.of(), Verdict.class))
                .isInstanceOf(NullPointerException.class);
    }

    private static NativeChatModelSetup unbound(Services service, Object... more) throws Exception {
        return (NativeChatModelSetup) Resources.build(
                service.setup, Resources.with(service.setupArguments(), more), new Resources.Context(Map.of()));
    }

    @ParameterizedTest
    @EnumSource
    void pr1215_chatStructuredSendsTheSchemaAndNoToolTraffic(Services service) throws Exception {
        connect(service);
        NativeChatModelSetup setup = service.setUp(
                connection, "tools", List.of("weather"), "prompt", Prompt.fromText("never again"), "temperature", 1);
        ToolCallBlock call = new ToolCallBlock("call_1", "weather", Map.of("city", "Bonn"));
        List<ChatMessage> history = List.of(
                ChatMessage.user("Weather?"),
                ChatMessage.assistant(List.of(TextBlock.of("let me look"), call)),
                ChatMessage.tool(new ToolResultBlock("call_1", List.of(TextBlock.of("sun")), false)),
                ChatMessage.assistant("It is sunny."),
                ChatMessage.user("Convert it to json."));
        List<ChatMessage> before = new ArrayList<>(history);
        server.enqueue(wire.text(VERDICT));
        ChatResult result = setup.chatStructured(history, Map.of("temperature", 0), Verdict.class);
        assertThat(wire.schema(body()).isMissingNode()).isFalse();
        assertThat(wire.tools(body())).isEmpty();
        assertThat(wire.turns(body())).hasSize(3);
        assertThat(body().findValue("temperature").asInt(-1)).isZero();
        assertThat(server.only().text()).doesNotContain("let me look", "call_1", "never again", "weather");
        assertThat(AgentSchemas.of(Verdict.class).read(result.getText())).isEqualTo(new Verdict("parcel", 1));
        assertThat(history).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void chatSendsThePromptTheToolsAndTheParameters(Services service) throws Exception {
        connect(service);
        NativeChatModelSetup setup = service.setUp(
                connection,
                "tools",
                List.of("weather"),
                "prompt",
                Prompt.fromMessages(List.of(ChatMessage.system("You serve {team}."))),
                service.maxTokensArgument(),
                99,
                "temperature",
                0.25);
        server.enqueue(wire.text("hi"));
        Map<String, Object> call = new HashMap<>(Map.of("temperature", 0.5));
        setup.chat(List.of(ChatMessage.user("Hello")), Map.of("team", "billing"), call);
        assertThat(server.only().text()).contains("You serve billing.", "Hello");
        assertThat(wire.tools(body())).containsExactly("weather");
        assertThat(body().findValue("temperature").decimalValue()).isEqualByComparingTo("0.5");
        String limit = switch (service) {
            case OPENAI, AZURE, VLLM -> "max_completion_tokens";
            case RESPONSES -> "max_output_tokens";
            case BEDROCK -> "maxTokens";
            case GEMINI -> "maxOutputTokens";
            case OLLAMA -> "num_predict";
            default -> "max_tokens";
        };
        assertThat(body().findValue(limit).asInt()).isEqualTo(99);
    }

    @ParameterizedTest
    @EnumSource
    void parametersAreWhatWasGivenAndNothingElse(Services service) throws Exception {
        connect(service);
        Map<String, Object> expected = Resources.with(service.setupArguments(), "connection", null);
        assertThat(service.setUp(connection).getParameters()).isEqualTo(expected);
        Object[] more = {"temperature", 0.25, service.maxTokensArgument(), 9, "additional_kwargs", Map.of("a", 1)};
        Map<String, Object> given = service.setUp(connection, more).getParameters();
        assertThat(given).isEqualTo(Resources.with(expected, more));
        given.clear();
        assertThat(service.setUp(connection, more).getParameters()).isNotEmpty();
    }

    /** What upstream lets through this map, and what a setup has no argument for. */
    @ParameterizedTest
    @EnumSource
    void additionalKwargsMayHoldOtherCallParameters(Services service) throws Exception {
        connect(service);
        boolean hasStop = service != Services.RESPONSES;
        Object stop = List.of("END");
        Map<String, Object> kwargs = Resources.with(
                Map.of("top_p", 0.5),
                List.of(Services.GEMINI, Services.ANTHROPIC).contains(service) ? "stop_sequences" : "stop",
                hasStop ? stop : null);
        server.enqueue(wire.text("hi"));
        service.setUp(connection, "additional_kwargs", kwargs).chat(ASK);
        String topP = service == Services.BEDROCK || service == Services.GEMINI ? "topP" : "top_p";
        assertThat(body().findValue(topP).decimalValue()).isEqualByComparingTo("0.5");
        assertThat(server.only().text().contains("[\"END\"]")).isEqualTo(hasStop);
        if (service == Services.OLLAMA) {
            assertThat(Json.names(body().path("options"))).containsExactlyInAnyOrder("top_p", "stop");
        }
    }

    /** A service refuses a choice of tools in a call without tools, as the one for a schema is (#1215). */
    @ParameterizedTest
    @EnumSource
    void aChoiceOfToolsInAdditionalKwargsIsSentOnlyBesideTools(Services service) throws Exception {
        assumeTrue(service != Services.OLLAMA, "it has no such parameter");
        connect(service);
        NativeChatModelSetup setup = service.setUp(
                connection, "tools", List.of("weather"), "additional_kwargs", Map.of("tool_choice", "required"));
        server.enqueue(wire.text("hi"), wire.text(VERDICT));
        setup.chat(ASK);
        assertThat(server.last().text()).containsAnyOf("\"required\"}", "\"required\",", "\"any\"", "ANY");
        setup.chatStructured(ASK, Map.of(), Verdict.class);
        assertThat(server.last().text()).doesNotContain("hoice", "functionCallingConfig");
    }

    @ParameterizedTest
    @EnumSource
    void z8_additionalKwargsThatRepeatATypedParameterAreRefused(Services service) throws Exception {
        connect(service);
        Map<String, Object> typedTwice = parameters("top_p", 0.25, "additional_kwargs", Map.of("top_p", 0.5));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), typedTwice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("top_p");
        NativeChatModelSetup setup = service.setUp(connection, "additional_kwargs", Map.of("temperature", 1));
        if (service == Services.OLLAMA) {
            return; // its root has no temperature; that is under options
        }
        assertThatThrownBy(() -> setup.chat(ASK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("temperature");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void c4_tokensAreCountedUnderTheReportedModel(Services service) throws Exception {
        connect(service);
        NativeChatModelSetup setup = service.setUp(connection);
        CountingMetrics metrics = new CountingMetrics();
        for (int i = 0; i < 2; i++) {
            server.enqueue(wire.text("hello"));
            ChatResult result = setup.chat(ASK);
            setup.recordTokenMetrics(
                    metrics,
                    result.getModel(),
                    result.getUsage().getPromptTokens(),
                    result.getUsage().getCompletionTokens());
        }
        String group = "model=" + service.model + "/";
        assertThat(metrics.counts()).isEqualTo(Map.of(group + "promptTokens", 6L, group + "completionTokens", 10L));
    }

    /** The runtime knows the setup only, and calls are made on other threads than its own. */
    @ParameterizedTest
    @EnumSource
    void omittedSchemasAreCountedInTheGroupOfTheAction(Services service) throws Exception {
        connect(service);
        NativeChatModelSetup setup = service.setUp(connection);
        server.respondWith(request -> wire.text("{}"));
        CountingMetrics first = new CountingMetrics();
        CountingMetrics second = new CountingMetrics();
        for (CountingMetrics action : List.of(first, second, first)) {
            setup.setMetricGroup(action);
            CompletableFuture.runAsync(() -> setup.chatStructured(ASK, Map.of(), ROW))
                    .get(30, TimeUnit.SECONDS);
        }
        assertThat(first.counts()).containsExactly(Map.entry("reason=row_type/schemaOmitted", 2L));
        assertThat(second.counts()).containsExactly(Map.entry("reason=row_type/schemaOmitted", 1L));
        setup.setMetricGroup(null);
        setup.chatStructured(ASK, Map.of(), ROW);
    }

    @ParameterizedTest
    @EnumSource
    void theDecisionTellsItsReasons(Services service) throws Exception {
        start(service);
        NativeChatModelConnection unopened = service.connection(service.connectionArguments(server));
        Map<String, Object> parameters = Resources.with(service.setupArguments(), "connection", null);
        assertThat(unopened.decide(ROW, parameters).explain()).contains("row_type");
        assertThat(unopened.decide(Verdict.class, parameters).explain()).contains("model_listed");
    }
}
