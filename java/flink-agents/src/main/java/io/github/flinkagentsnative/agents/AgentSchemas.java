package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.flink.RowSchemas;

/** What Flink Agents passes as an output schema, as this library's. */
public final class AgentSchemas {
    private AgentSchemas() {}

    /**
     * The schema behind {@code outputSchema}: a {@link Class}, Flink Agents' {@code OutputSchema} of a row type (#1270), or this library's
     * own {@link OutputSchema}, the only one that carries a JSON Schema document.
     *
     * <p>{@link OutputSchema#text()} is what the prompt path shows ({@link OutputSchema#instruction()} with a sentence around it), and
     * {@link OutputSchema#read(String)} reads an answer: an object of the class, or a {@code Row} with the declared types. A row type is
     * never sent natively.
     *
     * @return null for null
     * @throws IllegalArgumentException for something else, and for a class or row type that has no schema
     */
    public static OutputSchema<?> of(Object outputSchema) {
        if (outputSchema == null) {
            return null;
        } else if (outputSchema instanceof Class<?> type) {
            return OutputSchema.of(type);
        } else if (outputSchema instanceof org.apache.flink.agents.api.agents.OutputSchema rows) {
            return RowSchemas.of(rows.getSchema());
        } else if (outputSchema instanceof OutputSchema<?> schema) {
            return schema;
        }
        throw new IllegalArgumentException(
                "An output schema must be a class, Flink Agents' OutputSchema, or " + OutputSchema.class.getName()
                        + ", not a " + outputSchema.getClass().getName() + ".");
    }
}
