package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link DashScopeChatModelConnection}. Arguments beside those of Flink Agents' own class: {@code temperature},
 * {@code max_tokens}, {@code enable_thinking}, {@code thinking_budget}, {@code additional_kwargs}.
 */
public class DashScopeChatModelSetup extends NativeChatModelSetup {

    public DashScopeChatModelSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                DashScopeChatModelSetup.class,
                "temperature",
                "max_tokens",
                "enable_thinking",
                "thinking_budget",
                "additional_kwargs");
    }
}
