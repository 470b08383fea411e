package org.apache.flink.agents.api.chat.messages;

import java.io.Serializable;

/** Where content is. */
public abstract class MediaSource implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The value of {@code type} in JSON. */
    public abstract String getType();

    /** Size in bytes, or null when it cannot be told. */
    public abstract Long getSizeBytes();
}
