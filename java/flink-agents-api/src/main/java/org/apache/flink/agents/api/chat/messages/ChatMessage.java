package org.apache.flink.agents.api.chat.messages;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One message of a conversation (#1060, #1185). */
public final class ChatMessage {
    private final MessageRole role;
    private final List<ContentBlock> blocks;
    private final Map<String, Object> metadata;

    public ChatMessage(MessageRole role, List<? extends ContentBlock> blocks, Map<String, Object> metadata) {
        this.role = role;
        this.blocks = List.copyOf(blocks);
        this.metadata = metadata == null ? Map.of() : new LinkedHashMap<>(metadata);
        check();
    }

    public ChatMessage(MessageRole role, List<? extends ContentBlock> blocks) {
        this(role, blocks, Map.of());
    }

    public ChatMessage(MessageRole role, String text) {
        this(role, text == null || text.isEmpty() ? List.of() : List.of(new TextBlock(text)));
    }

    private void check() {
        if (role == MessageRole.TOOL && (blocks.size() != 1 || !(blocks.get(0) instanceof ToolResultBlock))) {
            throw new IllegalArgumentException("A TOOL message requires exactly one ToolResultBlock");
        }
        Set<String> callIds = new HashSet<>();
        for (ContentBlock block : blocks) {
            if (role != MessageRole.TOOL && block instanceof ToolResultBlock) {
                throw new IllegalArgumentException("ToolResultBlock requires TOOL role");
            }
            if (role == MessageRole.SYSTEM && !(block instanceof TextBlock)) {
                throw new IllegalArgumentException("SYSTEM messages accept only text");
            }
            if (role == MessageRole.USER && !(block instanceof DataContentBlock)) {
                throw new IllegalArgumentException("USER messages accept only text and media");
            }
            if (block instanceof ToolCallBlock call && !callIds.add(call.getCallId())) {
                throw new IllegalArgumentException("Duplicate tool call ID in one message");
            }
        }
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
        return new ChatMessage(MessageRole.TOOL, List.of(result));
    }

    /** Null when there is none. */
    public static ChatMessage findFirstSystemMessage(List<ChatMessage> messages) {
        return messages.stream()
                .filter(message -> message.role == MessageRole.SYSTEM)
                .findFirst()
                .orElse(null);
    }

    public MessageRole getRole() {
        return role;
    }

    public List<ContentBlock> getBlocks() {
        return blocks;
    }

    public Map<String, Object> getMetadata() {
        return metadata;
    }

    /** The top-level text blocks, joined. */
    public String getText() {
        return textOf(blocks);
    }

    public List<ToolCallBlock> getToolCalls() {
        return blocks.stream()
                .filter(ToolCallBlock.class::isInstance)
                .map(ToolCallBlock.class::cast)
                .toList();
    }

    public ChatMessage withBlocks(List<? extends ContentBlock> newBlocks) {
        return new ChatMessage(role, newBlocks, metadata);
    }

    public ChatMessage withMetadata(Map<String, Object> newMetadata) {
        return new ChatMessage(role, blocks, newMetadata);
    }

    /** {@code role}, {@code blocks}, {@code metadata}. */
    public Map<String, Object> toMap() {
        return MessageMaps.write(this);
    }

    /** Missing {@code blocks} and {@code metadata} are empty; other members are refused. */
    public static ChatMessage fromMap(Map<String, Object> map) {
        return MessageMaps.read(map);
    }

    static String textOf(List<? extends ContentBlock> blocks) {
        StringBuilder text = new StringBuilder();
        blocks.forEach(block -> text.append(block instanceof TextBlock part ? part.getText() : ""));
        return text.toString();
    }
}
