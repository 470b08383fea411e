package org.apache.flink.agents.api.chat.messages;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Messages and results as the maps that JSON holds of them. */
final class MessageMaps {
    private MessageMaps() {}

    static Map<String, Object> write(ChatMessage message) {
        return members(
                "role",
                message.getRole().getValue(),
                "blocks",
                message.getBlocks().stream().map(MessageMaps::write).toList(),
                "metadata",
                message.getMetadata());
    }

    static ChatMessage read(Map<String, Object> map) {
        only(map, Set.of("role", "blocks", "metadata"));
        return new ChatMessage(
                MessageRole.valueOf(text(map, "role").toUpperCase(Locale.ROOT)),
                list(map, "blocks").stream().map(MessageMaps::block).toList(),
                object(map, "metadata"));
    }

    static Map<String, Object> write(ChatResult result) {
        return members(
                "message",
                write(result.getMessage()),
                "model",
                result.getModel(),
                "response_id",
                result.getResponseId(),
                "usage",
                result.getUsage() == null ? null : write(result.getUsage()),
                "finish_reason",
                result.getFinishReason(),
                "metadata",
                result.getMetadata());
    }

    static ChatResult result(Map<String, Object> map) {
        only(map, Set.of("message", "model", "response_id", "usage", "finish_reason", "metadata"));
        return new ChatResult(
                read(object(map, "message")),
                text(map, "model"),
                text(map, "response_id"),
                map.get("usage") == null ? null : usage(object(map, "usage")),
                text(map, "finish_reason"),
                object(map, "metadata"));
    }

    private static Map<String, Object> write(TokenUsage usage) {
        return members(
                "prompt_tokens",
                usage.getPromptTokens(),
                "completion_tokens",
                usage.getCompletionTokens(),
                "prompt_token_details",
                usage.getPromptTokenDetails(),
                "completion_token_details",
                usage.getCompletionTokenDetails());
    }

    private static TokenUsage usage(Map<String, Object> map) {
        return new TokenUsage(
                count(map.get("prompt_tokens")),
                count(map.get("completion_tokens")),
                counts(object(map, "prompt_token_details")),
                counts(object(map, "completion_token_details")));
    }

    private static Long count(Object value) {
        return value == null ? null : Long.valueOf(((Number) value).longValue());
    }

    private static Map<String, Long> counts(Map<String, Object> map) {
        Map<String, Long> counts = new LinkedHashMap<>();
        map.forEach((name, value) -> counts.put(name, count(value)));
        return counts;
    }

    private static Map<String, Object> write(ContentBlock block) {
        Map<String, Object> map = members("type", block.getType());
        if (block instanceof TextBlock text) {
            map.put("text", text.getText());
        } else if (block instanceof MediaBlock media) {
            map.put("media_type", media.getMediaType());
            map.put("source", write(media.getSource()));
            map.put("name", media.getName());
            map.put("size_bytes", media.getSizeBytes());
            map.put("sha256", media.getSha256());
            map.values().removeIf(value -> value == null);
        } else if (block instanceof ReasoningBlock reasoning) {
            map.put("text", reasoning.getText());
            map.put("metadata", reasoning.getMetadata());
        } else if (block instanceof ToolCallBlock call) {
            map.put("call_id", call.getCallId());
            map.put("name", call.getName());
            map.put("input", call.getInput());
            map.put("metadata", call.getMetadata());
        } else if (block instanceof ToolResultBlock result) {
            map.put("call_id", result.getCallId());
            map.put(
                    "blocks",
                    result.getBlocks().stream().map(MessageMaps::write).toList());
            map.put("is_error", result.isError());
            map.put("metadata", result.getMetadata());
        }
        return map;
    }

    private static Map<String, Object> write(MediaSource source) {
        return source instanceof UrlSource url
                ? members("type", url.getType(), "url", url.getUrl())
                : members("type", source.getType(), "data", ((Base64Source) source).getData());
    }

    private static ContentBlock block(Object value) {
        Map<String, Object> map = object(value);
        return switch (text(map, "type")) {
            case "text" -> new TextBlock(text(map, "text"));
            case "image" ->
                new ImageBlock(text(map, "media_type"), source(map), text(map, "name"), size(map), text(map, "sha256"));
            case "audio" ->
                new AudioBlock(text(map, "media_type"), source(map), text(map, "name"), size(map), text(map, "sha256"));
            case "video" ->
                new VideoBlock(text(map, "media_type"), source(map), text(map, "name"), size(map), text(map, "sha256"));
            case "document" ->
                new DocumentBlock(
                        text(map, "media_type"), source(map), text(map, "name"), size(map), text(map, "sha256"));
            case "reasoning" -> new ReasoningBlock(text(map, "text"), object(map, "metadata"));
            case "tool_call" ->
                new ToolCallBlock(
                        text(map, "call_id"), text(map, "name"), object(map, "input"), object(map, "metadata"));
            case "tool_result" ->
                new ToolResultBlock(
                        text(map, "call_id"),
                        list(map, "blocks").stream()
                                .map(MessageMaps::block)
                                .map(DataContentBlock.class::cast)
                                .toList(),
                        Boolean.TRUE.equals(map.get("is_error")),
                        object(map, "metadata"));
            default -> throw new IllegalArgumentException("Unknown block type " + map.get("type"));
        };
    }

    private static MediaSource source(Map<String, Object> map) {
        Map<String, Object> source = object(map, "source");
        return "url".equals(source.get("type"))
                ? new UrlSource(text(source, "url"))
                : new Base64Source(text(source, "data"));
    }

    private static Long size(Map<String, Object> map) {
        return count(map.get("size_bytes"));
    }

    private static String text(Map<String, Object> map, String key) {
        return (String) map.get(key);
    }

    private static List<?> list(Map<String, Object> map, String key) {
        return map.get(key) instanceof List<?> list ? list : List.of();
    }

    private static Map<String, Object> object(Map<String, Object> map, String key) {
        return object(map.get(key));
    }

    private static Map<String, Object> object(Object value) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> object.put((String) name, member));
        }
        return object;
    }

    private static void only(Map<String, Object> map, Set<String> known) {
        for (String name : map.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("Unknown member " + name);
            }
        }
    }

    private static Map<String, Object> members(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return members;
    }
}
