package org.apache.flink.agents.api.prompt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.MessageRole;
import org.apache.flink.agents.api.resource.ResourceType;
import org.apache.flink.agents.api.resource.SerializableResource;

/** Messages with places for arguments, <code>{name}</code>. */
public abstract class Prompt extends SerializableResource {
    private static final long serialVersionUID = 1L;

    public static Prompt fromText(String text) {
        return new Local(text, List.of());
    }

    public static Prompt fromMessages(List<ChatMessage> messages) {
        return new Local(null, messages);
    }

    public abstract String formatString(Map<String, String> arguments);

    /** @param defaultRole of a prompt that is one text */
    public abstract List<ChatMessage> formatMessages(MessageRole defaultRole, Map<String, String> arguments);

    @Override
    public ResourceType getResourceType() {
        return ResourceType.PROMPT;
    }

    private static final class Local extends Prompt {
        private static final long serialVersionUID = 1L;
        private final String text;
        private final transient List<ChatMessage> messages;

        Local(String text, List<ChatMessage> messages) {
            this.text = text;
            this.messages = List.copyOf(messages);
        }

        @Override
        public String formatString(Map<String, String> arguments) {
            if (text != null) {
                return filled(text, arguments);
            }
            StringBuilder lines = new StringBuilder();
            for (ChatMessage message : messages) {
                lines.append(lines.isEmpty() ? "" : "\n")
                        .append(message.getRole().getValue())
                        .append(": ")
                        .append(filled(message.getText(), arguments));
            }
            return lines.toString();
        }

        @Override
        public List<ChatMessage> formatMessages(MessageRole defaultRole, Map<String, String> arguments) {
            if (text != null) {
                return List.of(new ChatMessage(defaultRole, filled(text, arguments)));
            }
            List<ChatMessage> formatted = new ArrayList<>();
            messages.forEach(
                    message -> formatted.add(new ChatMessage(message.getRole(), filled(message.getText(), arguments))));
            return formatted;
        }

        private static String filled(String text, Map<String, String> arguments) {
            String filled = text;
            for (Map.Entry<String, String> argument : arguments.entrySet()) {
                filled = filled.replace("{" + argument.getKey() + "}", argument.getValue());
            }
            return filled;
        }
    }
}
