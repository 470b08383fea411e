package io.github.flinkagentsnative;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages and blocks for logs (upstream #1059, #1060): media without payload and URL, texts and arguments as they are. Of metadata,
 * which may hold anything, only what this library writes as text stays.
 */
final class LogForms {

    private LogForms() {}

    static Map<String, Object> of(ChatMessage message) {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("role", message.role().wireName());
        form.put("blocks", message.blocks().stream().map(ContentBlock::sanitize).toList());
        if (message.metadata().get("refusal") instanceof String refusal) {
            form.put("metadata", Map.of("refusal", refusal));
        }
        return Collections.unmodifiableMap(form);
    }

    static Map<String, Object> of(TextBlock block) {
        return Collections.unmodifiableMap(start(block, "text", block.text()));
    }

    static Map<String, Object> of(MediaBlock block) {
        Map<String, Object> form = start(block, "media_type", block.mediaType());
        Long size = block.sizeBytes();
        if (size == null && block.source() instanceof Base64Source data) {
            size = data.sizeBytes();
        }
        putPresent(form, "name", block.name());
        putPresent(form, "size_bytes", JsonValues.copy(size, "/size_bytes"));
        putPresent(form, "sha256", block.sha256());
        form.put("source", Map.of("type", block.source().type()));
        return Collections.unmodifiableMap(form);
    }

    static Map<String, Object> of(ReasoningBlock block) {
        return Collections.unmodifiableMap(start(block, "text", block.text()));
    }

    static Map<String, Object> of(ToolCallBlock block) {
        Map<String, Object> form = start(block, "call_id", block.callId());
        form.put("name", block.name());
        form.put("input", block.input());
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (block.metadata().get("item_id") instanceof String id) {
            metadata.put("item_id", id);
        }
        if (block.metadata().get("invalid_arguments") instanceof Map<?, ?> invalid) {
            metadata.put("invalid_arguments", invalid);
        }
        putPresent(form, "metadata", metadata.isEmpty() ? null : Collections.unmodifiableMap(metadata));
        return Collections.unmodifiableMap(form);
    }

    static Map<String, Object> of(ToolResultBlock block) {
        Map<String, Object> form = start(block, "call_id", block.callId());
        List<Map<String, Object>> blocks =
                block.blocks().stream().map(ContentBlock::sanitize).toList();
        form.put("blocks", blocks);
        form.put("is_error", block.isError());
        return Collections.unmodifiableMap(form);
    }

    private static Map<String, Object> start(ContentBlock block, String key, Object value) {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("type", block.type());
        putPresent(form, key, value);
        return form;
    }

    private static void putPresent(Map<String, Object> form, String key, Object value) {
        if (value != null) {
            form.put(key, value);
        }
    }
}
