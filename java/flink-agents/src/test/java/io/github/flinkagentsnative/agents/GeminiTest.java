package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.agents.Wire.Call;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.AudioBlock;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.ImageBlock;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolCallBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;
import org.apache.flink.agents.api.chat.messages.VideoBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What only Gemini has. */
@Timeout(60)
class GeminiTest extends ServiceTest {

    @Test
    void thePlaceOnVertexHasToBeWhole() throws Exception {
        start(Services.GEMINI);
        Map<String, Object> arguments = service.connectionArguments(server);
        assertThatThrownBy(() -> service.connection(Resources.with(arguments, "vertex_ai", true)))
                .hasMessageContaining("'project' of GeminiChatModelConnection is missing");
        assertThatThrownBy(() -> service.connection(Resources.with(arguments, "project", "p-1")))
                .hasMessageContainingAll("'project'", "'vertex_ai'");
        reconnect("vertex_ai", true, "project", "p-1", "location", "europe-west4");
        server.enqueue(wire.text("hi"));
        connection.chat(ASK, List.of(), parameters());
        assertThat(server.only().path())
                .isEqualTo(
                        "/v1/projects/p-1/locations/europe-west4/publishers/google/models/gemini-2.5-flash:generateContent");
    }

    @Test
    void aTokenForVertexComesFromTheDescriptorOrAClass() {
        start(Services.GEMINI);
        assertThatThrownBy(() -> service.connection(
                        Map.of("vertex_ai", true, "project", "p-1", "location", "global", "base_url", server.url())))
                .hasMessageContainingAll("'api_key'", "credentials_class");
    }

    /** As upstream: what stands at the base URL may bring the key. */
    @Test
    void aProxyMayBringTheKey() throws Exception {
        connect(Services.GEMINI, "api_key", null);
        server.enqueue(wire.text("hi"));
        assertThat(connection.chat(ASK, List.of(), parameters()).getText()).isEqualTo("hi");
        assertThat(server.only().headers()).doesNotContainKeys("x-goog-api-key", "authorization");
    }

    @Test
    void theKeyTravelsInItsOwnHeader() throws Exception {
        connect(Services.GEMINI);
        server.enqueue(wire.text("hi"));
        connection.chat(ASK, List.of(), parameters());
        assertThat(server.only().header("x-goog-api-key")).isEqualTo(LocalService.KEY);
        assertThat(server.only().path()).doesNotContain("key");
    }

    @Test
    void upstreamsNamesOfParametersAreTaken() throws Exception {
        connect(Services.GEMINI);
        server.enqueue(wire.text("hi"));
        Map<String, Object> kwargs = Map.of("top_k", 40, "top_p", 0.9, "stop_sequences", List.of("END"), "seed", 7);
        connection.chat(ASK, List.of(), parameters("max_output_tokens", 99, "additional_kwargs", kwargs));
        assertThat(body().path("generationConfig"))
                .isEqualTo(Json.read(
                        "{\"maxOutputTokens\":99,\"topP\":0.9,\"topK\":40,\"seed\":7,\"stopSequences\":[\"END\"]}"));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters("max_output_tokens", 99, "max_tokens", 9)))
                .hasMessageContaining("'max_tokens' is set twice, also as 'max_output_tokens'");
    }

    @Test
    void geminiThreeTakesASchemaBesideToolsAndMediaInResults() throws Exception {
        connect(Services.GEMINI, "model", "gemini-3-pro-preview");
        server.enqueue(wire.thought("I weigh", new Call(null, "weather", Map.of())), wire.text(VERDICT));
        Map<String, Object> parameters = parameters("model", null);
        ChatResult asked = connection.chat(ASK, WEATHER, parameters, Verdict.class);
        ToolCallBlock call = asked.getToolCalls().get(0);
        ToolResultBlock result = new ToolResultBlock(
                call.getCallId(),
                List.of(TextBlock.of("see"), ImageBlock.fromBytes("image/png", new byte[] {1, 2})),
                false);
        connection.chat(
                List.of(ASK.get(0), asked.getMessage(), ChatMessage.tool(result)), WEATHER, parameters, Verdict.class);
        assertThat(server.requests())
                .hasSize(2)
                .allSatisfy(request ->
                        assertThat(wire.schema(request.body()).isMissingNode()).isFalse());
        assertThat(server.last()
                        .body()
                        .at("/contents/2/parts/0/functionResponse/parts/0/inlineData/data")
                        .asText())
                .isEqualTo("AQI=");
    }

    /** The first call of a turn needs a signature; one that another provider's model made has none. */
    @Test
    void callsOfAnotherModelGoOnWithGeminiThree() throws Exception {
        connect(Services.GEMINI, "model", "gemini-3-pro-preview");
        server.enqueue(wire.text("sun"));
        connection.chat(
                List.of(
                        ASK.get(0),
                        ChatMessage.assistant(List.of(new ToolCallBlock("call_1", "weather", Map.of()))),
                        result("call_1", "sun", false)),
                WEATHER,
                parameters("model", null));
        assertThat(server.only().text()).contains("skip_thought_signature_validator");
    }

    @Test
    void pr1326_allKindsOfMediaAreSent() throws Exception {
        connect(Services.GEMINI);
        server.enqueue(wire.text("a film"));
        connection.chat(
                List.of(ChatMessage.user(List.of(
                        TextBlock.of("what is it?"),
                        AudioBlock.fromUrl("audio/midi", "https://x.example/s"),
                        VideoBlock.fromBase64("video/mp4", "AQI=")))),
                List.of(),
                parameters());
        assertThat(body().at("/contents/0/parts/1/fileData/fileUri").asText()).isEqualTo("https://x.example/s");
        assertThat(body().at("/contents/0/parts/2/inlineData/data").asText()).isEqualTo("AQI=");
    }

    @Test
    void aBlockedPromptIsAFilteredAnswer() throws Exception {
        connect(Services.GEMINI);
        server.enqueue(Answer.of(200, "{\"promptFeedback\":{\"blockReason\":\"PROHIBITED_CONTENT\"}}"));
        ChatResult result = connection.chat(ASK, List.of(), parameters());
        assertThat(result.getFinishReason()).isEqualTo("content_filter");
        assertThat(result.getMetadata()).containsEntry("block_reason", "PROHIBITED_CONTENT");
    }

    @Test
    void aHintInTheErrorsDetailsIsHeeded() throws Exception {
        connect(Services.GEMINI);
        server.enqueue(
                Answer.of(
                        429,
                        "{\"error\":{\"code\":429,\"message\":\"slow down\",\"status\":\"RESOURCE_EXHAUSTED\",\"details\":"
                                + "[{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"1.2s\"}]}}"),
                wire.text("hi"));
        long start = System.nanoTime();
        assertThat(connection.chat(ASK, List.of(), parameters()).getText()).isEqualTo("hi");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(1_190_000_000L);
    }
}
