package io.github.flinkagentsnative;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Messages, blocks and results as maps of a frame: upstream's JSON shapes (docs/boundary.md). */
final class MessageFrames {

    private MessageFrames() {}

    /** The JSON that the native side writes for {@code {type, value}}. */
    static String json(FrameWriter typed) {
        NativeLibrary.load();
        byte[] answer = Native.writeJson(typed.toBytes());
        return new String((byte[]) NativeErrors.resultUnchecked(answer).get("json"), StandardCharsets.UTF_8);
    }

    /** A JSON text that the native side has checked against one of our types. */
    static Map<?, ?> parsed(String type, String json) {
        NativeLibrary.load();
        FrameWriter frame = new FrameWriter();
        frame.map(2).key("type").text(type).key("json").bytes(Texts.utf8(json, "The JSON of the " + type));
        return (Map<?, ?>)
                NativeErrors.resultUnchecked(Native.readJson(frame.toBytes())).get("value");
    }

    // ---- to frames

    static void write(FrameWriter frame, ChatMessage message) {
        boolean plain = message.metadata().isEmpty();
        frame.map(plain ? 2 : 3).key("role").text(message.role().wireName());
        writeBlocks(frame.key("blocks"), message.blocks());
        if (!plain) {
            frame.key("metadata").value(message.metadata());
        }
    }

    static void write(FrameWriter frame, ChatResult result) {
        frame.map(6).key("message");
        write(frame, result.message());
        frame.key("model").text(result.model());
        frame.key("response_id").text(result.responseId());
        frame.key("usage");
        write(frame, result.usage());
        frame.key("finish_reason").text(result.finishReason());
        frame.key("metadata").value(result.metadata());
    }

    static void write(FrameWriter frame, ToolSpec tool) {
        frame.map(4)
                .key("name")
                .text(tool.name())
                .key("description")
                .text(tool.description())
                .key("input_schema")
                .text(tool.inputSchema())
                .key("strict")
                .value(tool.strict());
    }

    /** How many characters the texts and media of a message have; what else it holds is small. */
    static long textLength(ChatMessage message) {
        long length = 0;
        for (ContentBlock block : message.blocks()) {
            if (block instanceof TextBlock text) {
                length += text.text().length();
            } else if (block instanceof MediaBlock media && media.source() instanceof Base64Source base64) {
                length += base64.data().length();
            }
        }
        return length;
    }

    static void write(FrameWriter frame, TokenUsage usage) {
        if (usage == null) {
            frame.nil();
            return;
        }
        frame.map(4)
                .key("prompt_tokens")
                .value(usage.promptTokens())
                .key("completion_tokens")
                .value(usage.completionTokens())
                .key("prompt_token_details")
                .value(usage.promptTokenDetails())
                .key("completion_token_details")
                .value(usage.completionTokenDetails());
    }

    private static void writeBlocks(FrameWriter frame, List<? extends ContentBlock> blocks) {
        frame.array(blocks.size());
        for (ContentBlock block : blocks) {
            write(frame, block);
        }
    }

    private static void write(FrameWriter frame, ContentBlock block) {
        if (block instanceof TextBlock text) {
            frame.map(2).key("type").text("text").key("text").text(text.text());
        } else if (block instanceof MediaBlock media) {
            write(frame, media);
        } else if (block instanceof ReasoningBlock reasoning) {
            frame.map(3)
                    .key("type")
                    .text("reasoning")
                    .key("text")
                    .text(reasoning.text())
                    .key("metadata")
                    .value(reasoning.metadata());
        } else if (block instanceof ToolCallBlock call) {
            frame.map(5)
                    .key("type")
                    .text("tool_call")
                    .key("call_id")
                    .text(call.callId())
                    .key("name")
                    .text(call.name())
                    .key("input")
                    .value(call.input())
                    .key("metadata")
                    .value(call.metadata());
        } else if (block instanceof ToolResultBlock result) {
            frame.map(5)
                    .key("type")
                    .text("tool_result")
                    .key("call_id")
                    .text(result.callId())
                    .key("blocks");
            writeBlocks(frame, result.blocks());
            frame.key("is_error").bool(result.isError()).key("metadata").value(result.metadata());
        }
    }

