package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.AwsCredentials;
import io.github.flinkagentsnative.AwsKeys;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.Provider;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Amazon Bedrock Converse. Arguments: {@code region} (that of the host, else {@code us-east-1}), {@code model}; of this project
 * {@code native_models}, {@code api_base_url}, {@code default_headers}, and who signs: {@code access_key_id} with
 * {@code secret_access_key} and perhaps {@code session_token}; {@code profile}, of the AWS files; {@code credentials_class}, also an
 * {@link AwsCredentials}; or {@code api_key}, a Bedrock API key. Without any of them the host decides: {@code AWS_BEARER_TOKEN_BEDROCK},
 * else {@link AwsCredentials#defaults}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries}
 * (3), {@code allow_insecure_http} (false).
 */
public class BedrockChatModelConnection extends NativeChatModelConnection {

    /** Flink Agents' own. */
    private static final String DEFAULT_REGION = "us-east-1";

    private static final ConnectionTable TABLE = ConnectionTable.of(Provider.BEDROCK)
            .settings("region", "api_base_url", "default_headers", "native_models", "model")
            .keys("access_key_id", "profile")
            .others("secret_access_key", "session_token")
            .start(BedrockChatModelConnection::begin)
            .kwargs("top_p", "stop", "tool_choice");

    public BedrockChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(descriptor, context, TABLE);
    }

    private static void begin(ChatModel.Builder model, ResourceDescriptor descriptor, Class<?> owner) {
        String id = descriptor.getArgument("access_key_id");
        String secret = descriptor.getArgument("secret_access_key");
        String token = descriptor.getArgument("session_token");
        String profile = descriptor.getArgument("profile");
        if (id != null || secret != null || token != null) {
            Arguments.require(descriptor, owner, "access_key_id", "secret_access_key");
            model.awsCredentials(AwsCredentials.of(AwsKeys.of(id, secret, token)));
        } else if (profile != null) {
            model.awsCredentials(AwsCredentials.ofProfile(profile));
        }
        if (descriptor.getArgument("region") == null) {
            String region = AwsCredentials.hostRegion(profile);
            model.setting("region", region == null ? DEFAULT_REGION : region);
        }
    }
}
