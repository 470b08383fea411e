package org.apache.flink.agents.api.chat.model;

import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.resource.Resource;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.agents.api.resource.ResourceType;
import org.apache.flink.agents.api.tools.Tool;

/** A service with its key; setups share it. */
public abstract class BaseChatModelConnection extends Resource {

    protected BaseChatModelConnection(ResourceDescriptor descriptor, ResourceContext resourceContext) {
        super(descriptor, resourceContext);
    }

    @Override
    public ResourceType getResourceType() {
        return ResourceType.CHAT_MODEL_CONNECTION;
    }

    public abstract ChatResult chat(List<ChatMessage> messages, List<Tool> tools, Map<String, Object> modelParams);

    /** A connection without translation refuses a schema. */
    public ChatResult chat(
            List<ChatMessage> messages, List<Tool> tools, Map<String, Object> modelParams, Object outputSchema) {
        if (outputSchema != null) {
            throw new UnsupportedOperationException(
                    getClass().getName() + " has no native structured-output translation. Use AUTO or PROMPT.");
        }
        return chat(messages, tools, modelParams);
    }

    protected NativeStructuredOutputSupport supportsNativeStructuredOutput(
            Object outputSchema, List<Tool> tools, Map<String, Object> modelParams) {
        return NativeStructuredOutputSupport.INFEASIBLE;
    }

    /** The model whose capability is asked about, or null. */
    protected String effectiveModelFor(Map<String, Object> modelParams) {
        return modelParams != null && modelParams.get("model") instanceof String model ? model : null;
    }
}
