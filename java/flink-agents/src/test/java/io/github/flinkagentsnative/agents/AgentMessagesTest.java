package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ChatResult;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.AudioBlock;
import org.apache.flink.agents.api.chat.messages.Base64Source;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.DocumentBlock;
import org.apache.flink.agents.api.chat.messages.ImageBlock;
import org.apache.flink.agents.api.chat.messages.MessageRole;
import org.apache.flink.agents.api.chat.messages.ReasoningBlock;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolCallBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;
import org.apache.flink.agents.api.chat.messages.VideoBlock;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

/** Messages there and back: nothing is lost on the way. */
class AgentMessagesTest {

    private static final List<ChatMessage> ALL = List.of(
            ChatMessage.system("Be brief."),
            ChatMessage.user(List.of(
                    TextBlock.of("see"),
                    ImageBlock.fromBase64("image/png", "AQI="),
                    AudioBlock.fromUrl("audio/wav", "https://x.example/a"),
                    VideoBlock.fromUrl("video/mp4", "https://x.example/v"),
                    new DocumentBlock("application/pdf", new Base64Source("AQI="), "a.pdf", 2L, "00ff"))),
            new ChatMessage(
                    MessageRole.ASSISTANT,
                    List.of(
                            new ReasoningBlock(null, Map.of("openai_responses", Map.of("id", "rs_1"))),
                            TextBlock.of("let me look"),
                            new ToolCallBlock(
                                    "call_1",
                                    "weather",
                                    Map.of("city", "Bonn", "days", 3, "limit", new BigDecimal("1.10")),
                                    Map.of("item_id", "fc_1"))),
                    Map.of("refusal", "no")),
            ChatMessage.tool(new ToolResultBlock(
                    "call_1",
                    List.of(TextBlock.of("sun"), ImageBlock.fromUrl("image/png", "https://x.example/i")),
                    true)));

    @Test
    void everyBlockComesBackAsItWas() {
        for (ChatMessage message : ALL) {
            assertThat(AgentMessages.message(AgentMessages.message(message)).toMap())
                    .isEqualTo(message.toMap());
        }
    }

    @Test
    void bothSidesWriteTheSameMessage() {
        for (ChatMessage message : ALL) {
            assertThat(io.github.flinkagentsnative.ChatMessage.fromJson(
                            AgentMessages.message(message).toJson()))
                    .isEqualTo(AgentMessages.message(message));
        }
    }

    @Test
    void metadataThatNoProviderReadsMayHoldAnything() {
        ChatMessage message = ChatMessage.user("hi").withMetadata(Map.of("mine", new Object(), "refusal", 3));
        assertThat(AgentMessages.message(message).metadata()).isEmpty();
    }

    @Test
    void aResultKeepsAllItsParts() {
        ChatResult result = new ChatResult(
                io.github.flinkagentsnative.ChatMessage.assistant("hi"),
                "gpt-4o",
                "resp_1",
                new io.github.flinkagentsnative.TokenUsage(3L, null, Map.of("cached", 1L), Map.of()),
                "stop",
                Map.of("tier", "default"));
        org.apache.flink.agents.api.chat.messages.ChatResult converted = AgentMessages.result(result);
        assertThat(converted.getModel()).isEqualTo("gpt-4o");
        assertThat(converted.getResponseId()).isEqualTo("resp_1");
        assertThat(converted.getFinishReason()).isEqualTo("stop");
        assertThat(converted.getMetadata()).isEqualTo(Map.of("tier", "default"));
        assertThat(converted.getUsage().getPromptTokens()).isEqualTo(3);
        assertThat(converted.getUsage().getCompletionTokens()).isNull();
        assertThat(converted.getUsage().getPromptTokenDetails()).isEqualTo(Map.of("cached", 1L));
        assertThat(org.apache.flink.agents.api.chat.messages.ChatResult.fromMap(converted.toMap())
                        .toMap())
                .isEqualTo(converted.toMap());
    }

    @Test
    void aParameterThatIsNullIsNotSetAndTheMapStaysAsItWas() {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("temperature", null);
        parameters.put("max_tokens", 9);
        ChatRequest request = AgentMessages.request(ALL, List.of(new Resources.Weather()), parameters);
        assertThat(request.parameters()).isEqualTo(Map.of("max_tokens", 9));
        assertThat(parameters).hasSize(2);
        assertThat(request.tools().get(0).name()).isEqualTo("weather");
        assertThat(request.tools().get(0).inputSchema()).contains("city");
        assertThat(AgentMessages.request(List.of(), null, null)).isEqualTo(ChatRequest.of());
    }

    /** Flink Agents keeps messages in Flink's state, whose serializer makes collections by their class. */
    @Test
    void whatAMessageHoldsGoesThroughFlinksState() throws Exception {
        io.github.flinkagentsnative.ChatMessage answer =
                io.github.flinkagentsnative.ChatMessage.fromJson("{\"role\":\"assistant\",\"blocks\":["
                        + "{\"type\":\"reasoning\",\"text\":\"t\",\"metadata\":{\"anthropic\":{\"a\":[1,{\"b\":null}]}}},"
                        + "{\"type\":\"tool_call\",\"call_id\":\"c\",\"name\":\"f\",\"input\":{\"deep\":{\"list\":[1,[2.5],{}]}},"
                        + "\"metadata\":{\"invalid_arguments\":{\"raw\":\"x\"}}}],\"metadata\":{}}");
        org.apache.flink.agents.api.chat.messages.ChatResult result = AgentMessages.result(
                new ChatResult(answer, null, null, null, null, Map.of("metrics", Map.of("list", List.of(1)))));
        ReasoningBlock thought = (ReasoningBlock) result.getBlocks().get(0);
        ToolCallBlock call = (ToolCallBlock) result.getBlocks().get(1);
        for (Map<String, Object> held :
                List.of(thought.getMetadata(), call.getInput(), call.getMetadata(), result.getMetadata())) {
            HashMap<String, Object> value = new HashMap<>(held);
            KryoSerializer<Object> serializer = new KryoSerializer<>(Object.class, new SerializerConfigImpl());
            DataOutputSerializer out = new DataOutputSerializer(64);
            serializer.serialize(value, out);
            Object read = serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
            assertThat(read).isEqualTo(value);
        }
    }
}
