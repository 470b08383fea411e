package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Google Gemini, or Vertex AI with {@code vertex_ai}, {@code project} and {@code location}, whose key is an access token: name a
 * {@code credentials_class} that renews it. Arguments: {@code base_url}, {@code vertex_ai}, {@code project}, {@code location},
 * {@code model}; of this project {@code api_version}, {@code auth}, {@code default_headers}, {@code native_models}. Without a key, a
 * proxy at {@code base_url} has to bring its own.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (600), {@code max_retries}
 * (3), {@code allow_insecure_http} (false).
 */
public class GeminiChatModelConnection extends NativeChatModelConnection {

    /** Flink Agents sets none, and its SDK has none. */
    private static final int TIMEOUT_SECONDS = 600;

    private static final ConnectionTable TABLE = ConnectionTable.of(Provider.GEMINI)
            .settings("project", "location", "api_version", "auth", "default_headers", "native_models", "model")
            .setting("base_url", "api_base_url")
            .others("vertex_ai")
            .start(GeminiChatModelConnection::begin)
            .timeout("timeout", TIMEOUT_SECONDS)
            .parameter("max_output_tokens", "max_tokens")
            .kwargs(
                    "top_p",
                    "top_k",
                    "seed",
                    "logprobs",
                    "top_logprobs",
                    "frequency_penalty",
                    "presence_penalty",
                    "thinking_budget",
                    "include_thoughts",
                    "tool_choice")
            .kwarg("stop_sequences", "stop");

    public GeminiChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(descriptor, context, TABLE);
    }

    /** The place on Vertex AI says where the call goes; {@code vertex_ai} has to agree with it. */
    private static void begin(ChatModel.Builder model, ResourceDescriptor descriptor, Class<?> owner) {
        boolean vertex = Boolean.TRUE.equals(descriptor.getArgument("vertex_ai"));
        for (String name : new String[] {"project", "location"}) {
            if (vertex) {
                Arguments.require(descriptor, owner, name);
            } else if (descriptor.getArgument(name) != null) {
                throw new IllegalArgumentException("Argument '" + name + "' of " + owner.getSimpleName()
                        + " is for Vertex AI; set 'vertex_ai' to true, or leave it out.");
            }
        }
        boolean keyless =
                descriptor.getArgument("api_key") == null && descriptor.getArgument("credentials_class") == null;
        if (keyless && !vertex && descriptor.getArgument("base_url") != null) {
            model.keyless();
        } else if (keyless) {
            Arguments.requireOne(descriptor, owner, "api_key", "credentials_class");
        }
    }
}
