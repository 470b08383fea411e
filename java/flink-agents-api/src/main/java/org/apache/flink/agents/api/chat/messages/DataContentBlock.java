package org.apache.flink.agents.api.chat.messages;

/** Text or media: what a tool result may hold. */
public abstract class DataContentBlock extends ContentBlock {
    private static final long serialVersionUID = 1L;
}
