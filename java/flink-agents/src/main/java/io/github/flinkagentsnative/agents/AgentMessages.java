package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.AudioBlock;
import io.github.flinkagentsnative.Base64Source;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ChatResult;
import io.github.flinkagentsnative.ContentBlock;
import io.github.flinkagentsnative.DataContentBlock;
import io.github.flinkagentsnative.DocumentBlock;
import io.github.flinkagentsnative.ImageBlock;
import io.github.flinkagentsnative.MediaBlock;
import io.github.flinkagentsnative.MediaSource;
import io.github.flinkagentsnative.MessageRole;
import io.github.flinkagentsnative.ReasoningBlock;
import io.github.flinkagentsnative.TextBlock;
import io.github.flinkagentsnative.TokenUsage;
import io.github.flinkagentsnative.ToolCallBlock;
import io.github.flinkagentsnative.ToolResultBlock;
import io.github.flinkagentsnative.ToolSpec;
import io.github.flinkagentsnative.UrlSource;
import io.github.flinkagentsnative.VideoBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.tools.Tool;

/** Messages, tools and results of Flink Agents as this library's, and back. */
public final class AgentMessages {

    /** The one key of a message's metadata that providers read; others may hold what JSON cannot. */
    private static final String REFUSAL = "refusal";

    private AgentMessages() {}

    /**
     * A request from what a connection is called with. Nothing is taken out of the caller's map; a parameter that is null is not set.
     *
     * @param tools null counts as none
     * @param parameters null counts as none
     * @throws IllegalArgumentException for a parameter that JSON cannot hold
     */
    public static ChatRequest request(
            List<org.apache.flink.agents.api.chat.messages.ChatMessage> messages,
            List<Tool> tools,
            Map<String, Object> parameters) {
        ChatRequest.Builder request = ChatRequest.builder();
        messages.forEach(message -> request.message(message(message)));
        if (tools != null) {
            tools.forEach(tool -> request.tool(tool(tool)));
        }
        if (parameters != null) {
            parameters.forEach((name, value) -> {
                if (value != null) {
                    request.parameter(name, value);
                }
            });
        }
        return request.build();
    }

    /** A tool as the model is told of it. */
    public static ToolSpec tool(Tool tool) {
        return new ToolSpec(
                tool.getName(), tool.getDescription(), tool.getMetadata().getInputSchema());
    }

    /** A message of Flink Agents as this library's. */
    public static ChatMessage message(org.apache.flink.agents.api.chat.messages.ChatMessage message) {
        Object refusal = message.getMetadata().get(REFUSAL);
        return new ChatMessage(
                MessageRole.valueOf(message.getRole().name()),
                message.getBlocks().stream().map(AgentMessages::block).toList(),
                refusal instanceof String ? Map.of(REFUSAL, refusal) : Map.of());
    }

    private static ContentBlock block(org.apache.flink.agents.api.chat.messages.ContentBlock block) {
        if (block instanceof org.apache.flink.agents.api.chat.messages.DataContentBlock data) {
            return data(data);
        } else if (block instanceof org.apache.flink.agents.api.chat.messages.ToolCallBlock call) {
            return new ToolCallBlock(call.getCallId(), call.getName(), call.getInput(), call.getMetadata());
        } else if (block instanceof org.apache.flink.agents.api.chat.messages.ToolResultBlock result) {
            List<DataContentBlock> blocks =
                    result.getBlocks().stream().map(AgentMessages::data).toList();
            return new ToolResultBlock(result.getCallId(), blocks, result.isError());
        } else if (block instanceof org.apache.flink.agents.api.chat.messages.ReasoningBlock reasoning) {
            return new ReasoningBlock(reasoning.getText(), reasoning.getMetadata());
        }
        throw unknown(block);
    }

    private static DataContentBlock data(org.apache.flink.agents.api.chat.messages.DataContentBlock block) {
        if (block instanceof org.apache.flink.agents.api.chat.messages.TextBlock text) {
            return new TextBlock(text.getText() == null ? "" : text.getText());
        } else if (block instanceof org.apache.flink.agents.api.chat.messages.MediaBlock media) {
            return media(media);
        }
        throw unknown(block);
    }

    private static MediaBlock media(org.apache.flink.agents.api.chat.messages.MediaBlock media) {
        String type = media.getMediaType();
        MediaSource source = source(media.getSource());
        String name = media.getName();
        Long size = media.getSizeBytes();
        String sha256 = media.getSha256();
        return switch (media.getType()) {
            case "image" -> new ImageBlock(type, source, name, size, sha256);
            case "audio" -> new AudioBlock(type, source, name, size, sha256);
            case "video" -> new VideoBlock(type, source, name, size, sha256);
            case "document" -> new DocumentBlock(type, source, name, size, sha256);
            default -> throw unknown(media);
        };
    }