    private static void write(FrameWriter frame, MediaBlock media) {
        frame.map(6)
                .key("type")
                .text(media.type())
                .key("media_type")
                .text(media.mediaType())
                .key("source")
                .map(2)
                .key("type")
                .text(media.source().type());
        if (media.source() instanceof Base64Source base64) {
            frame.key("data").text(base64.data());
        } else if (media.source() instanceof UrlSource url) {
            frame.key("url").text(url.url());
        }
        frame.key("name")
                .text(media.name())
                .key("size_bytes")
                .value(media.sizeBytes())
                .key("sha256")
                .text(media.sha256());
    }

    // ---- from frames

    static ChatMessage message(Map<?, ?> message) {
        List<ContentBlock> blocks = new ArrayList<>();
        for (Object block : list(message.get("blocks"))) {
            blocks.add(block((Map<?, ?>) block));
        }
        return new ChatMessage(MessageRole.of(text(message, "role")), blocks, object(message.get("metadata")));
    }

    static ChatResult result(Map<?, ?> result) {
        return new ChatResult(
                message((Map<?, ?>) result.get("message")),
                text(result, "model"),
                text(result, "response_id"),
                result.get("usage") instanceof Map<?, ?> usage ? usage(usage) : null,
                text(result, "finish_reason"),
                object(result.get("metadata")));
    }

    static TokenUsage usage(Map<?, ?> usage) {
        return new TokenUsage(
                count(usage.get("prompt_tokens")),
                count(usage.get("completion_tokens")),
                counts(usage.get("prompt_token_details")),
                counts(usage.get("completion_token_details")));
    }

    private static ContentBlock block(Map<?, ?> block) {
        String type = text(block, "type");
        return switch (type) {
            case "text", "image", "audio", "video", "document" -> dataBlock(type, block);
            case "reasoning" -> new ReasoningBlock(text(block, "text"), object(block.get("metadata")));
            case "tool_call" ->
                new ToolCallBlock(
                        text(block, "call_id"),
                        text(block, "name"),
                        object(block.get("input")),
                        object(block.get("metadata")));
            case "tool_result" -> toolResult(block);
            default -> throw new IllegalStateException("The native library returned a block of unknown type " + type);
        };
    }

    private static ToolResultBlock toolResult(Map<?, ?> block) {
        List<DataContentBlock> nested = new ArrayList<>();
        for (Object item : list(block.get("blocks"))) {
            Map<?, ?> data = (Map<?, ?>) item;
            nested.add(dataBlock(text(data, "type"), data));
        }
        return new ToolResultBlock(
                text(block, "call_id"),
                nested,
                Boolean.TRUE.equals(block.get("is_error")),
                object(block.get("metadata")));
    }

    private static DataContentBlock dataBlock(String type, Map<?, ?> block) {
        if (type.equals("text")) {
            return new TextBlock(block.get("text") instanceof String text ? text : "");
        }
        String mediaType = text(block, "media_type");
        MediaSource source = source((Map<?, ?>) block.get("source"));
        String name = text(block, "name");
        Long size = count(block.get("size_bytes"));
        String sha256 = text(block, "sha256");
        return switch (type) {
            case "image" -> new ImageBlock(mediaType, source, name, size, sha256);
            case "audio" -> new AudioBlock(mediaType, source, name, size, sha256);
            case "video" -> new VideoBlock(mediaType, source, name, size, sha256);
            case "document" -> new DocumentBlock(mediaType, source, name, size, sha256);
            default -> throw new IllegalStateException("The native library returned a block of unknown type " + type);
        };
    }

    private static MediaSource source(Map<?, ?> source) {
        String url = text(source, "url");
        return url == null ? new Base64Source(text(source, "data")) : new UrlSource(url);
    }

    /** A map of a frame: its keys are texts. Null counts as empty. */
    static Map<String, Object> object(Object value) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, member) -> object.put((String) key, member));
        }
        return object;
    }

    static String text(Map<?, ?> map, String key) {
        return (String) map.get(key);
    }

    static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static Long count(Object value) {
        return value instanceof Number number ? (Long) number.longValue() : null;
    }

    private static Map<String, Long> counts(Object value) {
        Map<String, Long> counts = new LinkedHashMap<>();
        object(value).forEach((key, count) -> counts.put(key, count(count)));
        return counts;
    }
}
