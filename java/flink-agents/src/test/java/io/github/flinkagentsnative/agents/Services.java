package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.testkit.LocalChatServer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.resource.Resource;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.agents.api.resource.ResourceType;
import org.apache.flink.agents.api.tools.Tool;
import org.apache.flink.agents.api.tools.ToolMetadata;
import org.apache.flink.agents.api.tools.ToolParameters;
import org.apache.flink.agents.api.tools.ToolResponse;

/** The four services, their classes and what tests need to build them the way an agent runtime does. */
enum Services {
    OPENAI(OpenAICompletionsConnection.class, OpenAICompletionsSetup.class),
    RESPONSES(OpenAIResponsesModelConnection.class, OpenAIResponsesModelSetup.class),
    AZURE(AzureOpenAIChatModelConnection.class, AzureOpenAIChatModelSetup.class),
    VLLM(VLLMChatModelConnection.class, VLLMChatModelSetup.class);

    final Class<? extends NativeChatModelConnection> connection;
    final Class<? extends NativeChatModelSetup> setup;

    Services(Class<? extends NativeChatModelConnection> connection, Class<? extends NativeChatModelSetup> setup) {
        this.connection = connection;
        this.setup = setup;
    }

    /** Arguments that work against the local server. */
    Map<String, Object> connectionArguments(LocalChatServer server) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("api_key", server.apiKey());
        if (this == AZURE) {
            arguments.put("azure_endpoint", server.azureEndpoint());
            arguments.put("api_version", "2024-10-21");
        } else {
            arguments.put("api_base_url", server.baseUrl());
        }
        return arguments;
    }

    /** A setup on the connection {@code service}, with a model that honours a schema. */
    Map<String, Object> setupArguments() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("connection", "service");
        arguments.put("model", this == AZURE ? "our-deployment" : "gpt-4o-mini");
        if (this == AZURE) {
            arguments.put("model_of_azure_deployment", "gpt-4o-mini");
        }
        return arguments;
    }

    NativeChatModelConnection connect(LocalChatServer server, Object... more) throws Exception {
        NativeChatModelConnection connection = connection(with(connectionArguments(server), more));
        connection.open();
        return connection;
    }

    NativeChatModelConnection connection(Map<String, Object> arguments) throws Exception {
        return (NativeChatModelConnection)
                build(new ResourceDescriptor(connection.getName(), arguments), new Context(Map.of()));
    }

    /** An open setup on {@code connection}; tools are known by their names. */
    NativeChatModelSetup setUp(NativeChatModelConnection connection, Object... more) throws Exception {
        NativeChatModelSetup built = (NativeChatModelSetup) build(
                new ResourceDescriptor(setup.getName(), with(setupArguments(), more)),
                new Context(Map.of("service", connection, "weather", new Weather())));
        built.open();
        return built;
    }

    static Resource build(ResourceDescriptor descriptor, ResourceContext context) throws Exception {
        try {
            return (Resource) Class.forName(descriptor.getClazz())
                    .getConstructor(ResourceDescriptor.class, ResourceContext.class)
                    .newInstance(descriptor, context);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    /** Names and values in turn; null takes a name away. */
    static Map<String, Object> with(Map<String, Object> arguments, Object... more) {
        Map<String, Object> changed = new HashMap<>(arguments);
        for (int i = 0; i < more.length; i += 2) {
            changed.put((String) more[i], more[i + 1]);
        }
        changed.values().removeIf(value -> value == null);
        return changed;
    }

    record Context(Map<String, Resource> resources) implements ResourceContext {
        @Override
        public Resource getResource(String name, ResourceType type) {
            return resources.get(name);
        }

        @Override
        public String generateAvailableSkillsPrompt(List<String> names) {
            return "skills: " + names;
        }

        @Override
        public List<String> getSkillDirs(List<String> names) {
            return List.of();
        }
    }

    static final class Weather extends Tool {
        private static final long serialVersionUID = 1L;

        Weather() {
            super(
                    new ToolMetadata(
                            "weather",
                            "Tells the weather of a city",
                            "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"],\"additionalProperties\":false}"));
        }

        @Override
        public ToolResponse call(ToolParameters parameters) {
            return ToolResponse.text("sunny in " + parameters.getParameter("city"));
        }
    }
}
