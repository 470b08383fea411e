package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link AnthropicChatModelConnection}. Arguments beside those of Flink Agents' own class: {@code temperature},
 * {@code max_tokens}, {@code json_prefill}, {@code strict_tools}, {@code reasoning_effort}, {@code additional_kwargs}. {@code max_tokens}
 * is 4096 unless it is set.
 */
public class AnthropicChatModelSetup extends NativeChatModelSetup {

    public AnthropicChatModelSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                AnthropicChatModelSetup.class,
                "temperature",
                "max_tokens",
                "json_prefill",
                "strict_tools",
                "reasoning_effort",
                "additional_kwargs");
    }
}
