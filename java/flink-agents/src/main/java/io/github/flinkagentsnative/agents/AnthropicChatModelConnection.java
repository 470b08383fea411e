package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Anthropic Messages. Arguments: {@code model}; of this project {@code api_base_url}, {@code default_headers}, {@code anthropic_version}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries} (3),
 * {@code allow_insecure_http} (false).
 */
public class AnthropicChatModelConnection extends NativeChatModelConnection {

    public AnthropicChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                keyed(Provider.ANTHROPIC, AnthropicChatModelConnection.class),
                Names.of("api_base_url", "default_headers", "anthropic_version", "model"));
    }
}
