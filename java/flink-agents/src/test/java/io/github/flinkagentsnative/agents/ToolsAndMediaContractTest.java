package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.flinkagentsnative.agents.Wire.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.AudioBlock;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.ContentBlock;
import org.apache.flink.agents.api.chat.messages.DocumentBlock;
import org.apache.flink.agents.api.chat.messages.ImageBlock;
import org.apache.flink.agents.api.chat.messages.ReasoningBlock;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolCallBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;
import org.apache.flink.agents.api.chat.messages.UnsupportedContentBlockException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of tools, their results, thoughts between them, and media, for each connection. */
@Timeout(120)
class ToolsAndMediaContractTest extends ServiceTest {

    private static final ImageBlock IMAGE = ImageBlock.fromBytes("image/png", new byte[] {1, 2});

    @ParameterizedTest
    @EnumSource
    void callsComeBackAndTheirResultsFindThem(Services service) throws Exception {
        connect(service);
        server.enqueue(
                wire.calls(
                        new Call("call_1", "weather", Map.of("city", "Bonn")),
                        new Call("call_2", "weather", Map.of("city", "Kyiv"))),
                wire.text("sunny in both"));
        ChatResult asked = connection.chat(ASK, WEATHER, parameters());
        assertThat(asked.getToolCalls()).extracting(ToolCallBlock::getName).containsExactly("weather", "weather");
        assertThat(asked.getToolCalls())
                .extracting(ToolCallBlock::getInput)
                .containsExactly(Map.of("city", "Bonn"), Map.of("city", "Kyiv"));
        List<String> ids =
                asked.getToolCalls().stream().map(ToolCallBlock::getCallId).toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> !id.isEmpty());
        if (service != Services.GEMINI && service != Services.OLLAMA) {
            assertThat(ids).containsExactly("call_1", "call_2");
        }
        List<ChatMessage> history = new ArrayList<>(List.of(ASK.get(0), asked.getMessage()));
        history.add(result(ids.get(0), "sun", false));
        history.add(result(ids.get(1), "rain", true));
        assertThat(connection.chat(history, WEATHER, parameters()).getText()).isEqualTo("sunny in both");
        String sent = server.last().text();
        assertThat(sent).contains("Bonn", "Kyiv");
        assertThat(sent.indexOf("\"sun\"")).isBetween(0, sent.indexOf("\"rain\""));
        assertThat(server.requests()).hasSize(2);
        assertThatTheFailureIsTold(service, sent);
        assertThatResultsShareATurnWhereTheyHaveTo(service);
    }

    private static void assertThatTheFailureIsTold(Services service, String sent) {
        switch (service) {
            case ANTHROPIC -> assertThat(sent).containsOnlyOnce("\"is_error\":true");
            case BEDROCK -> assertThat(sent).containsOnlyOnce("\"status\":\"error\"");
            case GEMINI -> assertThat(sent).contains("{\"result\":\"sun\"}", "{\"error\":\"rain\"}");
            default -> assertThat(sent).doesNotContain("error");
        }
    }

    private void assertThatResultsShareATurnWhereTheyHaveTo(Services service) {
        int turns = switch (service) {
            case ANTHROPIC, BEDROCK, GEMINI -> 3;
            case RESPONSES -> 5;
            default -> 4;
        };
        assertThat(wire.turns(server.last().body())).hasSize(turns);
    }

    /** Where calls have no ids, the library makes some up; those of another turn may be the same. */
    @ParameterizedTest
    @EnumSource(names = {"GEMINI", "OLLAMA"})
    void callsWithoutIdsAreToldApartOverSeveralRounds(Services service) throws Exception {
        connect(service);
        server.enqueue(
                wire.calls(new Call(null, "weather", Map.of("city", "Bonn"))),
                wire.calls(new Call(null, "forecast", Map.of("city", "Bonn")), new Call(null, "weather", Map.of())),
                wire.text("done"));
        List<ChatMessage> history = new ArrayList<>(ASK);
        for (String answer : List.of("first", "second")) {
            ChatResult asked = connection.chat(history, WEATHER, parameters());
            history.add(asked.getMessage());
            for (ToolCallBlock call : asked.getToolCalls()) {
                history.add(result(call.getCallId(), answer + " " + call.getName(), false));
            }
        }
        assertThat(connection.chat(history, WEATHER, parameters()).getText()).isEqualTo("done");
        String sent = server.last().text();
        String name = service == Services.GEMINI ? "\"name\":\"%s\",\"response\":{\"result\":\"%s %s\"}" : null;
        for (String[] result : new String[][] {{"first", "weather"}, {"second", "forecast"}, {"second", "weather"}}) {
            assertThat(sent)
                    .contains(
                            name == null
                                    ? "\"content\":\"%s %s\",\"tool_name\":\"%s\""
                                            .formatted(result[0], result[1], result[1])
                                    : name.formatted(result[1], result[0], result[1]));
        }
        assertThat(sent).doesNotContain("\"id\"");
    }

    @ParameterizedTest
    @EnumSource
    void z4_argumentsThatAreNoObjectComeBackAsACallThatSaysSo(Services service) throws Exception {
        connect(service);
        server.enqueue(wire.brokenCall("weather"));
        ToolCallBlock call =
                connection.chat(ASK, WEATHER, parameters()).getToolCalls().get(0);
        assertThat(call.getName()).isEqualTo("weather");
        assertThat(call.getInput()).isEmpty();
        assertThat(call.getMetadata()).containsKey("invalid_arguments");
    }

    @ParameterizedTest
    @EnumSource
    void numbersInArgumentsAreExact(Services service) throws Exception {
        connect(service);
        Map<String, Object> input = Map.of(
                "order", 9_007_199_254_740_993L, "price", new java.math.BigDecimal("1.10"), "deep", List.of(1, "a"));
        server.enqueue(wire.calls(new Call("call_1", "weather", input)), wire.text("ok"));
        ChatResult asked = connection.chat(ASK, WEATHER, parameters());
        ToolCallBlock call = asked.getToolCalls().get(0);
        assertThat(call.getInput()).isEqualTo(input);
        connection.chat(
                List.of(ASK.get(0), asked.getMessage(), result(call.getCallId(), "ok", false)), WEATHER, parameters());
        assertThat(server.last().text().replace("\\", "")).contains("\"order\":9007199254740993", "\"price\":1.10");
    }

    @ParameterizedTest
    @EnumSource
    void thoughtsAreKeptAndSentBackUnchangedWhereTheServiceWantsThem(Services service) throws Exception {
        connect(service);
        Answer thought = wire.thought("I weigh", new Call("call_1", "weather", Map.of("city", "Bonn")));
        assumeTrue(thought != null, "the provider shows no thoughts");
        server.enqueue(thought, wire.text("sun"));
        ChatResult asked = connection.chat(ASK, WEATHER, parameters());
        List<ContentBlock> blocks = asked.getMessage().getBlocks();
        assertThat(blocks.get(0))
                .isInstanceOfSatisfying(
                        ReasoningBlock.class,
                        block -> assertThat(block.getText()).isEqualTo("I weigh"));
        assertThat(asked.getText()).isEmpty();
        connection.chat(
                List.of(
                        ASK.get(0),
                        ChatMessage.fromMap(asked.getMessage().toMap()),
                        result(asked.getToolCalls().get(0).getCallId(), "sun", false)),
                WEATHER,
                parameters());
        String sent = server.last().text();
        switch (service) {
            case RESPONSES -> assertThat(sent).contains("\"encrypted_content\":\"c2VhbGVk\"");
            case ANTHROPIC ->
                assertThat(sent)
                        .contains("{\"type\":\"thinking\",\"thinking\":\"I weigh\",\"signature\":\"c2lnbmVk\"}");
            case BEDROCK -> assertThat(sent).contains("{\"text\":\"I weigh\",\"signature\":\"c2lnbmVk\"}");
            case GEMINI -> assertThat(sent).contains("\"thought\":true", "\"thoughtSignature\":\"c2lnbmVk\"");
            case OLLAMA -> assertThat(sent).contains("\"thinking\":\"I weigh\"");
            default -> assertThat(sent).doesNotContain("I weigh");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anImageIsSentWhereTheProviderTakesOne(Services service) throws Exception {
        connect(service);
        ChatMessage image = ChatMessage.user(List.of(TextBlock.of("what is it?"), IMAGE));
        if (service == Services.WATSONX) {
            assertThatThrownBy(() -> connection.chat(List.of(image), List.of(), parameters()))
                    .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                    .hasMessage("IBM watsonx.ai cannot send an image block (image/png, base64 source): this integration"
                            + " sends text only.");
            assertThat(server.requests()).isEmpty();
            return;
        }
        server.enqueue(wire.text("a dot"));
        connection.chat(List.of(image), List.of(), parameters());
        assertThat(server.only().text()).contains("AQI=", "what is it?");
    }

    @ParameterizedTest
    @EnumSource
    void whatTheProviderDoesNotTakeIsRefusedWithUpstreamsException(Services service) throws Exception {
        connect(service);
        String secret = "https://secret.example/s";
        ContentBlock block = service == Services.GEMINI ? null : AudioBlock.fromUrl("audio/midi", secret);
        assumeTrue(block != null, "Gemini takes every kind");
        ChatMessage message = ChatMessage.user(List.of(TextBlock.of("?"), block));
        String reason = switch (service) {
            case OPENAI, AZURE, VLLM -> "audio input takes base64 data, not a URL";
            case RESPONSES -> "OpenAI Responses takes images and documents only";
            case ANTHROPIC -> "Anthropic takes images and documents only";
            case OLLAMA -> "Ollama accepts images only";
            case DASHSCOPE -> "DashScope takes images and videos only";
            case WATSONX -> "this integration sends text only";
            case BEDROCK, GEMINI -> "";
        };
        assertThatThrownBy(() -> connection.chat(List.of(message), List.of(), parameters()))
                .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                .hasMessageContaining(" cannot send an audio block (audio/midi, url source): " + reason)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret.example"));
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void pr1364_mediaOfAToolResultIsSentWhereTheProviderTakesIt(Services service) throws Exception {
        connect(service);
        List<ChatMessage> history = List.of(
                ASK.get(0),
                ChatMessage.assistant(List.of(new ToolCallBlock("call_1", "weather", Map.of("city", "Bonn")))),
                ChatMessage.tool(new ToolResultBlock("call_1", List.of(TextBlock.of("see"), IMAGE), false)));
        if (List.of(Services.RESPONSES, Services.ANTHROPIC, Services.BEDROCK).contains(service)) {
            server.enqueue(wire.text("a dot"));
            connection.chat(history, WEATHER, parameters());
            String sent = server.only().text();
            assertThat(sent.indexOf("\"see\"")).isBetween(0, sent.indexOf("AQI="));
            return;
        }
        String reason = switch (service) {
            case GEMINI -> "only Gemini 3 and later models take media in tool results";
            case WATSONX -> "this integration sends text only";
            default -> "only user messages can carry media, not tool messages";
        };
        assertThatThrownBy(() -> connection.chat(history, WEATHER, parameters()))
                .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                .hasMessageContaining(": " + reason);
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void mediaOfAnAssistantAreRefused(Services service) throws Exception {
        connect(service);
        List<ChatMessage> history =
                List.of(ASK.get(0), ChatMessage.assistant(List.of(IMAGE)), ChatMessage.user("what is it?"));
        assertThatThrownBy(() -> connection.chat(history, List.of(), parameters()))
                .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                .hasMessageContaining(" cannot send an image block (image/png, base64 source): ");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aDocumentIsSentWhereTheProviderTakesOne(Services service) throws Exception {
        connect(service);
        DocumentBlock document = new DocumentBlock(
                "application/pdf",
                new org.apache.flink.agents.api.chat.messages.Base64Source("AQI="),
                "contract.pdf",
                null,
                null);
        ChatMessage message = ChatMessage.user(List.of(TextBlock.of("read it"), document));
        if (List.of(Services.OLLAMA, Services.DASHSCOPE, Services.WATSONX).contains(service)) {
            assertThatThrownBy(() -> connection.chat(List.of(message), List.of(), parameters()))
                    .isExactlyInstanceOf(UnsupportedContentBlockException.class);
            return;
        }
        server.enqueue(wire.text("read"));
        connection.chat(List.of(message), List.of(), parameters());
        assertThat(server.only().text()).contains("AQI=");
    }
}
