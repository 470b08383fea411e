package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * OpenAI Chat Completions, and servers that speak it. Arguments: {@code api_base_url}, {@code default_headers}, {@code model}; of this
 * project {@code auth} ({@code api_key_header}), {@code native_models}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries}
 * (3), {@code allow_insecure_http} (false).
 */
public class OpenAICompletionsConnection extends NativeChatModelConnection {

    private static final ConnectionTable TABLE = ConnectionTable.of(Provider.OPENAI)
            .keyed()
            .settings("api_base_url", "default_headers", "model", "auth", "native_models")
            .kwargs("tool_choice", "parallel_tool_calls");

    public OpenAICompletionsConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(descriptor, context, TABLE);
    }
}
