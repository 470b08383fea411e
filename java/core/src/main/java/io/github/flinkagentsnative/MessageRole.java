package io.github.flinkagentsnative;

import java.util.Locale;

/** Who speaks in a {@link ChatMessage}. */
public enum MessageRole {
    USER,
    ASSISTANT,
    SYSTEM,
    TOOL;

    /** The role in JSON: {@code user}, {@code assistant}, {@code system} or {@code tool}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static MessageRole of(String wireName) {
        for (MessageRole role : values()) {
            if (role.wireName().equals(wireName)) {
                return role;
            }
        }
        throw new IllegalArgumentException(
                "Unknown message role '" + wireName + "'. Expected one of: system, user, assistant, tool.");
    }
}
