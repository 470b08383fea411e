package org.apache.flink.agents.api.chat.messages;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a tool answered. */
public final class ToolResultBlock extends ContentBlock {
    private static final long serialVersionUID = 1L;
    private final String callId;
    private final transient List<DataContentBlock> blocks;
    private final boolean isError;
    private final transient Map<String, Object> metadata;

    public ToolResultBlock(
            String callId, List<? extends DataContentBlock> blocks, boolean isError, Map<String, Object> metadata) {
        if (callId == null || callId.isEmpty()) {
            throw new IllegalArgumentException("A tool result requires a call ID.");
        }
        this.callId = callId;
        this.blocks = List.copyOf(blocks);
        this.isError = isError;
        this.metadata = metadata == null ? Map.of() : new LinkedHashMap<>(metadata);
    }

    public ToolResultBlock(String callId, List<? extends DataContentBlock> blocks, boolean isError) {
        this(callId, blocks, isError, Map.of());
    }

    public String getCallId() {
        return callId;
    }

    public List<DataContentBlock> getBlocks() {
        return blocks;
    }

    public boolean isError() {
        return isError;
    }

    public Map<String, Object> getMetadata() {
        return metadata;
    }

    /** The text blocks, joined. */
    public String getText() {
        return ChatMessage.textOf(blocks);
    }

    @Override
    public String getType() {
        return "tool_result";
    }

    @Override
    public Map<String, Object> sanitize() {
        return Map.of(
                "type",
                getType(),
                "call_id",
                callId,
                "blocks",
                blocks.stream().map(ContentBlock::sanitize).toList(),
                "is_error",
                isError);
    }
}
