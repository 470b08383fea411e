package org.apache.flink.agents.api.tools;

import java.util.List;
import org.apache.flink.agents.api.chat.messages.DataContentBlock;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;

/** What a tool answered. */
public final class ToolResponse {
    private final List<DataContentBlock> blocks;
    private final String error;

    private ToolResponse(List<? extends DataContentBlock> blocks, String error) {
        this.blocks = List.copyOf(blocks);
        this.error = error;
    }

    public static ToolResponse success(List<? extends DataContentBlock> blocks) {
        return new ToolResponse(blocks, null);
    }

    public static ToolResponse text(String text) {
        return success(List.of(TextBlock.of(text)));
    }

    public static ToolResponse error(String error) {
        return new ToolResponse(List.of(TextBlock.of(error)), error);
    }

    public static ToolResponse error(Throwable error) {
        return error(String.valueOf(error.getMessage()));
    }

    public List<DataContentBlock> getBlocks() {
        return blocks;
    }

    public boolean isError() {
        return error != null;
    }

    public String getError() {
        return error;
    }

    public ToolResultBlock toResultBlock(String callId) {
        return new ToolResultBlock(callId, blocks, isError());
    }
}
