package org.apache.flink.agents.api.tools;

import org.apache.flink.agents.api.resource.ResourceType;
import org.apache.flink.agents.api.resource.SerializableResource;

/** Something that a model may ask to be called. */
public abstract class Tool extends SerializableResource {
    private static final long serialVersionUID = 1L;

    protected final ToolMetadata metadata;

    protected Tool(ToolMetadata metadata) {
        this.metadata = metadata;
    }

    @Override
    public ResourceType getResourceType() {
        return ResourceType.TOOL;
    }

    public ToolMetadata getMetadata() {
        return metadata;
    }

    public String getName() {
        return metadata.getName();
    }

    public String getDescription() {
        return metadata.getDescription();
    }

    public abstract ToolResponse call(ToolParameters parameters);
}
