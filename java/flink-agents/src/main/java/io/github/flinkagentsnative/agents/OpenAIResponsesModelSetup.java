package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link OpenAIResponsesModelConnection}. Arguments beside those of Flink Agents' own class: {@code temperature},
 * {@code max_tokens}, {@code strict}, {@code reasoning_effort}, {@code store}, {@code instructions}, {@code additional_kwargs}.
 */
public class OpenAIResponsesModelSetup extends NativeChatModelSetup {

    public OpenAIResponsesModelSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                OpenAIResponsesModelSetup.class,
                "temperature",
                "max_tokens",
                "strict",
                "reasoning_effort",
                "store",
                "instructions",
                "additional_kwargs");
    }
}
