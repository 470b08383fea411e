package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.agents.ConnectionContractTest.Open;
import io.github.flinkagentsnative.agents.ConnectionContractTest.Verdict;
import io.github.flinkagentsnative.agents.ProviderServer.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.AudioBlock;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.ImageBlock;
import org.apache.flink.agents.api.chat.messages.ReasoningBlock;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolCallBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;
import org.apache.flink.agents.api.chat.messages.UnsupportedContentBlockException;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.apache.flink.agents.api.prompt.Prompt;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.agents.api.tools.Tool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What upstream promises of a connection and a setup, for the providers beside OpenAI's family. */
@Timeout(120)
class ProviderContractTest {

    private static final List<ChatMessage> ASK = List.of(ChatMessage.user("Where is parcel 4711? Answer in json."));
    private static final List<Tool> WEATHER = List.of(new Services.Weather());
    private static final String VERDICT = "{\"topic\":\"parcel\",\"urgency\":1}";

    private final ProviderServer server = new ProviderServer();
    private NativeChatModelConnection connection;

    @AfterEach
    void close() throws Exception {
        if (connection != null) {
            connection.close();
        }
        server.close();
    }

    private Map<String, Object> parameters(Providers provider, Object... more) throws Exception {
        return Services.with(provider.setUp(connection).getParameters(), more);
    }

    @ParameterizedTest
    @EnumSource
    void aResultHasTextModelUsageFinishReasonAndId(Providers provider) throws Exception {
        connection = provider.connect(server);
        server.enqueue(provider.text("on its way"));
        ChatResult result = connection.chat(ASK, List.of(), parameters(provider));
        assertThat(result.getText()).isEqualTo("on its way");
        assertThat(result.getModel()).isEqualTo(provider.model);
        assertThat(result.getUsage().getPromptTokens()).isEqualTo(3);
        assertThat(result.getUsage().getCompletionTokens()).isEqualTo(5);
        assertThat(result.getFinishReason()).isIn("stop", "end_turn", "STOP");
        if (provider != Providers.OLLAMA && provider != Providers.BEDROCK) {
            assertThat(result.getResponseId()).isNotEmpty();
        }
        assertThat(server.only().path()).isEqualTo(provider.path);
        assertThat(server.only().key())
                .isEqualTo(
                        switch (provider) {
                            case OLLAMA -> "";
                            case WATSONX -> "Bearer token-of-the-job";
                            case ANTHROPIC, GEMINI -> "key-of-the-job";
                            default -> "Bearer key-of-the-job";
                        });
        assertThat(server.only().body().toString()).doesNotContain("temperature");
    }

