package org.apache.flink.agents.api.chat.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.agents.api.agents.OutputSchema;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.MessageRole;
import org.apache.flink.agents.api.metrics.FlinkAgentsMetricGroup;
import org.apache.flink.agents.api.prompt.Prompt;
import org.apache.flink.agents.api.resource.Resource;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.agents.api.resource.ResourceType;
import org.apache.flink.agents.api.tools.Tool;

/** A model with its parameters, prompt and tools, on a connection. */
public abstract class BaseChatModelSetup extends Resource {

    protected final String connectionName;
    protected String model;
    protected Object prompt;
    protected List<String> toolNames;
    protected List<String> skills;
    protected String skillDiscoveryPrompt;
    protected List<String> allowedCommands;
    protected List<String> allowedScriptDirs;
    protected StructuredOutputStrategy structuredOutputStrategy;
    protected BaseChatModelConnection connection;
    protected final List<Tool> tools = new ArrayList<>();

    protected BaseChatModelSetup(ResourceDescriptor descriptor, ResourceContext resourceContext) {
        super(descriptor, resourceContext);
        connectionName = descriptor.getArgument("connection");
        model = descriptor.getArgument("model");
        prompt = descriptor.getArgument("prompt");
        toolNames = descriptor.getArgument("tools");
        skills = descriptor.getArgument("skills");
        allowedCommands = descriptor.getArgument("allowed_commands");
        allowedScriptDirs = descriptor.getArgument("allowed_script_dirs");
        structuredOutputStrategy = StructuredOutputStrategy.fromArgument(
                descriptor.getArgument("structured_output_strategy"), StructuredOutputStrategy.AUTO);
    }

    @Override
    public ResourceType getResourceType() {
        return ResourceType.CHAT_MODEL;
    }

    /** Binds connection, prompt, tools and skills. */
    @Override
    public void open() throws Exception {
        connection = (BaseChatModelConnection)
                resourceContext.getResource(connectionName, ResourceType.CHAT_MODEL_CONNECTION);
        if (prompt instanceof String name) {
            prompt = resourceContext.getResource(name, ResourceType.PROMPT);
        }
        tools.clear();
        if (toolNames != null) {
            for (String name : toolNames) {
                tools.add((Tool) resourceContext.getResource(name, ResourceType.TOOL));
            }
        }
        if (skills != null && !skills.isEmpty()) {
            skillDiscoveryPrompt = resourceContext.generateAvailableSkillsPrompt(skills);
        }
    }

    public abstract Map<String, Object> getParameters();

    /** The messages as they are sent: with the rendered prompt and the skills before them. */
    public List<ChatMessage> prepareRequestMessages(List<ChatMessage> messages, Map<String, Object> promptArgs) {
        if (!(prompt instanceof Prompt) && skillDiscoveryPrompt == null) {
            return messages;
        }
        List<ChatMessage> prepared = new ArrayList<>();
        if (prompt instanceof Prompt template) {
            Map<String, String> texts = new LinkedHashMap<>();
            if (promptArgs != null) {
                promptArgs.forEach((name, value) -> texts.put(name, value == null ? "" : value.toString()));
            }
            prepared.addAll(template.formatMessages(MessageRole.USER, texts));
            messages.stream()
                    .filter(message -> !message.getBlocks().isEmpty() || message.getRole() == MessageRole.ASSISTANT)
                    .forEach(prepared::add);
        } else {
            prepared.addAll(messages);
        }
        if (skillDiscoveryPrompt != null) {
            ChatMessage system = ChatMessage.findFirstSystemMessage(prepared);
            prepared.add(system == null ? 0 : prepared.indexOf(system) + 1, ChatMessage.system(skillDiscoveryPrompt));
        }
        return prepared;
    }

    public ChatResult chat(List<ChatMessage> messages) {
        return chat(messages, Map.of(), Map.of());
    }

    public ChatResult chat(
            List<ChatMessage> messages, Map<String, Object> promptArgs, Map<String, Object> modelParams) {
        return connection.chat(prepareRequestMessages(messages, promptArgs), tools, merged(modelParams));
    }

    /** Whether the framework leaves the schema out of the prompt and asks natively (#1215). */
    public boolean willApplyNativeStructuredOutput(Object outputSchema) {
        if (outputSchema == null) {
            return false;
        }
        boolean demanded = structuredOutputStrategy == StructuredOutputStrategy.NATIVE;
        if (connection == null) {
            if (demanded) {
                throw refused(getClass().getName() + " has no connection.");
            }
            return false;
        }
        NativeStructuredOutputSupport support =
                connection.supportsNativeStructuredOutput(outputSchema, List.of(), getParameters());
        if (demanded && support == NativeStructuredOutputSupport.INFEASIBLE) {
            throw refused(connection.getClass().getName() + " cannot apply the output schema " + described(outputSchema)
                    + " natively. Use strategy AUTO or PROMPT.");
        }
        return structuredOutputStrategy.resolvesToNative(support);
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("Structured output strategy NATIVE was requested, but " + why);
    }

    private static String described(Object outputSchema) {
        if (outputSchema instanceof Class<?> type) {
            return type.getName();
        }
        return outputSchema instanceof OutputSchema rows
                ? rows.getSchema().toString()
                : outputSchema.getClass().getName();
    }

    /** The call that asks for the answer in the form of the schema: no tools, no tool traffic (#1215). */
    public ChatResult chatStructured(List<ChatMessage> messages, Map<String, Object> modelParams, Object outputSchema) {
        Objects.requireNonNull(outputSchema, "chatStructured() requires an output schema");
        Objects.requireNonNull(connection, "Connection is not initialized");
        List<ChatMessage> plain = messages.stream()
                .filter(message -> message.getRole() != MessageRole.TOOL
                        && message.getToolCalls().isEmpty())
                .toList();
        return connection.chat(plain, List.of(), merged(modelParams), outputSchema);
    }

    /** As upstream, in the very map that {@link #getParameters} returned: it has to be one that can be changed. */
    private Map<String, Object> merged(Map<String, Object> modelParams) {
        Map<String, Object> merged = getParameters();
        if (modelParams != null) {
            merged.putAll(modelParams);
        }
        return merged;
    }

    /** Counts tokens under the model that the result names; both have to be positive. */
    public void recordTokenMetrics(
            FlinkAgentsMetricGroup metricGroup, String modelName, long promptTokens, long completionTokens) {
        if (metricGroup == null || modelName == null || promptTokens <= 0 || completionTokens <= 0) {
            return;
        }
        FlinkAgentsMetricGroup group = metricGroup.getSubGroup("model", modelName);
        group.getCounter("promptTokens").inc(promptTokens);
        group.getCounter("completionTokens").inc(completionTokens);
    }

    public String getConnectionName() {
        return connectionName;
    }

    public BaseChatModelConnection getConnection() {
        return connection;
    }

    public String getModel() {
        return model;
    }

    public Object getPrompt() {
        return prompt;
    }

    public List<Tool> getTools() {
        return tools;
    }

    public List<String> getSkills() {
        return skills;
    }

    public List<String> getAllowedCommands() {
        return allowedCommands;
    }

    public List<String> getAllowedScriptDirs() {
        return allowedScriptDirs;
    }

    public StructuredOutputStrategy getStructuredOutputStrategy() {
        return structuredOutputStrategy;
    }
}
