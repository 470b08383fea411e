package io.github.flinkagentsnative;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One message of a conversation, in upstream's shape (#1060, #1185). Immutable; never prints its content.
 *
 * @param role who speaks
 * @param blocks what is said, in order; an empty text gives no block
 * @param metadata JSON values; {@code refusal} is the one key that providers write and read
 */
public record ChatMessage(MessageRole role, List<ContentBlock> blocks, Map<String, Object> metadata) {

    /**
     * @throws IllegalArgumentException when a block does not belong into a message of this role
     */
    public ChatMessage {
        if (role == null) {
            throw new IllegalArgumentException("A chat message requires a role.");
        }
        if (blocks == null) {
            throw new IllegalArgumentException("A chat message requires blocks; the list may be empty.");
        }
        blocks = List.copyOf(blocks);
        metadata = JsonValues.copyObject(metadata, "/metadata");
        checkBlocks(role, blocks);
    }

    public ChatMessage(MessageRole role, List<? extends ContentBlock> blocks) {
        this(role, listOf(blocks), Map.of());
    }

    public ChatMessage(MessageRole role, String text) {
        this(role, textBlocks(text), Map.of());
    }

    public static ChatMessage user(String text) {
        return new ChatMessage(MessageRole.USER, text);
    }

    public static ChatMessage user(List<? extends ContentBlock> blocks) {
        return new ChatMessage(MessageRole.USER, blocks);
    }

    public static ChatMessage system(String text) {
        return new ChatMessage(MessageRole.SYSTEM, text);
    }

    public static ChatMessage assistant(String text) {
        return new ChatMessage(MessageRole.ASSISTANT, text);
    }

    public static ChatMessage assistant(List<? extends ContentBlock> blocks) {
        return new ChatMessage(MessageRole.ASSISTANT, blocks);
    }

    public static ChatMessage tool(ToolResultBlock result) {
        return new ChatMessage(MessageRole.TOOL, result == null ? List.of() : List.of(result));
    }

    public ChatMessage withBlocks(List<? extends ContentBlock> newBlocks) {
        return new ChatMessage(role, listOf(newBlocks), metadata);
    }

    public ChatMessage withMetadata(Map<String, Object> newMetadata) {
        return new ChatMessage(role, blocks, newMetadata);
    }

    /** The top-level text blocks, joined without separator; {@code ""} when there is none. */
    public String text() {
        return textOf(blocks);
    }

    /** The tool calls in order. */
    public List<ToolCallBlock> toolCalls() {
        return blocks.stream()
                .filter(ToolCallBlock.class::isInstance)
                .map(ToolCallBlock.class::cast)
                .toList();
    }

    /** Upstream's JSON: {@code role}, {@code blocks}, {@code metadata}. */
    public String toJson() {
        FrameWriter value = new FrameWriter();
        value.map(2).key("type").text("message").key("value");
        MessageFrames.write(value, this);
        return MessageFrames.json(value);
    }

    /**
     * The message for logs: {@code role}, {@code blocks}, each as {@link ContentBlock#sanitize} gives it, and, when the model refused,
     * {@code metadata} with the text {@code refusal} alone: metadata may hold anything.
     */
    public Map<String, Object> sanitize() {
        return LogForms.of(this);
    }

    /**
     * Reads upstream's JSON, also the form of the generation before ({@code content}, {@code tool_calls}).
     *
     * @throws IllegalArgumentException for a text that is no message
     */
    public static ChatMessage fromJson(String json) {
        return MessageFrames.message(MessageFrames.parsed("message", json));
    }

    @Override
    public String toString() {
        return "ChatMessage[" + role + ", " + blocks + "]";
    }

    static String textOf(List<? extends ContentBlock> blocks) {
        StringBuilder text = new StringBuilder();
        for (ContentBlock block : blocks) {
            if (block instanceof TextBlock textBlock) {
                text.append(textBlock.text());
            }
        }
        return text.toString();
    }

    private static List<ContentBlock> listOf(List<? extends ContentBlock> blocks) {
        return blocks == null ? null : List.copyOf(blocks);
    }

    private static List<ContentBlock> textBlocks(String text) {
        return text == null || text.isEmpty() ? List.of() : List.of(new TextBlock(text));
    }

    private static void checkBlocks(MessageRole role, List<ContentBlock> blocks) {
        boolean tool = role == MessageRole.TOOL;
        if (tool && (blocks.size() != 1 || !(blocks.get(0) instanceof ToolResultBlock))) {
            throw new IllegalArgumentException("A TOOL message requires exactly one ToolResultBlock");
        }
        Set<String> callIds = new HashSet<>();
        for (ContentBlock block : blocks) {
            if (!tool && block instanceof ToolResultBlock) {
                throw new IllegalArgumentException("ToolResultBlock requires TOOL role");
            }
            if (role == MessageRole.SYSTEM && !(block instanceof TextBlock)) {
                throw new IllegalArgumentException("SYSTEM messages accept only text");
            }
            if (role == MessageRole.USER && !(block instanceof DataContentBlock)) {
                throw new IllegalArgumentException("USER messages accept only text and media");
            }
            if (block instanceof ToolCallBlock call && !callIds.add(call.callId())) {
                throw new IllegalArgumentException("Duplicate tool call ID in one message");
            }
        }
    }
}
