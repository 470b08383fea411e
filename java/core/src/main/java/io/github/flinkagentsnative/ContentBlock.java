package io.github.flinkagentsnative;

import java.util.Map;

/**
 * One part of a {@link ChatMessage} (upstream #1060). Blocks are immutable and never print what they carry.
 *
 * <p>In JSON a block is an object whose {@code type} tells the kind.
 */
public sealed interface ContentBlock permits DataContentBlock, ReasoningBlock, ToolCallBlock, ToolResultBlock {

    /** The kind in JSON, for example {@code text} or {@code tool_call}. */
    String type();

    /**
     * The block for logs (upstream #1060): JSON values that hold no payload and no URL of media. Texts and tool arguments stay as they
     * are; of metadata, which may hold anything, only {@code item_id} and {@code invalid_arguments} of a tool call stay.
     */
    Map<String, Object> sanitize();
}
