package org.apache.flink.agents.api.chat.messages;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a model thought. */
public final class ReasoningBlock extends ContentBlock {
    private static final long serialVersionUID = 1L;
    private final String text;
    private final transient Map<String, Object> metadata;

    public ReasoningBlock(String text, Map<String, Object> metadata) {
        this.text = text;
        this.metadata = metadata == null ? Map.of() : new LinkedHashMap<>(metadata);
    }

    public ReasoningBlock(String text) {
        this(text, Map.of());
    }

    /** May be null. */
    public String getText() {
        return text;
    }

    public Map<String, Object> getMetadata() {
        return metadata;
    }

    @Override
    public String getType() {
        return "reasoning";
    }

    @Override
    public Map<String, Object> sanitize() {
        return Map.of("type", getType());
    }
}
