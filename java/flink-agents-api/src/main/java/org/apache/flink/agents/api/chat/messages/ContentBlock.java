package org.apache.flink.agents.api.chat.messages;

import java.io.Serializable;
import java.util.Map;

/** A part of a message. */
public abstract class ContentBlock implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The value of {@code type} in JSON. */
    public abstract String getType();

    /** The block as the event log may show it, without payload or URL. */
    public abstract Map<String, Object> sanitize();
}
