package io.github.flinkagentsnative;

import java.util.List;
import java.util.Map;

/**
 * What a provider answered (upstream #1185). A refusal is a result too: empty text, and {@code metadata.refusal} in the message.
 *
 * @param message the assistant's message
 * @param model the model that usage is attributed to, or null
 * @param responseId the provider's id of the answer, or null
 * @param usage tokens, or null
 * @param finishReason why the model stopped, or null; {@code length} and {@code content_filter} mean that the answer is incomplete
 * @param metadata JSON values
 */
public record ChatResult(
        ChatMessage message,
        String model,
        String responseId,
        TokenUsage usage,
        String finishReason,
        Map<String, Object> metadata) {

    /**
     * @throws IllegalArgumentException when the message is not the assistant's
     */
    public ChatResult {
        if (message == null || message.role() != MessageRole.ASSISTANT) {
            throw new IllegalArgumentException("ChatResult requires an ASSISTANT message");
        }
        metadata = JsonValues.copyObject(metadata, "/metadata");
    }

    public ChatResult(ChatMessage message) {
        this(message, null, null, null, null, Map.of());
    }

    /** The message's text. */
    public String text() {
        return message.text();
    }

    /** The message's tool calls. */
    public List<ToolCallBlock> toolCalls() {
        return message.toolCalls();
    }

    /** Upstream's JSON. */
    public String toJson() {
        FrameWriter value = new FrameWriter();
        value.map(2).key("type").text("result").key("value");
        MessageFrames.write(value, this);
        return MessageFrames.json(value);
    }

    /**
     * Reads upstream's JSON.
     *
     * @throws IllegalArgumentException for a text that is no result
     */
    public static ChatResult fromJson(String json) {
        return MessageFrames.result(MessageFrames.parsed("result", json));
    }

    @Override
    public String toString() {
        return "ChatResult[" + message + ", model=" + model + ", responseId=" + responseId + ", " + usage
                + ", finishReason=" + finishReason + "]";
    }
}
