package org.apache.flink.agents.api.chat.model;

import java.util.Arrays;

/** Which way a schema is to travel (#843). */
public enum StructuredOutputStrategy {
    AUTO,
    NATIVE,
    PROMPT;

    private static final String EXPECTED = "Expected one of: AUTO, NATIVE, PROMPT.";

    /** NATIVE with INFEASIBLE is an {@link IllegalArgumentException}. */
    public boolean resolvesToNative(NativeStructuredOutputSupport support) {
        if (this == NATIVE && support == NativeStructuredOutputSupport.INFEASIBLE) {
            throw new IllegalArgumentException(
                    "Structured output strategy NATIVE was requested, but the schema cannot be"
                            + " applied natively. Use AUTO or PROMPT.");
        }
        return this == NATIVE || this == AUTO && support == NativeStructuredOutputSupport.NATIVE_RECOMMENDED;
    }

    /** A strategy, or its name in any case. */
    public static StructuredOutputStrategy fromArgument(Object argument, StructuredOutputStrategy defaultStrategy) {
        if (argument == null) {
            return defaultStrategy;
        } else if (argument instanceof StructuredOutputStrategy strategy) {
            return strategy;
        } else if (argument instanceof String name) {
            return Arrays.stream(values())
                    .filter(value -> value.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "Unknown structured output strategy '" + name + "'. " + EXPECTED));
        }
        throw new IllegalArgumentException("Unsupported structured output strategy type '"
                + argument.getClass().getName() + "'. " + EXPECTED);
    }
}
