package org.apache.flink.agents.api.chat.messages;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a provider answered (#1185). */
public final class ChatResult {
    private final ChatMessage message;
    private final String model;
    private final String responseId;
    private final TokenUsage usage;
    private final String finishReason;
    private final Map<String, Object> metadata;

    public ChatResult(
            ChatMessage message,
            String model,
            String responseId,
            TokenUsage usage,
            String finishReason,
            Map<String, Object> metadata) {
        if (message == null || message.getRole() != MessageRole.ASSISTANT) {
            throw new IllegalArgumentException("ChatResult requires an ASSISTANT message");
        }
        this.message = message;
        this.model = model;
        this.responseId = responseId;
        this.usage = usage;
        this.finishReason = finishReason;
        this.metadata = metadata == null ? Map.of() : new LinkedHashMap<>(metadata);
    }

    public ChatResult(ChatMessage message) {
        this(message, null, null, null, null, Map.of());
    }

    public ChatMessage getMessage() {
        return message;
    }

    public String getModel() {
        return model;
    }

    public String getResponseId() {
        return responseId;
    }

    public TokenUsage getUsage() {
        return usage;
    }

    public String getFinishReason() {
        return finishReason;
    }

    public Map<String, Object> getMetadata() {
        return metadata;
    }

    public String getText() {
        return message.getText();
    }

    public List<ToolCallBlock> getToolCalls() {
        return message.getToolCalls();
    }

    public List<ContentBlock> getBlocks() {
        return message.getBlocks();
    }

    public Map<String, Object> toMap() {
        return MessageMaps.write(this);
    }

    public static ChatResult fromMap(Map<String, Object> map) {
        return MessageMaps.result(map);
    }
}
