package io.github.flinkagentsnative;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What to ask a model.
 *
 * @param messages the conversation, in order
 * @param tools tools that the model may call
 * @param parameters call parameters by name, for example {@code temperature}; JSON values
 * @param strategy which way an output schema is to travel
 * @param whenInfeasible what becomes of a schema that no request can carry
 * @param timeout total time for the call, or null for the client's default
 */
public record ChatRequest(
        List<ChatMessage> messages,
        List<ToolSpec> tools,
        Map<String, Object> parameters,
        StructuredOutputStrategy strategy,
        WhenInfeasible whenInfeasible,
        Duration timeout) {

    /**
     * @throws IllegalArgumentException for a parameter that JSON cannot hold, or a time that is not positive
     */
    public ChatRequest {
        messages = messages == null ? List.of() : List.copyOf(messages);
        tools = tools == null ? List.of() : List.copyOf(tools);
        parameters = JsonValues.copyObject(parameters, "/parameters");
        strategy = strategy == null ? StructuredOutputStrategy.AUTO : strategy;
        whenInfeasible = whenInfeasible == null ? WhenInfeasible.FAIL : whenInfeasible;
        if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
            throw new IllegalArgumentException("A request's timeout must be positive, not " + timeout + ".");
        }
    }

    public static ChatRequest of(ChatMessage... messages) {
        return builder().messages(List.of(messages)).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String toString() {
        return "ChatRequest[" + messages + ", " + tools.size() + " tools, parameters " + parameters.keySet() + ", "
                + strategy + "]";
    }

    /** Collects a request; not thread-safe. */
    public static final class Builder {
        private final List<ChatMessage> messages = new ArrayList<>();
        private final List<ToolSpec> tools = new ArrayList<>();
        private final Map<String, Object> parameters = new LinkedHashMap<>();
        private StructuredOutputStrategy strategy;
        private WhenInfeasible whenInfeasible;
        private Duration timeout;

        private Builder() {}

        public Builder message(ChatMessage message) {
            messages.add(message);
            return this;
        }

        public Builder messages(List<ChatMessage> more) {
            messages.addAll(more);
            return this;
        }

        public Builder tool(ToolSpec tool) {
            tools.add(tool);
            return this;
        }

        public Builder tools(List<ToolSpec> more) {
            tools.addAll(more);
            return this;
        }

        public Builder parameter(String name, Object value) {
            parameters.put(name, value);
            return this;
        }

        public Builder parameters(Map<String, Object> more) {
            parameters.putAll(more);
            return this;
        }

        public Builder strategy(StructuredOutputStrategy newStrategy) {
            strategy = newStrategy;
            return this;
        }

        public Builder whenInfeasible(WhenInfeasible newWhenInfeasible) {
            whenInfeasible = newWhenInfeasible;
            return this;
        }

        public Builder timeout(Duration newTimeout) {
            timeout = newTimeout;
            return this;
        }

        public ChatRequest build() {
            return new ChatRequest(messages, tools, parameters, strategy, whenInfeasible, timeout);
        }
    }
}
