package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link WatsonxChatModelConnection}. Arguments beside those of Flink Agents' own class: {@code temperature}, {@code max_tokens}, {@code additional_kwargs}.
 */
public class WatsonxChatModelSetup extends NativeChatModelSetup {

    public WatsonxChatModelSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                WatsonxChatModelSetup.class,
                Names.of("temperature", "max_tokens", "additional_kwargs"));
    }
}
