package org.apache.flink.agents.api.resource;

/** Kinds of resources; upstream knows more. */
public enum ResourceType {
    CHAT_MODEL,
    CHAT_MODEL_CONNECTION,
    PROMPT,
    TOOL
}