    private static MediaSource source(org.apache.flink.agents.api.chat.messages.MediaSource source) {
        return source instanceof org.apache.flink.agents.api.chat.messages.UrlSource url
                ? new UrlSource(url.getUrl())
                : new Base64Source(((org.apache.flink.agents.api.chat.messages.Base64Source) source).getData());
    }

    private static IllegalArgumentException unknown(org.apache.flink.agents.api.chat.messages.ContentBlock block) {
        return new IllegalArgumentException("Flink Agents has a block of type " + block.getType()
                + " that this version of flink-agents-native does not know; take a newer one.");
    }

    /** This library's result as Flink Agents'. */
    public static org.apache.flink.agents.api.chat.messages.ChatResult result(ChatResult result) {
        return new org.apache.flink.agents.api.chat.messages.ChatResult(
                message(result.message()),
                result.model(),
                result.responseId(),
                usage(result.usage()),
                result.finishReason(),
                plain(result.metadata()));
    }

    private static org.apache.flink.agents.api.chat.messages.TokenUsage usage(TokenUsage usage) {
        return usage == null
                ? null
                : new org.apache.flink.agents.api.chat.messages.TokenUsage(
                        usage.promptTokens(),
                        usage.completionTokens(),
                        new LinkedHashMap<>(usage.promptTokenDetails()),
                        new LinkedHashMap<>(usage.completionTokenDetails()));
    }

    /** A message of this library as Flink Agents'. */
    public static org.apache.flink.agents.api.chat.messages.ChatMessage message(ChatMessage message) {
        return new org.apache.flink.agents.api.chat.messages.ChatMessage(
                org.apache.flink.agents.api.chat.messages.MessageRole.valueOf(
                        message.role().name()),
                new ArrayList<>(
                        message.blocks().stream().map(AgentMessages::block).toList()),
                plain(message.metadata()));
    }

    private static org.apache.flink.agents.api.chat.messages.ContentBlock block(ContentBlock block) {
        if (block instanceof DataContentBlock data) {
            return data(data);
        } else if (block instanceof ToolCallBlock call) {
            return new org.apache.flink.agents.api.chat.messages.ToolCallBlock(
                    call.callId(), call.name(), plain(call.input()), plain(call.metadata()));
        } else if (block instanceof ToolResultBlock result) {
            return new org.apache.flink.agents.api.chat.messages.ToolResultBlock(
                    result.callId(),
                    new ArrayList<>(
                            result.blocks().stream().map(AgentMessages::data).toList()),
                    result.isError(),
                    plain(result.metadata()));
        }
        ReasoningBlock reasoning = (ReasoningBlock) block;
        return new org.apache.flink.agents.api.chat.messages.ReasoningBlock(
                reasoning.text(), plain(reasoning.metadata()));
    }

    /** JSON values in collections that can be made and filled: Flink's state, which keeps messages, does so by their class. */
    private static Map<String, Object> plain(Map<String, Object> values) {
        Map<String, Object> plain = new LinkedHashMap<>();
        values.forEach((name, value) -> plain.put(name, plain(value)));
        return plain;
    }

    private static Object plain(Object value) {
        if (value instanceof Map<?, ?> members) {
            Map<Object, Object> plain = new LinkedHashMap<>();
            members.forEach((name, member) -> plain.put(name, plain(member)));
            return plain;
        } else if (value instanceof List<?> items) {
            List<Object> plain = new ArrayList<>(items.size());
            items.forEach(item -> plain.add(plain(item)));
            return plain;
        }
        return value;
    }

    private static org.apache.flink.agents.api.chat.messages.DataContentBlock data(DataContentBlock block) {
        if (block instanceof TextBlock text) {
            return new org.apache.flink.agents.api.chat.messages.TextBlock(text.text());
        }
        MediaBlock media = (MediaBlock) block;
        String type = media.mediaType();
        org.apache.flink.agents.api.chat.messages.MediaSource source = media.source() instanceof UrlSource url
                ? new org.apache.flink.agents.api.chat.messages.UrlSource(url.url())
                : new org.apache.flink.agents.api.chat.messages.Base64Source(((Base64Source) media.source()).data());
        if (media instanceof ImageBlock) {
            return new org.apache.flink.agents.api.chat.messages.ImageBlock(
                    type, source, media.name(), media.sizeBytes(), media.sha256());
        } else if (media instanceof AudioBlock) {
            return new org.apache.flink.agents.api.chat.messages.AudioBlock(
                    type, source, media.name(), media.sizeBytes(), media.sha256());
        } else if (media instanceof VideoBlock) {
            return new org.apache.flink.agents.api.chat.messages.VideoBlock(
                    type, source, media.name(), media.sizeBytes(), media.sha256());
        }
        return new org.apache.flink.agents.api.chat.messages.DocumentBlock(
                type, source, media.name(), media.sizeBytes(), media.sha256());
    }
}
