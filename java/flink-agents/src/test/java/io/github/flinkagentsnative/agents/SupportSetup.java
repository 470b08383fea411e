package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatModelException;
import io.github.flinkagentsnative.OutputSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.model.BaseChatModelSetup;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/** A setup of your own: picks the model by the length of the question, and gives typed answers. */
public class SupportSetup extends BaseChatModelSetup {

    private static final int LONG_QUESTION = 200;

    private final String modelForLong;

    public SupportSetup(ResourceDescriptor descriptor, ResourceContext context) {
        super(descriptor, context);
        modelForLong = descriptor.getArgument("model_for_long", model);
    }

    @Override
    public Map<String, Object> getParameters() {
        return new HashMap<>(Map.of("model", model, "max_tokens", 500)); // a map that Flink Agents may add to
    }

    /** The answer as a {@code T}: {@code schema} is a class, or a row type in Flink Agents' OutputSchema. */
    @SuppressWarnings("unchecked")
    public <T> T ask(String question, Object schema) throws ChatModelException {
        Map<String, Object> call = question.length() > LONG_QUESTION ? Map.of("model", modelForLong) : Map.of();
        OutputSchema<T> typed = (OutputSchema<T>) AgentSchemas.of(schema);
        List<ChatMessage> messages = new ArrayList<>(List.of(ChatMessage.user(question)));
        ChatResult result;
        if (willApplyNativeStructuredOutput(schema)) {
            result = chatStructured(messages, call, schema);
        } else {
            messages.add(0, ChatMessage.system(typed.instruction()));
            result = chat(messages, Map.of(), call);
        }
        return typed.read(result.getText());
    }
}
