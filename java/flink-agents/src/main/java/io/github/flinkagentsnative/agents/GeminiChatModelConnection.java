package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Google Gemini, or Vertex AI with {@code vertex_ai}, {@code project} and {@code location}, whose key is an access token: name a
 * {@code credentials_class} that renews it. Arguments: {@code base_url}, {@code vertex_ai}, {@code project}, {@code location}, {@code model}; of this
 * project {@code api_version}, {@code default_headers}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries} (3),
 * {@code allow_insecure_http} (false).
 */
public class GeminiChatModelConnection extends NativeChatModelConnection {

    public GeminiChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                GeminiChatModelConnection::start,
                Names.of("project", "location", "api_version", "default_headers", "model")
                        .with("base_url", "api_base_url"),
                "vertex_ai");
    }

    /** The place on Vertex AI says where the call goes; {@code vertex_ai} has to agree with it. */
    private static ChatModel.Builder start(ResourceDescriptor descriptor) {
        boolean vertex = Boolean.TRUE.equals(descriptor.getArgument("vertex_ai"));
        for (String name : new String[] {"project", "location"}) {
            if (vertex) {
                Arguments.require(descriptor, GeminiChatModelConnection.class, name);
            } else if (descriptor.getArgument(name) != null) {
                throw new IllegalArgumentException(
                        "Argument '" + name + "' of GeminiChatModelConnection is for Vertex AI; set"
                                + " 'vertex_ai' to true, or leave it out.");
            }
        }
        return keyed(Provider.GEMINI, GeminiChatModelConnection.class).apply(descriptor);
    }
}
