package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Alibaba Cloud's DashScope. Arguments: {@code region} ({@code cn}, {@code intl}), {@code api_type} ({@code compatible}, {@code text},
 * {@code multimodal}, {@code auto}), {@code api_base_url}, {@code default_headers}, {@code native_models}, {@code model}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries} (3),
 * {@code allow_insecure_http} (false).
 */
public class DashScopeChatModelConnection extends NativeChatModelConnection {

    private static final ConnectionTable TABLE = ConnectionTable.of(Provider.DASHSCOPE)
            .keyed()
            .settings("region", "api_type", "api_base_url", "default_headers", "native_models", "model")
            .kwargs("tool_choice", "parallel_tool_calls");

    public DashScopeChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(descriptor, context, TABLE);
    }
}
