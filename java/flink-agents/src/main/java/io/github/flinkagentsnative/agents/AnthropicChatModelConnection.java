package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Anthropic Messages. Arguments: {@code model}; of this project {@code api_base_url}, {@code default_headers}, {@code anthropic_version},
 * {@code auth} ({@code bearer}), {@code native_models}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (600), {@code max_retries} (3),
 * {@code allow_insecure_http} (false).
 */
public class AnthropicChatModelConnection extends NativeChatModelConnection {

    /** What its SDK takes for a call, and Flink Agents leaves to it. */
    private static final int TIMEOUT_SECONDS = 600;

    private static final ConnectionTable TABLE = ConnectionTable.of(Provider.ANTHROPIC)
            .keyed()
            .settings("api_base_url", "default_headers", "anthropic_version", "auth", "native_models", "model")
            .timeout("timeout", TIMEOUT_SECONDS)
            .parameter("strict_tools", "strict")
            .kwargs("top_p", "top_k", "thinking", "tool_choice", "service_tier")
            .kwarg("stop_sequences", "stop")
            .kwarg("output_config.effort", "reasoning_effort");

    public AnthropicChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(descriptor, context, TABLE);
    }
}
