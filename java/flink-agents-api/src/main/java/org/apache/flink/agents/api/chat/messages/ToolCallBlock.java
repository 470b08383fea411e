package org.apache.flink.agents.api.chat.messages;

import java.util.LinkedHashMap;
import java.util.Map;

/** A model's wish to call a tool. */
public final class ToolCallBlock extends ContentBlock {
    private static final long serialVersionUID = 1L;
    private final String callId;
    private final String name;
    private final transient Map<String, Object> input;
    private final transient Map<String, Object> metadata;

    public ToolCallBlock(String callId, String name, Map<String, Object> input, Map<String, Object> metadata) {
        if (callId == null || callId.isEmpty()) {
            throw new IllegalArgumentException("A tool call requires a call ID.");
        }
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("A tool call requires a name.");
        }
        this.callId = callId;
        this.name = name;
        this.input = input == null ? Map.of() : new LinkedHashMap<>(input);
        this.metadata = metadata == null ? Map.of() : new LinkedHashMap<>(metadata);
    }

    public ToolCallBlock(String callId, String name, Map<String, Object> input) {
        this(callId, name, input, Map.of());
    }

    public String getCallId() {
        return callId;
    }

    public String getName() {
        return name;
    }

    public Map<String, Object> getInput() {
        return input;
    }

    public Map<String, Object> getMetadata() {
        return metadata;
    }

    @Override
    public String getType() {
        return "tool_call";
    }

    @Override
    public Map<String, Object> sanitize() {
        return Map.of("type", getType(), "call_id", callId, "name", name);
    }
}
