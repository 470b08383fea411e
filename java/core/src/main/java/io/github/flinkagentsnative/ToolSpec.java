package io.github.flinkagentsnative;

/**
 * A tool that the model may call.
 *
 * @param name not blank
 * @param description what it does, for the model; null for none
 * @param inputSchema JSON Schema document of its arguments; null for a tool that takes none
 * @param strict whether the provider has to hold arguments to the schema; null leaves it to the provider
 */
public record ToolSpec(String name, String description, String inputSchema, Boolean strict) {

    public ToolSpec {
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("A tool requires a name.");
        }
    }

    public ToolSpec(String name, String description, String inputSchema) {
        this(name, description, inputSchema, null);
    }
}
