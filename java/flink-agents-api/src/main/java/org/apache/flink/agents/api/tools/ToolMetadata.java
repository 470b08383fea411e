package org.apache.flink.agents.api.tools;

import java.io.Serializable;

/** What a model is told about a tool. */
public class ToolMetadata implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final String description;
    private final String inputSchema;

    /** @param inputSchema a JSON Schema document as text */
    public ToolMetadata(String name, String description, String inputSchema) {
        this.name = name;
        this.description = description;
        this.inputSchema = inputSchema;
    }

    public String getName() {
        return name;
    }

    public String getDescription() {
        return description;
    }

    public String getInputSchema() {
        return inputSchema;
    }
}
