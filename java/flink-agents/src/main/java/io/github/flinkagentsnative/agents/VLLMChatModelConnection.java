package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * vLLM's own server; without a key it gets {@code EMPTY}. Arguments: {@code api_base_url}, {@code default_headers}, {@code model}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries} (3),
 * {@code allow_insecure_http} (false).
 */
public class VLLMChatModelConnection extends NativeChatModelConnection {

    private static final ConnectionTable TABLE = ConnectionTable.of(Provider.VLLM)
            .settings("api_base_url", "default_headers", "model")
            .kwargs("tool_choice", "parallel_tool_calls");

    public VLLMChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(descriptor, context, TABLE);
    }
}
