package org.apache.flink.agents.api.chat.messages;

import java.util.Map;

/** Text. */
public final class TextBlock extends DataContentBlock {
    private static final long serialVersionUID = 1L;
    private final String text;

    public TextBlock(String text) {
        this.text = text == null ? "" : text;
    }

    public static TextBlock of(String text) {
        return new TextBlock(text);
    }

    public String getText() {
        return text;
    }

    @Override
    public String getType() {
        return "text";
    }

    @Override
    public Map<String, Object> sanitize() {
        return Map.of("type", getType(), "text", text);
    }
}
