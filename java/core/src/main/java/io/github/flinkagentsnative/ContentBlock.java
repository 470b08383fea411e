package io.github.flinkagentsnative;

/**
 * One part of a {@link ChatMessage} (upstream #1060). Blocks are immutable and never print what they carry.
 *
 * <p>In JSON a block is an object whose {@code type} tells the kind.
 */
public sealed interface ContentBlock permits DataContentBlock, ReasoningBlock, ToolCallBlock, ToolResultBlock {

    /** The kind in JSON, for example {@code text} or {@code tool_call}. */
    String type();
}
