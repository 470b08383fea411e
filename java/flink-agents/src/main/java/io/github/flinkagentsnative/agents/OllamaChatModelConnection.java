package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Ollama's own server, which needs no key. Arguments: {@code endpoint} ({@code http://localhost:11434}), {@code requestTimeout} (Flink
 * Agents' name for {@code timeout}); of this project {@code default_headers}, {@code model}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries}
 * (3), {@code allow_insecure_http} (false).
 */
public class OllamaChatModelConnection extends NativeChatModelConnection {

    private static final ConnectionTable TABLE = ConnectionTable.of(Provider.OLLAMA)
            .settings("default_headers", "model")
            .setting("endpoint", "api_base_url")
            .timeout("requestTimeout", 60)
            .kwargs(
                    "top_p",
                    "top_k",
                    "min_p",
                    "seed",
                    "stop",
                    "repeat_penalty",
                    "frequency_penalty",
                    "presence_penalty",
                    "options",
                    "format");

    public OllamaChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(descriptor, context, TABLE);
    }
}
