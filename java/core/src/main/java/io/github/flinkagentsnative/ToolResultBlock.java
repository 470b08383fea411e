package io.github.flinkagentsnative;

import java.util.List;
import java.util.Map;

/**
 * What a tool answered; a TOOL message holds exactly one.
 *
 * @param callId id of the tool call, not empty
 * @param blocks text and media in order, possibly none
 * @param isError whether the tool failed
 * @param metadata JSON values
 */
public record ToolResultBlock(
        String callId, List<DataContentBlock> blocks, boolean isError, Map<String, Object> metadata)
        implements ContentBlock {

    public ToolResultBlock {
        if (callId == null || callId.isEmpty()) {
            throw new IllegalArgumentException("A tool result block requires a call ID.");
        }
        if (blocks == null) {
            throw new IllegalArgumentException("A tool result block requires blocks; the list may be empty.");
        }
        blocks = List.copyOf(blocks);
        metadata = JsonValues.copyObject(metadata, "/metadata");
    }

    public ToolResultBlock(String callId, List<DataContentBlock> blocks, boolean isError) {
        this(callId, blocks, isError, Map.of());
    }

    /** A successful result of one text. */
    public static ToolResultBlock of(String callId, String text) {
        return new ToolResultBlock(callId, List.of(new TextBlock(text)), false);
    }

    /** A failed result; the text tells the model what went wrong. */
    public static ToolResultBlock error(String callId, String text) {
        return new ToolResultBlock(callId, List.of(new TextBlock(text)), true);
    }

    /** The text blocks, joined without separator. */
    public String text() {
        return ChatMessage.textOf(blocks);
    }

    @Override
    public String type() {
        return "tool_result";
    }

    @Override
    public Map<String, Object> sanitize() {
        return LogForms.of(this);
    }

    @Override
    public String toString() {
        return "ToolResultBlock[" + callId + ", " + blocks.size() + " blocks" + (isError ? ", error" : "") + "]";
    }
}
