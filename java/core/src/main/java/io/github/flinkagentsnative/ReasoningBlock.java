package io.github.flinkagentsnative;

import java.util.Map;

/**
 * What a model thought, in assistant messages only. {@code metadata} holds one key for each provider that can take its own
 * reasoning back (upstream #1185).
 *
 * @param text readable reasoning, or null
 * @param metadata JSON values
 */
public record ReasoningBlock(String text, Map<String, Object> metadata) implements ContentBlock {

    public ReasoningBlock {
        metadata = JsonValues.copyObject(metadata, "/metadata");
    }

    public ReasoningBlock(String text) {
        this(text, Map.of());
    }

    @Override
    public String type() {
        return "reasoning";
    }

    @Override
    public Map<String, Object> sanitize() {
        return LogForms.of(this);
    }

    @Override
    public String toString() {
        return "ReasoningBlock[" + (text == null ? 0 : text.length()) + " characters]";
    }
}
