package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.testkit.LocalChatServer;
import io.github.flinkagentsnative.testkit.ReceivedRequest;
import io.github.flinkagentsnative.testkit.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.agents.OutputSchema;
import org.apache.flink.agents.api.chat.messages.AudioBlock;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.ImageBlock;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolCallBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;
import org.apache.flink.agents.api.chat.messages.UnsupportedContentBlockException;
import org.apache.flink.agents.api.tools.Tool;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What upstream promises of a connection, for each of ours, against the local server. */
@Timeout(120)
class ConnectionContractTest {

    record Verdict(String topic, int urgency) {}

    record Open(Map<String, Object> anything) {}

    static final OutputSchema ROW = new OutputSchema(
            new RowTypeInfo(new TypeInformation<?>[] {Types.STRING, Types.INT}, new String[] {"word", "count"}));

    private static final List<ChatMessage> ASK = List.of(ChatMessage.user("Where is parcel 4711?"));
    private static final List<Tool> WEATHER = List.of(new Services.Weather());

    private final LocalChatServer server = LocalChatServer.start();
    private NativeChatModelConnection connection;

    @AfterEach
    void close() throws Exception {
        if (connection != null) {
            connection.close();
        }
        server.close();
    }

    /** What a setup would pass. */
    private Map<String, Object> parameters(Services service, Object... more) throws Exception {
        return Services.with(service.setUp(connection).getParameters(), more);
    }

    private ReceivedRequest only() {
        assertThat(server.requests()).hasSize(1);
        return server.requests().get(0);
    }

    private JsonNode format(Services service) {
        JsonNode body = only().json();
        return service == Services.RESPONSES ? body.path("text").path("format") : body.path("response_format");
    }

