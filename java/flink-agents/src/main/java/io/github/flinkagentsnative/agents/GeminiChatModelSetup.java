package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link GeminiChatModelConnection}. Arguments beside those of Flink Agents' own class: {@code temperature},
 * {@code max_output_tokens}, {@code reasoning_effort}, {@code additional_kwargs}.
 */
public class GeminiChatModelSetup extends NativeChatModelSetup {

    public GeminiChatModelSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                GeminiChatModelSetup.class,
                "temperature",
                "max_output_tokens",
                "reasoning_effort",
                "additional_kwargs");
    }
}
