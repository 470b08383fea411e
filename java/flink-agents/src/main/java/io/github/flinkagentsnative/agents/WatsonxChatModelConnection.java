package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.Provider;
import io.github.flinkagentsnative.Secret;
import io.github.flinkagentsnative.TransportOptions;
import io.github.flinkagentsnative.WatsonxCredentials;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * IBM watsonx.ai. Arguments: {@code url} (that of the region, required), {@code api_key} (an IBM Cloud API key, which is exchanged for
 * tokens at {@code iam_url}) or {@code token} (used as it is), {@code project_id} or {@code space_id}, {@code api_version},
 * {@code request_timeout} (Flink Agents' name for {@code timeout}); of this project {@code default_headers}, {@code model}. What the
 * descriptor leaves out comes from {@code WATSONX_URL}, {@code WATSONX_API_KEY}, {@code WATSONX_TOKEN}, {@code WATSONX_PROJECT_ID} and
 * {@code WATSONX_SPACE_ID}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (120), {@code max_retries}
 * (3), {@code allow_insecure_http} (false).
 */
public class WatsonxChatModelConnection extends NativeChatModelConnection {

    private static final ConnectionTable TABLE = ConnectionTable.of(Provider.WATSONX)
            .settings("project_id", "space_id", "api_version", "default_headers", "model")
            .setting("url", "api_base_url")
            .required("url")
            .keyed()
            .keys("token")
            .others("iam_url")
            .start(WatsonxChatModelConnection::begin)
            .renewing()
            .timeout("request_timeout", 120)
            .kwargs("tool_choice");

    /** Arguments that exclude each other: a variable of one counts only where none of them is given. */
    private static final List<List<String>> FROM_ENVIRONMENT = List.of(
            List.of("url"), List.of("api_key", "token", "credentials_class"), List.of("project_id", "space_id"));

    private static final Duration TOKEN_TIMEOUT = Duration.ofSeconds(20);

    public WatsonxChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        this(descriptor, context, System.getenv());
    }

    WatsonxChatModelConnection(
            ResourceDescriptor descriptor, ResourceContext context, Map<String, String> environment) {
        super(completed(descriptor, environment), context, TABLE);
    }

    private static ResourceDescriptor completed(ResourceDescriptor descriptor, Map<String, String> environment) {
        if (descriptor.getInitialArguments() == null) {
            return descriptor;
        }
        Map<String, Object> arguments = new LinkedHashMap<>(descriptor.getInitialArguments());
        for (List<String> names : FROM_ENVIRONMENT) {
            if (names.stream().map(arguments::get).allMatch(Objects::isNull)) {
                for (String name : names) {
                    String value = environment.get("WATSONX_" + name.toUpperCase(Locale.ROOT));
                    if (value != null && !value.isBlank()) {
                        arguments.put(name, value);
                    }
                }
            }
        }
        return new ResourceDescriptor(descriptor.getModule(), descriptor.getClazz(), arguments);
    }

    private static void begin(ChatModel.Builder model, ResourceDescriptor descriptor, Class<?> owner) {
        String token = descriptor.getArgument("token");
        String iam = descriptor.getArgument("iam_url");
        if (token != null) {
            Secret secret = Secret.of(token);
            model.credentials(() -> secret);
        } else if (iam != null && descriptor.getArgument("api_key") != null) {
            TransportOptions options = TransportOptions.builder()
                    .timeout(TOKEN_TIMEOUT)
                    .allowInsecureHttp(Boolean.TRUE.equals(descriptor.getArgument("allow_insecure_http")))
                    .build();
            model.credentials(
                    WatsonxCredentials.of(Secret.of(descriptor.getArgument("api_key")), tokenUrl(iam, owner), options));
        }
    }

    private static URI tokenUrl(String iam, Class<?> owner) {
        try {
            return URI.create((iam.endsWith("/") ? iam.substring(0, iam.length() - 1) : iam) + "/identity/token");
        } catch (IllegalArgumentException noUrl) {
            throw new IllegalArgumentException(
                    "Argument 'iam_url' of " + owner.getSimpleName() + " is no URL; set that of the token service.");
        }
    }
}
