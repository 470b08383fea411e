package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link OllamaChatModelConnection}. Arguments beside those of Flink Agents' own class: {@code think},
 * {@code extract_reasoning}, {@code temperature}, {@code max_tokens}, {@code num_ctx}, {@code keep_alive}, {@code additional_kwargs}.
 * {@code extract_reasoning} false leaves the thoughts out of the answer.
 */
public class OllamaChatModelSetup extends NativeChatModelSetup {

    public OllamaChatModelSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                OllamaChatModelSetup.class,
                "think",
                "extract_reasoning",
                "temperature",
                "max_tokens",
                "num_ctx",
                "keep_alive",
                "additional_kwargs");
    }
}
