package io.github.flinkagentsnative;

import java.util.Map;

/**
 * A model's wish to call a tool.
 *
 * @param callId id that the tool result refers to, not empty
 * @param name tool name, not empty
 * @param input arguments as JSON values: integers are Integer, Long or BigInteger by size, other numbers BigDecimal
 * @param metadata JSON values; {@code invalid_arguments} = {@code {raw, position}} when the model's arguments are no JSON object
 */
public record ToolCallBlock(String callId, String name, Map<String, Object> input, Map<String, Object> metadata)
        implements ContentBlock {

    public ToolCallBlock {
        if (callId == null || callId.isEmpty()) {
            throw new IllegalArgumentException("A tool call block requires a call ID.");
        }
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("A tool call block requires a tool name.");
        }
        input = JsonValues.copyObject(input, "/input");
        metadata = JsonValues.copyObject(metadata, "/metadata");
    }

    public ToolCallBlock(String callId, String name, Map<String, Object> input) {
        this(callId, name, input, Map.of());
    }

    @Override
    public String type() {
        return "tool_call";
    }

    @Override
    public Map<String, Object> sanitize() {
        return LogForms.of(this);
    }

    @Override
    public String toString() {
        return "ToolCallBlock[" + callId + ", " + name + ", " + input.size() + " arguments]";
    }
}
