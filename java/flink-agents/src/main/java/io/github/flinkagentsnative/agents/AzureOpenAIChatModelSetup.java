package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link AzureOpenAIChatModelConnection}. Arguments beside those of Flink Agents' own class:
 * {@code model_of_azure_deployment}, {@code temperature}, {@code max_tokens}, {@code logprobs}, {@code top_logprobs},
 * {@code reasoning_effort}, {@code additional_kwargs}. {@code model} is the deployment.
 */
public class AzureOpenAIChatModelSetup extends NativeChatModelSetup {

    public AzureOpenAIChatModelSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                AzureOpenAIChatModelSetup.class,
                "model_of_azure_deployment",
                "temperature",
                "max_tokens",
                "logprobs",
                "top_logprobs",
                "reasoning_effort",
                "additional_kwargs");
    }
}