    @ParameterizedTest
    @EnumSource
    void aResultHasTextModelUsageFinishReasonAndId(Services service) throws Exception {
        connection = service.connect(server);
        server.enqueue(Reply.text("on its way"));
        ChatResult result = connection.chat(ASK, List.of(), parameters(service));
        assertThat(result.getText()).isEqualTo("on its way");
        assertThat(result.getModel()).startsWith("gpt-4o-mini");
        assertThat(result.getUsage().getPromptTokens()).isPositive();
        assertThat(result.getUsage().getCompletionTokens()).isPositive();
        assertThat(result.getFinishReason()).isEqualTo(service == Services.RESPONSES ? "completed" : "stop");
        assertThat(result.getResponseId()).isNotEmpty();
        assertThat(only().json().has("temperature")).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aSchemaTravelsNativelyBesideTools(Services service) throws Exception {
        connection = service.connect(server);
        Map<String, Object> parameters = parameters(service);
        Map<String, Object> before = new HashMap<>(parameters);
        connection.chat(ASK, WEATHER, parameters, Verdict.class);
        assertThat(format(service).path("type").asText()).isEqualTo("json_schema");
        assertThat(only().json().path("tools")).hasSize(1);
        assertThat(only().systemText()).isEmpty();
        assertThat(parameters).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void aDocumentTravelsInThisLibrarysOwnOutputSchema(Services service) throws Exception {
        connection = service.connect(server);
        String document = "{\"title\":\"Parcel\",\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}}}";
        connection.chat(
                ASK, null, parameters(service), io.github.flinkagentsnative.OutputSchema.ofJsonSchema(document));
        assertThat(format(service).findValue("name").asText()).isEqualTo("Parcel");
    }

    @ParameterizedTest
    @EnumSource
    void pr930_c10_aSchemaThatNoRequestCarriesIsLeftOffAndTheCallersFormatGoesThrough(Services service)
            throws Exception {
        connection = service.connect(server);
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        Map<String, Object> format = Map.of("type", "json_object");
        List<ChatMessage> json = List.of(ChatMessage.user("Answer in json: where is it?"));
        Map<String, Object> parameters = service == Services.RESPONSES
                ? parameters(service, "additional_kwargs", Map.of("text", Map.of("format", format)))
                : parameters(service, "response_format", format);
        connection.chat(json, List.of(), parameters, ROW);
        assertThat(format(service).path("type").asText()).isEqualTo("json_object");
        assertThat(metrics.counts()).containsExactly(Map.entry("reason=row_type/schemaOmitted", 1L));
        connection.chat(json, List.of(), parameters, ROW);
        assertThat(metrics.counts()).containsExactly(Map.entry("reason=row_type/schemaOmitted", 2L));
    }

    @ParameterizedTest
    @EnumSource
    void pr930_c09_aResponseFormatOfTheCallersBesideASchemaIsRefusedBeforeSending(Services service) throws Exception {
        connection = service.connect(server);
        Map<String, Object> format = Map.of("type", "json_object");
        Map<String, Object> inAdditional = parameters(
                service,
                "additional_kwargs",
                service == Services.RESPONSES
                        ? Map.of("text", Map.of("format", format))
                        : Map.of("response_format", format));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), inAdditional, Verdict.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Verdict");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalACutAnswerAndAFilteredOneAreResults(Services service) throws Exception {
        connection = service.connect(server);
        server.enqueue(Reply.refusal("I will not"), Reply.truncated("half"), Reply.contentFilter());
        ChatResult refusal = connection.chat(ASK, List.of(), parameters(service), Verdict.class);
        assertThat(refusal.getText()).isEmpty();
        assertThat(refusal.getMessage().getMetadata()).containsEntry("refusal", "I will not");
        ChatResult cut = connection.chat(ASK, List.of(), parameters(service), Verdict.class);
        assertThat(cut.getText()).isEqualTo("half");
        assertThat(cut.getFinishReason()).isEqualTo("length");
        ChatResult filtered = connection.chat(ASK, List.of(), parameters(service));
        assertThat(filtered.getFinishReason()).isEqualTo("content_filter");
        assertThat(server.requests()).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerIsNeverValidated(Services service) throws Exception {
        connection = service.connect(server);
        server.enqueue(Reply.text("no JSON at all"));
        assertThat(connection
                        .chat(ASK, List.of(), parameters(service), Verdict.class)
                        .getText())
                .isEqualTo("no JSON at all");
    }

    @ParameterizedTest
    @EnumSource
    void toolCallsComeBackAndTheirResultsFindThem(Services service) throws Exception {
        connection = service.connect(server);
        server.enqueue(
                Reply.toolCalls(
                        new Reply.ToolCall("call_1", "weather", "{\"city\":\"Bonn\"}"),
                        new Reply.ToolCall("call_2", "weather", "{\"city\":\"Kyiv\"}")),
                Reply.text("sunny in both"));
        ChatResult asked = connection.chat(ASK, WEATHER, parameters(service));
        assertThat(asked.getToolCalls()).extracting(ToolCallBlock::getCallId).containsExactly("call_1", "call_2");
        assertThat(asked.getToolCalls().get(1).getInput()).containsEntry("city", "Kyiv");
        List<ChatMessage> history = List.of(
                ASK.get(0),
                asked.getMessage(),
                ChatMessage.tool(new ToolResultBlock("call_1", List.of(TextBlock.of("sun")), false)),
                ChatMessage.tool(new ToolResultBlock("call_2", List.of(TextBlock.of("rain")), true)));
        assertThat(connection.chat(history, WEATHER, parameters(service)).getText())
                .isEqualTo("sunny in both");
        String body = server.requests().get(1).body();
        assertThat(body.indexOf("\"sun\"")).isBetween(0, body.indexOf("\"rain\""));
        assertThat(server.requests()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void argumentsThatAreNoObjectComeBackAsACallThatSaysSo(Services service) throws Exception {
        connection = service.connect(server);
        server.enqueue(Reply.toolCalls(new Reply.ToolCall("call_1", "weather", "{city: Bonn")));
        ToolCallBlock call = connection
                .chat(ASK, WEATHER, parameters(service))
                .getToolCalls()
                .get(0);
        assertThat(call.getInput()).isEmpty();
        assertThat(call.getMetadata()).containsKey("invalid_arguments");
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerWithoutContentIsAFailureAndRepeated(Services service) throws Exception {
        connection = service.connect(server, "max_retries", 1);
        Reply nothing = Reply.json(200, service == Services.RESPONSES ? "{\"output\":[]}" : "{\"choices\":[]}");
        server.enqueue(nothing, Reply.text("second"));
        assertThat(connection.chat(ASK, List.of(), parameters(service)).getText())
                .isEqualTo("second");
        server.enqueue(nothing, nothing);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(service)))
                .isInstanceOfSatisfying(
                        ChatCallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.EMPTY_RESPONSE));
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalIsSentBackInTheNextTurn(Services service) throws Exception {
        connection = service.connect(server);
        server.enqueue(Reply.refusal("I will not"), Reply.text("well"));
        ChatMessage refused =
                connection.chat(ASK, List.of(), parameters(service)).getMessage();
        connection.chat(List.of(ASK.get(0), refused, ChatMessage.user("Please.")), List.of(), parameters(service));
        assertThat(server.requests().get(1).body()).contains("I will not");
    }

    @ParameterizedTest
    @EnumSource
    void anImageIsSentAndWhatTheProviderDoesNotTakeIsRefusedWithUpstreamsException(Services service) throws Exception {
        connection = service.connect(server);
        ChatMessage image = ChatMessage.user(
                List.of(TextBlock.of("what is it?"), ImageBlock.fromBytes("image/png", new byte[] {1, 2})));
        connection.chat(List.of(image), List.of(), parameters(service));
        assertThat(only().body()).contains("data:image/png;base64,AQI=");

        ChatMessage sound = ChatMessage.user(List.of(AudioBlock.fromUrl("audio/wav", "https://secret.example/s")));
        String reason = service == Services.RESPONSES
                ? "OpenAI Responses cannot send an audio block (audio/wav, url source): OpenAI Responses takes images and documents only."
                : "OpenAI Chat Completions cannot send an audio block (audio/wav, url source): audio input takes base64 data, not a URL.";
        assertThatThrownBy(() -> connection.chat(List.of(sound), List.of(), parameters(service)))
                .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                .hasMessage(reason);
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void pr1364_mediaOfAToolResultIsSentWhereTheProviderTakesIt(Services service) throws Exception {
        connection = service.connect(server);
        List<ChatMessage> history = List.of(
                ASK.get(0),
                ChatMessage.assistant(List.of(new ToolCallBlock("call_1", "weather", Map.of("city", "Bonn")))),
                ChatMessage.tool(new ToolResultBlock(
                        "call_1",
                        List.of(TextBlock.of("see"), ImageBlock.fromUrl("image/png", "https://x.example/i.png")),
                        false)));
        if (service != Services.RESPONSES) {
            assertThatThrownBy(() -> connection.chat(history, WEATHER, parameters(service)))
                    .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                    .hasMessageEndingWith("only user messages can carry media, not tool messages.");
            return;
        }
        connection.chat(history, WEATHER, parameters(service));
        JsonNode item = only().json().path("input").path(2);
        assertThat(item.path("call_id").asText()).isEqualTo("call_1");
        assertThat(item.path("output").path(1).path("type").asText()).isEqualTo("input_image");
    }

    @ParameterizedTest
    @EnumSource
    void whatMayPassIsRepeatedUpToMaxRetriesAndNothingElseIs(Services service) throws Exception {
        connection = service.connect(server, "max_retries", 1);
        server.enqueue(Reply.serverError(), Reply.text("second"));
        assertThat(connection.chat(ASK, List.of(), parameters(service)).getText())
                .isEqualTo("second");
        assertThat(server.requests()).hasSize(2);

        server.reset();
        server.enqueue(Reply.serverError(), Reply.serverError(), Reply.text("third"));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(service)))
                .isInstanceOfSatisfying(ChatCallException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
                    assertThat(e.status()).isEqualTo(500);
                    assertThat(e.code()).isEqualTo("server_error");
                    assertThat(e.requestId()).startsWith("req_");
                });
        assertThat(server.requests()).hasSize(2);

        server.reset();
        server.enqueue(Reply.error(429, "insufficient_quota", null, "insufficient_quota", "You exceeded your quota."));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(service)))
                .isInstanceOf(ChatCallException.class);
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void anUnknownParameterIsNamedAndNothingIsSent(Services service) throws Exception {
        connection = service.connect(server);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(service, "temprature", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("temprature");
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(service, "model", null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("model is required");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aClassWithoutASchemaIsInfeasibleAndCounted(Services service) throws Exception {
        connection = service.connect(server);
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        connection.chat(ASK, List.of(), parameters(service), "no schema at all");
        assertThat(metrics.counts()).containsExactly(Map.entry("reason=untranslatable/schemaOmitted", 1L));
        assertThat(format(service).isMissingNode()).isTrue();
    }

    @Test
    void pr930_azuresErrorsBeginAsUpstreamsDid() throws Exception {
        connection = Services.AZURE.connect(server, "max_retries", 0);
        server.enqueue(Reply.serverError());
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(Services.AZURE)))
                .isInstanceOf(ChatCallException.class)
                .hasMessageStartingWith("Failed to call Azure OpenAI chat completions API.");
    }

    @Test
    void pr930_c13_azureHasUsageOnlyWithABackingModel() throws Exception {
        connection = Services.AZURE.connect(server);
        ChatResult result = connection.chat(ASK, List.of(), Map.of("model", "our-deployment"));
        assertThat(result.getUsage()).isNull();
        assertThat(connection.chat(ASK, List.of(), parameters(Services.AZURE)).getUsage())
                .isNotNull();
    }

    @Test
    void pr930_azuresOldVersionsCarryNoSchema() throws Exception {
        connection = Services.AZURE.connect(server, "api_version", "2024-06-01");
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        connection.chat(ASK, List.of(), parameters(Services.AZURE), Verdict.class);
        assertThat(metrics.counts()).containsExactly(Map.entry("reason=api_version_below_floor/schemaOmitted", 1L));
        assertThat(format(Services.AZURE).isMissingNode()).isTrue();
    }

    @Test
    void anUrlPathModeIsTakenInAnyCase() throws Exception {
        connection = Services.AZURE.connect(server, "azure_url_path_mode", "unified");
        connection.chat(ASK, List.of(), parameters(Services.AZURE));
        assertThat(only().path()).isEqualTo("/openai/v1/chat/completions");
    }

    @Test
    void vllmNeedsNoKey() throws Exception {
        server.requireKey("EMPTY");
        connection = Services.VLLM.connect(server, "api_key", null);
        assertThat(connection.chat(ASK, List.of(), parameters(Services.VLLM)).getText())
                .isNotNull();
        assertThat(only().headers()).containsEntry("authorization", "Bearer EMPTY");
    }

    @Test
    void theConnectionsModelIsTheDefaultOfASetupWithoutOne() throws Exception {
        connection = Services.OPENAI.connect(server, "model", "gpt-4.1", "default_headers", Map.of("x-team", "a"));
        connection.chat(ASK, List.of(), parameters(Services.OPENAI, "model", null));
        assertThat(only().model()).isEqualTo("gpt-4.1");
        assertThat(only().headers()).containsEntry("x-team", "a");
        assertThat(connection.effectiveModelFor(Map.of())).isEqualTo("gpt-4.1");
        assertThat(connection.effectiveModelFor(Map.of("model", "o3"))).isEqualTo("o3");
    }
}
