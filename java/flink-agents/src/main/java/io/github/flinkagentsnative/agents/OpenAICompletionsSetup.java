package io.github.flinkagentsnative.agents;

import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * A model on a {@link OpenAICompletionsConnection}. Arguments beside those of Flink Agents' own class: {@code temperature},
 * {@code max_tokens}, {@code logprobs}, {@code top_logprobs}, {@code strict}, {@code reasoning_effort}, {@code additional_kwargs}.
 */
public class OpenAICompletionsSetup extends NativeChatModelSetup {

    public OpenAICompletionsSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                OpenAICompletionsSetup.class,
                "temperature",
                "max_tokens",
                "logprobs",
                "top_logprobs",
                "strict",
                "reasoning_effort",
                "additional_kwargs");
    }
}
