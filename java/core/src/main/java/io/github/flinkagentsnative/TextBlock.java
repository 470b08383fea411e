package io.github.flinkagentsnative;

import java.util.Map;

/**
 * Text, allowed in every role and in tool results.
 *
 * @param text the text, possibly empty, never null
 */
public record TextBlock(String text) implements DataContentBlock {

    public TextBlock {
        if (text == null) {
            throw new IllegalArgumentException("A text block requires a text.");
        }
    }

    public static TextBlock of(String text) {
        return new TextBlock(text);
    }

    @Override
    public String type() {
        return "text";
    }

    @Override
    public Map<String, Object> sanitize() {
        return LogForms.of(this);
    }

    @Override
    public String toString() {
        return "TextBlock[" + text.length() + " characters]";
    }
}
