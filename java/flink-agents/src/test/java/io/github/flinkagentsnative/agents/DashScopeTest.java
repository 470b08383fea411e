package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.agents.Wire.Call;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.ImageBlock;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.UnsupportedContentBlockException;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DashScope's own calls beside the compatible endpoint, and thinking. */
@Timeout(60)
class DashScopeTest extends ServiceTest {

    private void connectToTheTextCall(String type) throws Exception {
        Wire wire = new DashScopeTextWire();
        wire.model = Services.DASHSCOPE.model;
        start(Services.DASHSCOPE, wire);
        reconnect("api_base_url", server.url() + "/api/v1", "api_type", type);
    }

    @Test
    void theTextCallCarriesSchemaToolsAndResults() throws Exception {
        connectToTheTextCall("text");
        server.enqueue(wire.calls(new Call("call_1", "weather", Map.of("city", "Bonn"))), wire.text(VERDICT));
        ChatResult asked = connection.chat(ASK, WEATHER, parameters());
        ChatResult result = connection.chat(
                List.of(ASK.get(0), asked.getMessage(), result("call_1", "sun", false)),
                WEATHER,
                parameters("temperature", 0.5),
                Verdict.class);
        assertThat(result.getText()).isEqualTo(VERDICT);
        assertThat(result.getModel()).isEqualTo(Services.DASHSCOPE.model);
        assertThat(result.getResponseId()).isEqualTo("request-1");
        assertThat(result.getUsage().getPromptTokens()).isEqualTo(3);
        assertThat(result.getUsage().getCompletionTokens()).isEqualTo(5);
        assertThat(wire.schema(server.last().body()).isMissingNode()).isFalse();
        assertThat(wire.tools(server.last().body())).containsExactly("weather");
        assertThat(server.last().body().at("/parameters/temperature").asDouble())
                .isEqualTo(0.5);
    }

    @Test
    void theTextCallsErrorsNameTheirCode() throws Exception {
        connectToTheTextCall("auto");
        server.enqueue(wire.error(400, "DataInspectionFailed", "Input data may contain inappropriate content."));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                .isInstanceOfSatisfying(ChatCallException.class, e -> {
                    assertThat(e.code()).isEqualTo("DataInspectionFailed");
                    assertThat(e.requestId()).isEqualTo("request-1");
                });
        ChatMessage image =
                ChatMessage.user(List.of(TextBlock.of("?"), ImageBlock.fromBytes("image/png", new byte[] {1, 2})));
        assertThatThrownBy(() -> connection.chat(List.of(image), List.of(), parameters()))
                .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                .hasMessageContaining("the text generation call takes no media");
    }

    @Test
    void pr1374_theMultimodalCallTakesImagesAndNoSchema() throws Exception {
        start(Services.DASHSCOPE, new DashScopeTextWire() {
            @Override
            String fault(Received request) {
                return request.path().equals("/api/v1/services/aigc/multimodal-generation/generation")
                        ? null
                        : "the path is " + request.path();
            }
        });
        reconnect("api_base_url", server.url() + "/api/v1", "api_type", "auto");
        Map<String, Object> parameters = parameters("model", "qwen3-vl-plus");
        server.enqueue(wire.text("a dot"));
        ChatMessage image = ChatMessage.user(
                List.of(TextBlock.of("?"), ImageBlock.fromUrl("image/png", "https://x.example/i.png")));
        assertThat(connection
                        .chat(List.of(image), List.of(), parameters, Verdict.class)
                        .getText())
                .isEqualTo("a dot");
        assertThat(body().at("/input/messages/0/content/1/image").asText()).isEqualTo("https://x.example/i.png");
        assertThat(wire.schema(body()).isMissingNode()).isTrue();
        assertThat(connection.supportsNativeStructuredOutput(Verdict.class, List.of(), parameters))
                .isEqualTo(NativeStructuredOutputSupport.INFEASIBLE);
    }

    @Test
    void aModelThatThinksGetsNoSchema() throws Exception {
        connect(Services.DASHSCOPE);
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        NativeChatModelSetup setup = service.setUp(connection, "enable_thinking", true, "thinking_budget", 99);
        assertThat(setup.willApplyNativeStructuredOutput(Verdict.class)).isFalse();
        server.enqueue(wire.text("hi"));
        connection.chat(ASK, List.of(), setup.getParameters(), Verdict.class);
        assertThat(body().path("enable_thinking").asBoolean()).isTrue();
        assertThat(body().path("thinking_budget").asInt()).isEqualTo(99);
        assertThat(metrics.counts()).containsExactly(Map.entry("reason=untranslatable/schemaOmitted", 1L));
    }

    @Test
    void regionAndTypeAreCheckedWhenTheConnectionIsOpened() throws Exception {
        start(Services.DASHSCOPE);
        assertThatThrownBy(() -> reconnect("api_base_url", null, "region", "moon"))
                .hasMessageContaining("region")
                .hasMessageContaining("cn, intl");
        assertThatThrownBy(() -> reconnect("api_type", "smoke")).hasMessageContaining("api_type");
        assertThatThrownBy(() -> reconnect("region", "intl")).hasMessageContaining("api_base_url");
    }
}
