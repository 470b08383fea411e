package org.apache.flink.agents.api.resource;

import java.io.Serializable;

/** A resource that travels in the plan itself. */
public abstract class SerializableResource extends Resource implements Serializable {
    private static final long serialVersionUID = 1L;
}
