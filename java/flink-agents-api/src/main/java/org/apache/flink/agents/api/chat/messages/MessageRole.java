package org.apache.flink.agents.api.chat.messages;

/** Who speaks. */
public enum MessageRole {
    USER("user"),
    ASSISTANT("assistant"),
    SYSTEM("system"),
    TOOL("tool");

    private final String value;

    MessageRole(String value) {
        this.value = value;
    }

    /** The role in JSON. */
    public String getValue() {
        return value;
    }
}