    @ParameterizedTest
    @EnumSource
    void aSchemaTravelsNativelyBesideToolsWhereTheServiceTakesBoth(Providers provider) throws Exception {
        connection = provider.connect(server);
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        Map<String, Object> parameters = parameters(provider);
        Map<String, Object> before = new HashMap<>(parameters);
        server.enqueue(provider.text(VERDICT));
        connection.chat(ASK, WEATHER, parameters, Verdict.class);
        JsonNode body = server.only().body();
        assertThat(provider.schemaOf(body).isMissingNode()).isNotEqualTo(provider.takesSchemaBesideTools());
        assertThat(metrics.counts().isEmpty()).isEqualTo(provider.takesSchemaBesideTools());
        assertThat(body.at(provider.tool).asText()).isEqualTo("weather");
        assertThat(parameters).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void aRowTypeIsLeftOffAndCounted(Providers provider) throws Exception {
        connection = provider.connect(server);
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        server.enqueue(provider.text("{}"));
        connection.chat(ASK, List.of(), parameters(provider), ConnectionContractTest.ROW);
        assertThat(provider.schemaOf(server.only().body()).isMissingNode()).isTrue();
        assertThat(metrics.counts()).containsExactly(Map.entry("reason=row_type/schemaOmitted", 1L));
    }

    @ParameterizedTest
    @EnumSource
    void aFormatOfTheCallersBesideASchemaIsRefusedBeforeSending(Providers provider) throws Exception {
        connection = provider.connect(server);
        Map<String, Object> own = switch (provider) {
            case ANTHROPIC -> Map.of("output_config", Map.of("format", Map.of("type", "json_schema")));
            case BEDROCK -> Map.of("outputConfig", Map.of("textFormat", Map.of("type", "json_schema")));
            case GEMINI -> Map.of("generationConfig", Map.of("responseMimeType", "text/plain"));
            case OLLAMA -> Map.of("format", "json");
            case DASHSCOPE, WATSONX -> Map.of("response_format", Map.of("type", "json_object"));
        };
        Map<String, Object> parameters = parameters(provider, "additional_kwargs", own);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters, Verdict.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Verdict");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalACutAnswerAndAFilteredOneAreResults(Providers provider) throws Exception {
        connection = provider.connect(server);
        server.enqueue(provider.cut("half"));
        ChatResult cut = connection.chat(ASK, List.of(), parameters(provider), Verdict.class);
        assertThat(cut.getText()).isEqualTo("half");
        assertThat(cut.getFinishReason()).isIn("length", "max_tokens", "MAX_TOKENS");
        if (provider.refusal("I will not") != null) {
            server.enqueue(provider.refusal("I will not"));
            ChatResult refusal = connection.chat(ASK, List.of(), parameters(provider), Verdict.class);
            assertThat(refusal.getMessage().getMetadata()).containsKey("refusal");
        }
        if (provider.filtered() != null) {
            server.enqueue(provider.filtered());
            ChatResult filtered = connection.chat(ASK, List.of(), parameters(provider));
            assertThat(filtered.getFinishReason()).isNotIn("stop", "end_turn", "STOP");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerIsNeverValidated(Providers provider) throws Exception {
        connection = provider.connect(server);
        server.enqueue(provider.text("no JSON at all"));
        assertThat(connection
                        .chat(ASK, List.of(), parameters(provider), Verdict.class)
                        .getText())
                .isEqualTo("no JSON at all");
    }

    @ParameterizedTest
    @EnumSource
    void toolCallsComeBackAndTheirResultsFindThem(Providers provider) throws Exception {
        connection = provider.connect(server);
        server.enqueue(provider.calls("Kyiv"), provider.text("rain"));
        ChatResult asked = connection.chat(ASK, WEATHER, parameters(provider));
        assertThat(asked.getToolCalls()).hasSize(1);
        ToolCallBlock call = asked.getToolCalls().get(0);
        assertThat(call.getName()).isEqualTo("weather");
        assertThat(call.getCallId()).isNotEmpty();
        assertThat(call.getInput()).isEqualTo(Map.of("city", "Kyiv"));
        List<ChatMessage> history = List.of(
                ASK.get(0),
                asked.getMessage(),
                ChatMessage.tool(new ToolResultBlock(call.getCallId(), List.of(TextBlock.of("it rains")), true)));
        assertThat(connection.chat(history, WEATHER, parameters(provider)).getText())
                .isEqualTo("rain");
        String sent = server.requests().get(1).body().toString();
        assertThat(sent).contains("it rains", "Kyiv");
        switch (provider) {
            case ANTHROPIC -> assertThat(sent).contains("\"tool_use_id\":\"toolu_1\"", "\"is_error\":true");
            case BEDROCK -> assertThat(sent).contains("\"toolUseId\":\"tooluse_1\"", "\"status\":\"error\"");
            case GEMINI -> assertThat(sent).contains("\"functionResponse\":{\"name\":\"weather\"");
            case OLLAMA -> assertThat(sent).contains("\"tool_name\":\"weather\"");
            case DASHSCOPE, WATSONX -> assertThat(sent).contains("\"tool_call_id\":\"call_1\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerWithoutContentIsAFailureAndRepeated(Providers provider) throws Exception {
        connection = provider.connect(server, "max_retries", 1);
        server.enqueue(provider.nothing(), provider.text("second"));
        assertThat(connection.chat(ASK, List.of(), parameters(provider)).getText())
                .isEqualTo("second");
        server.enqueue(provider.nothing(), provider.nothing());
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(provider)))
                .isInstanceOfSatisfying(
                        ChatCallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.EMPTY_RESPONSE));
    }

    @ParameterizedTest
    @EnumSource
    void whatMayPassIsRepeatedUpToMaxRetriesAndNothingElseIs(Providers provider) throws Exception {
        connection = provider.connect(server, "max_retries", 1);
        Answer busy = new Answer(503, "{\"error\":{\"message\":\"busy\"},\"message\":\"busy\"}");
        server.enqueue(busy, provider.text("second"));
        assertThat(connection.chat(ASK, List.of(), parameters(provider)).getText())
                .isEqualTo("second");
        server.enqueue(busy, busy);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(provider)))
                .isInstanceOfSatisfying(ChatCallException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
                    assertThat(e.status()).isEqualTo(503);
                });
        assertThat(server.requests()).hasSize(4);
        server.enqueue(new Answer(400, "{\"error\":{\"message\":\"no\"},\"message\":\"no\"}"));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(provider)))
                .isInstanceOf(ChatCallException.class);
        assertThat(server.requests()).hasSize(5);
    }

    @ParameterizedTest
    @EnumSource
    void anUnknownParameterIsNamedAndNothingIsSent(Providers provider) throws Exception {
        connection = provider.connect(server);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(provider, "temprature", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("temprature");
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(provider, "model", null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("model is required");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theConnectionsModelIsTheDefaultOfASetupWithoutOne(Providers provider) throws Exception {
        connection = provider.connect(server, "model", provider.model);
        server.enqueue(provider.text("hi"));
        connection.chat(ASK, List.of(), parameters(provider, "model", null));
        assertThat(server.only().path()).isEqualTo(provider.path);
        assertThat(connection.effectiveModelFor(Map.of())).isEqualTo(provider.model);
        assertThat(connection.effectiveModelFor(Map.of("model", "other"))).isEqualTo("other");
    }

    @ParameterizedTest
    @EnumSource
    void anImageIsSentAndWhatTheProviderDoesNotTakeIsRefusedWithUpstreamsException(Providers provider)
            throws Exception {
        connection = provider.connect(server);
        ChatMessage image = ChatMessage.user(
                List.of(TextBlock.of("what is it?"), ImageBlock.fromBytes("image/png", new byte[] {1, 2})));
        if (provider == Providers.WATSONX) {
            assertThatThrownBy(() -> connection.chat(List.of(image), List.of(), parameters(provider)))
                    .isExactlyInstanceOf(UnsupportedContentBlockException.class);
        } else {
            server.enqueue(provider.text("a dot"));
            connection.chat(List.of(image), List.of(), parameters(provider));
            assertThat(server.only().body().toString()).contains("AQI=");
        }
        int before = server.requests().size();
        ChatMessage sound = ChatMessage.user(
                List.of(TextBlock.of("?"), AudioBlock.fromUrl("audio/midi", "https://secret.example/s")));
        assumeTrue(provider != Providers.GEMINI, "Gemini takes audio by address");
        assertThatThrownBy(() -> connection.chat(List.of(sound), List.of(), parameters(provider)))
                .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret.example"));
        assertThat(server.requests()).hasSize(before);
    }

    @ParameterizedTest
    @EnumSource
    void mediaOfAToolResultIsSentWhereTheProviderTakesIt(Providers provider) throws Exception {
        connection = provider.connect(server);
        List<ChatMessage> history = List.of(
                ASK.get(0),
                ChatMessage.assistant(List.of(new ToolCallBlock("call_1", "weather", Map.of("city", "Bonn")))),
                ChatMessage.tool(new ToolResultBlock(
                        "call_1",
                        List.of(TextBlock.of("see"), ImageBlock.fromBytes("image/png", new byte[] {1, 2})),
                        false)));
        if (provider == Providers.ANTHROPIC || provider == Providers.BEDROCK) {
            server.enqueue(provider.text("a dot"));
            connection.chat(history, WEATHER, parameters(provider));
            assertThat(server.only().body().toString()).contains("AQI=");
        } else {
            assertThatThrownBy(() -> connection.chat(history, WEATHER, parameters(provider)))
                    .isExactlyInstanceOf(UnsupportedContentBlockException.class);
            assertThat(server.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void pr1215_theDecisionTable(Providers provider) throws Exception {
        connection = provider.connect(server);
        NativeChatModelSetup auto = provider.setUp(connection);
        NativeStructuredOutputSupport answer =
                connection.supportsNativeStructuredOutput(Verdict.class, List.of(), auto.getParameters());
        assertThat(answer).isEqualTo(NativeStructuredOutputSupport.NATIVE_RECOMMENDED);
        assertThat(auto.willApplyNativeStructuredOutput(Verdict.class))
                .isEqualTo(answer == NativeStructuredOutputSupport.NATIVE_RECOMMENDED);
        assertThat(provider.setUp(connection, "structured_output_strategy", "prompt")
                        .willApplyNativeStructuredOutput(Verdict.class))
                .isFalse();
        NativeChatModelSetup natively = provider.setUp(connection, "structured_output_strategy", "NATIVE");
        assertThat(natively.willApplyNativeStructuredOutput(Verdict.class)).isTrue();
        assertThat(natively.willApplyNativeStructuredOutput(null)).isFalse();
        for (Object impossible : List.of(ConnectionContractTest.ROW, Open.class)) {
            NativeStructuredOutputSupport support =
                    connection.supportsNativeStructuredOutput(impossible, List.of(), auto.getParameters());
            if (support == NativeStructuredOutputSupport.INFEASIBLE) {
                assertThatThrownBy(() -> natively.willApplyNativeStructuredOutput(impossible))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(provider.connection.getName());
            }
        }
        assertThat(connection.supportsNativeStructuredOutput(
                        ConnectionContractTest.ROW, List.of(), auto.getParameters()))
                .isEqualTo(NativeStructuredOutputSupport.INFEASIBLE);
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void supportIsAnsweredBeforeOpenAndAfterCloseAndForNulls(Providers provider) throws Exception {
        NativeChatModelConnection unopened = provider.connection(provider.connectionArguments(server));
        assertThat(unopened.supportsNativeStructuredOutput(null, null, null)).isNotNull();
        unopened.open();
        unopened.close();
        assertThat(unopened.supportsNativeStructuredOutput(Verdict.class, null, Map.of("model", provider.model)))
                .isNotEqualTo(NativeStructuredOutputSupport.INFEASIBLE);
        assertThatThrownBy(() -> unopened.chat(ASK, List.of(), Map.of())).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void pr1215_chatStructuredSendsTheSchemaAndNoToolTraffic(Providers provider) throws Exception {
        connection = provider.connect(server);
        NativeChatModelSetup setup =
                provider.setUp(connection, "tools", List.of("weather"), "prompt", Prompt.fromText("never again"));
        ToolCallBlock call = new ToolCallBlock("call_1", "weather", Map.of("city", "Bonn"));
        List<ChatMessage> history = List.of(
                ChatMessage.user("Weather?"),
                ChatMessage.assistant(List.of(TextBlock.of("let me look"), call)),
                ChatMessage.tool(new ToolResultBlock("call_1", List.of(TextBlock.of("sun")), false)),
                ChatMessage.assistant("It is sunny."),
                ChatMessage.user("Convert it to json."));
        server.enqueue(provider.text(VERDICT));
        ChatResult result = setup.chatStructured(history, Map.of("temperature", 0), Verdict.class);
        String body = server.only().body().toString();
        assertThat(provider.schemaOf(server.only().body()).isMissingNode()).isFalse();
        assertThat(body).doesNotContain("let me look", "call_1", "never again", "\"tools\"", "toolConfig");
        assertThat(AgentSchemas.of(Verdict.class).read(result.getText())).isEqualTo(new Verdict("parcel", 1));
    }

    @ParameterizedTest
    @EnumSource
    void chatSendsThePromptTheToolsAndTheParameters(Providers provider) throws Exception {
        connection = provider.connect(server);
        NativeChatModelSetup setup = provider.setUp(
                connection,
                "tools",
                List.of("weather"),
                "prompt",
                Prompt.fromMessages(List.of(ChatMessage.system("You serve {team}."))),
                provider == Providers.GEMINI ? "max_output_tokens" : "max_tokens",
                99,
                "temperature",
                0.25);
        server.enqueue(provider.text("hi"));
        setup.chat(List.of(ChatMessage.user("Hello")), Map.of("team", "billing"), Map.of("temperature", 0.5));
        JsonNode body = server.only().body();
        assertThat(body.toString()).contains("You serve billing.", "\"weather\"", ":0.5", ":99");
    }

    @ParameterizedTest
    @EnumSource
    void parametersAreWhatWasGivenAndNothingElse(Providers provider) throws Exception {
        connection = provider.connect(server);
        assertThat(provider.setUp(connection).getParameters()).isEqualTo(Map.of("model", provider.model));
    }

    @ParameterizedTest
    @EnumSource
    void wrongArgumentsAreNamedAndNotShown(Providers provider) {
        Object[][] wrong = {
            {"api_keys", "sk-secret"},
            {"api_key", 4711},
            {"timeout", "sk-secret"},
            {"timeout", 0},
            {"max_retries", -1},
            {"model", 3},
            {"allow_insecure_http", "sk-secret"},
            {"credentials_class", "no.such.Type"},
            {"credentials_class", "java.lang.Object"},
        };
        for (Object[] argument : wrong) {
            Map<String, Object> given = provider.connectionArguments(server);
            if (argument[0].equals("credentials_class")) {
                given.remove("api_key");
            }
            Map<String, Object> arguments = Services.with(given, argument[0], argument[1]);
            assertThatThrownBy(() -> provider.connection(arguments))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + argument[0] + "'")
                    .hasMessageContaining(provider.connection.getSimpleName())
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sk-secret"));
        }
        Object[][] wrongOfSetup = {
            {"temprature", 1}, {"temperature", "hot"}, {"additional_kwargs", List.of()}, {"connection", null}
        };
        for (Object[] argument : wrongOfSetup) {
            Map<String, Object> arguments = Services.with(provider.setupArguments(), (String) argument[0], argument[1]);
            assertThatThrownBy(() -> Services.build(
                            new ResourceDescriptor(provider.setup.getName(), arguments),
                            new Services.Context(Map.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'" + argument[0] + "'", provider.setup.getSimpleName());
        }
    }

    @Test
    void aKeyIsRequiredWhereTheServiceWantsOne() {
        for (Providers provider :
                List.of(Providers.ANTHROPIC, Providers.GEMINI, Providers.DASHSCOPE, Providers.WATSONX)) {
            Map<String, Object> arguments =
                    Services.with(provider.connectionArguments(server), "api_key", null, "credentials_class", null);
            assertThatThrownBy(() -> provider.connection(arguments))
                    .hasMessageContaining("'api_key' of " + provider.connection.getSimpleName() + " is missing");
        }
    }

    @Test
    void aKeyAndAClassExcludeEachOther() {
        Map<String, Object> both = Services.with(
                Providers.ANTHROPIC.connectionArguments(server), "credentials_class", Providers.Token.class.getName());
        assertThatThrownBy(() -> Providers.ANTHROPIC.connection(both)).hasMessageContaining("exclude each other");
        Map<String, Object> profile = Services.with(Providers.BEDROCK.connectionArguments(server), "profile", "team");
        assertThatThrownBy(() -> Providers.BEDROCK.connection(profile)).hasMessageContaining("'profile'");
    }

    /** AWS keys of the job's own. */
    public static final class Keys implements io.github.flinkagentsnative.AwsCredentials {
        public Keys() {}

        @Override
        public io.github.flinkagentsnative.AwsKeys get() {
            return io.github.flinkagentsnative.AwsKeys.of("AKIDOFTHEJOB", "secret-of-the-job");
        }
    }

    @Test
    void bedrockSignsWithTheKeysOfTheJob() throws Exception {
        connection = Providers.BEDROCK.connect(server, "api_key", null, "credentials_class", Keys.class.getName());
        server.enqueue(Providers.BEDROCK.text("hi"));
        connection.chat(ASK, List.of(), parameters(Providers.BEDROCK));
        assertThat(server.only().key())
                .startsWith("AWS4-HMAC-SHA256 Credential=AKIDOFTHEJOB/")
                .contains("/us-east-1/bedrock/aws4_request")
                .doesNotContain("secret-of-the-job");
    }

    @Test
    void geminisPlaceOnVertexHasToBeWhole() throws Exception {
        Map<String, Object> arguments = Providers.GEMINI.connectionArguments(server);
        assertThatThrownBy(() -> Providers.GEMINI.connection(Services.with(arguments, "vertex_ai", true)))
                .hasMessageContaining("'project'");
        assertThatThrownBy(() -> Providers.GEMINI.connection(Services.with(arguments, "project", "p-1")))
                .hasMessageContaining("'vertex_ai'");
        connection = Providers.GEMINI.connect(server, "vertex_ai", true, "project", "p-1", "location", "europe-west4");
        server.enqueue(Providers.GEMINI.text("hi"));
        connection.chat(ASK, List.of(), parameters(Providers.GEMINI));
        assertThat(server.only().path())
                .isEqualTo(
                        "/v1/projects/p-1/locations/europe-west4/publishers/google/models/gemini-2.5-flash:generateContent");
        assertThat(server.only().key()).isEqualTo("Bearer key-of-the-job");
    }

    @Test
    void pr965_anthropicsPrefillIsDroppedBesideASchema() throws Exception {
        connection = Providers.ANTHROPIC.connect(server);
        NativeChatModelSetup setup = Providers.ANTHROPIC.setUp(
                connection, "model", "claude-3-5-haiku-20241022", "json_prefill", true, "strict_tools", true);
        assertThat(setup.getParameters()).containsEntry("strict", true).containsEntry("json_prefill", true);
        server.enqueue(Providers.ANTHROPIC.text("\"a\":1}"), Providers.ANTHROPIC.text(VERDICT));
        assertThat(connection.chat(ASK, List.of(), setup.getParameters()).getText())
                .isEqualTo("{\"a\":1}");
        connection.chat(ASK, List.of(), setup.getParameters(), Verdict.class);
        assertThat(server.requests().get(0).body().path("messages")).hasSize(2);
        assertThat(server.requests().get(1).body().path("messages")).hasSize(1);
    }

    @Test
    void thoughtsAreKeptForTheNextTurnAndLeftOutOnDemand() throws Exception {
        connection = Providers.ANTHROPIC.connect(server);
        server.enqueue(
                Providers.answer(Providers.ANTHROPIC.message(
                        "{\"type\":\"thinking\",\"thinking\":\"I weigh\",\"signature\":\"c2ln\"},"
                                + "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"weather\",\"input\":{}}",
                        "tool_use")),
                Providers.ANTHROPIC.text("sun"));
        ChatResult asked = connection.chat(ASK, WEATHER, parameters(Providers.ANTHROPIC));
        assertThat(asked.getMessage().getBlocks().get(0)).isInstanceOf(ReasoningBlock.class);
        connection.chat(
                List.of(
                        ASK.get(0),
                        asked.getMessage(),
                        ChatMessage.tool(new ToolResultBlock("toolu_1", List.of(TextBlock.of("sun")), false))),
                WEATHER,
                parameters(Providers.ANTHROPIC));
        assertThat(server.requests().get(1).body().toString())
                .contains("{\"type\":\"thinking\",\"thinking\":\"I weigh\",\"signature\":\"c2ln\"}");
    }

    @Test
    void ollamasThoughtsAreLeftOutOnDemand() throws Exception {
        connection = Providers.OLLAMA.connect(server);
        Answer thought =
                Providers.answer(Providers.OLLAMA.message("\"content\":\"hi\",\"thinking\":\"I weigh\"", "stop"));
        for (boolean kept : new boolean[] {true, false}) {
            NativeChatModelSetup setup =
                    Providers.OLLAMA.setUp(connection, "think", true, "extract_reasoning", kept, "num_ctx", 4096);
            server.enqueue(thought);
            ChatResult result = connection.chat(ASK, List.of(), setup.getParameters());
            assertThat(result.getMessage().getBlocks().stream().anyMatch(ReasoningBlock.class::isInstance))
                    .isEqualTo(kept);
        }
        assertThat(server.requests().get(0).body().path("think").asBoolean()).isTrue();
        assertThat(server.requests().get(0).body().at("/options/num_ctx").asInt())
                .isEqualTo(4096);
        assertThat(server.requests().get(0).body().toString()).doesNotContain("extract_reasoning");
    }
}
