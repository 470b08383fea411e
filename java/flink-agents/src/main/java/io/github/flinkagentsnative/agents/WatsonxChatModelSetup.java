package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link WatsonxChatModelConnection}. Arguments beside those of Flink Agents' own class: {@code temperature},
 * {@code max_tokens}, {@code extract_reasoning}, {@code additional_kwargs}. {@code extract_reasoning} true takes the thoughts that a
 * model writes into its text out of it.
 */
public class WatsonxChatModelSetup extends NativeChatModelSetup {

    public WatsonxChatModelSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                WatsonxChatModelSetup.class,
                "temperature",
                "max_tokens",
                "extract_reasoning",
                "additional_kwargs");
    }
}
