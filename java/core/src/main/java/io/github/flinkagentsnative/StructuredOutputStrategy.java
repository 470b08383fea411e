package io.github.flinkagentsnative;

/** Which way an output schema is to travel (upstream #843). */
public enum StructuredOutputStrategy {
    /** Natively when that is recommended, else in the prompt. */
    AUTO,
    /** Natively; a schema that no request can carry is an error before any call. */
    NATIVE,
    /** In the prompt. */
    PROMPT;

    private static final String EXPECTED = "Expected one of: AUTO, NATIVE, PROMPT.";

    /**
     * A strategy from a setting: null gives {@code defaultStrategy}, a strategy itself, a text its name in any case.
     *
     * @throws IllegalArgumentException for another text or type
     */
    public static StructuredOutputStrategy fromArgument(Object argument, StructuredOutputStrategy defaultStrategy) {
        if (argument == null) {
            return defaultStrategy;
        }
        if (argument instanceof StructuredOutputStrategy strategy) {
            return strategy;
        }
        if (argument instanceof String name) {
            return named(name);
        }
        throw new IllegalArgumentException("Unsupported structured output strategy type '"
                + argument.getClass().getName() + "'. " + EXPECTED);
    }

    private static StructuredOutputStrategy named(String name) {
        for (StructuredOutputStrategy strategy : values()) {
            if (strategy.name().equalsIgnoreCase(name.trim())) {
                return strategy;
            }
        }
        throw new IllegalArgumentException("Unknown structured output strategy '" + name + "'. " + EXPECTED);
    }

    /**
     * The decision table of upstream #1215.
     *
     * @throws IllegalArgumentException when NATIVE is asked for and infeasible
     */
    public boolean resolvesToNative(NativeStructuredOutputSupport support) {
        return switch (this) {
            case PROMPT -> false;
            case AUTO -> support == NativeStructuredOutputSupport.NATIVE_RECOMMENDED;
            case NATIVE -> {
                if (support == NativeStructuredOutputSupport.INFEASIBLE) {
                    throw new IllegalArgumentException(
                            "Structured output strategy NATIVE was requested, but the request cannot carry the"
                                    + " output schema natively. Use AUTO or PROMPT.");
                }
                yield true;
            }
        };
    }
}
