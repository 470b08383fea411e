package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link BedrockChatModelConnection}. Arguments beside those of Flink Agents' own class: {@code temperature},
 * {@code max_tokens}, {@code strict}, {@code additional_kwargs}.
 */
public class BedrockChatModelSetup extends NativeChatModelSetup {

    public BedrockChatModelSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                BedrockChatModelSetup.class,
                "temperature",
                "max_tokens",
                "strict",
                "additional_kwargs");
    }
}
