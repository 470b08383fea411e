package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * IBM watsonx.ai; the key is an IBM Cloud API key, which is exchanged for tokens. Arguments: {@code api_base_url} (that of the region,
 * required), {@code project_id} or {@code space_id}, {@code api_version}, {@code default_headers}, {@code model}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries} (3),
 * {@code allow_insecure_http} (false).
 */
public class WatsonxChatModelConnection extends NativeChatModelConnection {

    public WatsonxChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                keyed(Provider.WATSONX, WatsonxChatModelConnection.class),
                Names.of("api_base_url", "project_id", "space_id", "api_version", "default_headers", "model"));
    }
}
