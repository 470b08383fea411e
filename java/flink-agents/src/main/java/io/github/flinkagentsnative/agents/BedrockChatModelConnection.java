package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.AwsCredentials;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Amazon Bedrock Converse. Without a key, calls are signed with the AWS keys that the host has ({@link
 * io.github.flinkagentsnative.AwsCredentials#defaults}). Arguments: {@code region} (default: that of the host), {@code model}; of this project
 * {@code profile} (of the AWS files), {@code api_base_url}, {@code default_headers}; {@code api_key} is a Bedrock API key.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries} (3),
 * {@code allow_insecure_http} (false).
 */
public class BedrockChatModelConnection extends NativeChatModelConnection {

    public BedrockChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(
                descriptor,
                context,
                BedrockChatModelConnection::start,
                Names.of("region", "api_base_url", "default_headers", "model"),
                "profile");
    }

    private static ChatModel.Builder start(ResourceDescriptor descriptor) {
        ChatModel.Builder builder = ChatModel.builder(Provider.BEDROCK);
        String profile = descriptor.getArgument("profile");
        if (profile != null) {
            if (descriptor.getArgument("api_key") != null || descriptor.getArgument("credentials_class") != null) {
                throw new IllegalArgumentException(
                        "Argument 'profile' of BedrockChatModelConnection excludes 'api_key' and"
                                + " 'credentials_class'; keep one of them.");
            }
            builder.awsCredentials(AwsCredentials.ofProfile(profile));
        }
        return builder;
    }
}
