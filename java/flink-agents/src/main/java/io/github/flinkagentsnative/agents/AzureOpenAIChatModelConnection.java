package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Provider;
import java.util.Map;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * Azure OpenAI, by deployment. Arguments: {@code api_version}, {@code azure_endpoint}, {@code azure_url_path_mode}; of this project
 * {@code auth} ({@code bearer}: the key is an Entra token, which a {@code credentials_class} renews), {@code default_headers},
 * {@code native_models}.
 *
 * <p>Arguments of all connections: {@code api_key} or {@code credentials_class}, {@code timeout} in seconds (60), {@code max_retries}
 * (3), {@code allow_insecure_http} (false).
 */
public class AzureOpenAIChatModelConnection extends NativeChatModelConnection {

    private static final ConnectionTable TABLE = ConnectionTable.of(Provider.AZURE_OPENAI)
            .keyed()
            .required("api_version", "azure_endpoint")
            .settings(
                    "api_version", "azure_endpoint", "azure_url_path_mode", "auth", "default_headers", "native_models")
            .kwargs("tool_choice", "parallel_tool_calls");

    public AzureOpenAIChatModelConnection(ResourceDescriptor descriptor, ResourceContext context) {
        super(descriptor, context, TABLE);
    }

    /** The model behind the deployment: its name decides what a schema may do, the deployment's does not (#930). */
    @Override
    protected String effectiveModelFor(Map<String, Object> modelParams) {
        Object backing = modelParams == null ? null : modelParams.get("model_of_azure_deployment");
        return backing instanceof String name && !name.isBlank() ? name : null;
    }
}
