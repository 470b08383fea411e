package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Ollama's own server, which needs no key. Arguments: {@code endpoint} ({@code http://localhost:11434}); of this project {@code default_headers}, {@code model}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries} (3),
 * {@code allow_insecure_http} (false).
 */
public class OllamaChatModelConnection extends NativeChatModelConnection {

    public OllamaChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                given -> ChatModel.builder(Provider.OLLAMA),
                Names.of("default_headers", "model").with("endpoint", "api_base_url"));
    }
}
