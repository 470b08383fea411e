package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.Set;

/** Refuses message lists that Chat Completions refuses: roles, contents, and tool results that answer no call. */
final class MessageCheck {
    private static final Set<String> USER_PARTS = Set.of("text", "image_url", "input_audio", "file");

    /** The keys of a message; all but the assistant's and the tool result's are the same. */
    private static final Set<String> KEYS = Set.of("role", "content", "name");

    private static final Set<String> ASSISTANT_KEYS =
            Set.of("role", "content", "name", "refusal", "tool_calls", "function_call", "audio", "annotations");
    private static final Set<String> TOOL_KEYS = Set.of("role", "content", "name", "tool_call_id");

    private MessageCheck() {}

    static void check(JsonNode messages) throws Refusal {
        if (messages.isMissingNode()) {
            throw Refusal.badRequest(
                    "messages", "missing_required_parameter", "Missing required parameter: 'messages'.");
        }
        if (!messages.isArray() || messages.isEmpty()) {
            throw Refusal.badRequest(
                    "messages",
                    messages.isArray() ? "empty_array" : "invalid_type",
                    "Invalid 'messages': expected an array of at least one message.");
        }
        Set<String> open = new LinkedHashSet<>(); // tool calls that wait for their results
        for (int i = 0; i < messages.size(); i++) {
            JsonNode message = messages.get(i);
            String where = "messages[" + i + "]";
            String role = message.path("role").asText("");
            if (!role.equals("tool")) {
                checkAllAnswered(open, where);
            }
            switch (role) {
                case "system", "developer" -> checkContent(message.path("content"), where, Set.of("text"));
                case "user" -> checkContent(message.path("content"), where, USER_PARTS);
                case "assistant" -> open.addAll(checkAssistant(message, where));
                case "tool" -> checkToolResult(message, where, open);
                default ->
                    throw Refusal.badRequest(
                            where + ".role",
                            "invalid_value",
                            "Invalid value for '" + where
                                    + ".role': expected system, developer, user, assistant or tool.");
            }
            Values.knownKeys(message, where, keys(role));
            Values.text(message, "name", where);
        }
        checkAllAnswered(open, "the end of 'messages'");
    }

    private static Set<String> keys(String role) {
        return switch (role) {
            case "assistant" -> ASSISTANT_KEYS;
            case "tool" -> TOOL_KEYS;
            default -> KEYS;
        };
    }

    private static void checkAllAnswered(Set<String> open, String where) throws Refusal {
        if (!open.isEmpty()) {
            throw Refusal.badRequest(
                    "messages",
                    null,
                    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Before "
                            + where + " these had no response: " + String.join(", ", open));
        }
    }

    private static void checkContent(JsonNode content, String where, Set<String> parts) throws Refusal {
        if (content.isTextual()) {
            return;
        }
        if (!content.isArray() || content.isEmpty()) {
            throw Refusal.badRequest(
                    where + ".content",
                    "invalid_type",
                    "Invalid value for '" + where + ".content': expected a string or a list of parts.");
        }
        for (int i = 0; i < content.size(); i++) {
            String type = content.get(i).path("type").asText("");
            String at = where + ".content[" + i + "]";
            if (!parts.contains(type)) {
                throw Refusal.badRequest(
                        at + ".type", "invalid_value", "Invalid value for '" + at + ".type': '" + type + "'.");
            }
            if (!content.get(i).has(type)) {
                throw Refusal.badRequest(
                        at + "." + type,
                        "missing_required_parameter",
                        "Missing required parameter: '" + at + "." + type + "'.");
            }
            checkPart(content.get(i), type, at);
        }
    }

    private static void checkPart(JsonNode part, String type, String where) throws Refusal {
        JsonNode value = part.path(type);
        String at = where + "." + type;
        switch (type) {
            case "image_url" -> {
                Values.object(value, at);
                Values.requiredText(value, "url", at);
                Values.oneOf(value, "detail", at, Set.of("auto", "low", "high"));
            }
            case "input_audio" -> {
                Values.object(value, at);
                Values.requiredText(value, "data", at);
                Values.requiredText(value, "format", at);
                Values.oneOf(value, "format", at, Set.of("wav", "mp3"));
            }
            case "file" -> {
                Values.object(value, at);
                Values.requiredText(value, value.has("file_id") ? "file_id" : "file_data", at);
                Values.text(value, "filename", at);
            }
            default -> Values.requiredText(part, type, where); // text and refusal
        }
    }

    /** The ids of the message's tool calls. */
    private static Set<String> checkAssistant(JsonNode message, String where) throws Refusal {
        JsonNode content = message.path("content");
        JsonNode calls = message.path("tool_calls");
        boolean hasContent = !content.isMissingNode() && !content.isNull();
        if (hasContent) {
            checkContent(content, where, Set.of("text", "refusal"));
        } else if (calls.isMissingNode() && !message.path("refusal").isTextual()) {
            throw Refusal.badRequest(
                    where + ".content",
                    "invalid_type",
                    "Invalid value for '" + where
                            + ".content': expected a string unless there are tool calls or a refusal.");
        }
        Set<String> ids = new LinkedHashSet<>();
        if (calls.isMissingNode()) {
            return ids;
        }
        if (!calls.isArray() || calls.isEmpty()) {
            throw Refusal.badRequest(
                    where + ".tool_calls",
                    "empty_array",
                    "Invalid '" + where + ".tool_calls': expected an array of at least one call.");
        }
        for (int i = 0; i < calls.size(); i++) {
            JsonNode call = calls.get(i);
            String at = where + ".tool_calls[" + i + "]";
            String id = call.path("id").asText("");
            if (id.isEmpty() || !ids.add(id)) {
                throw Refusal.badRequest(at + ".id", "invalid_value", "Invalid '" + at + ".id': empty or used twice.");
            }
            checkCall(call, at);
        }
        return ids;
    }

    private static void checkCall(JsonNode call, String where) throws Refusal {
        Values.requiredText(call, "type", where);
        Values.oneOf(call, "type", where, Set.of("function", "custom"));
        String type = call.path("type").asText();
        JsonNode called = call.path(type);
        String at = where + "." + type;
        Values.object(called, at);
        Values.requiredText(called, "name", at);
        Values.requiredText(called, type.equals("custom") ? "input" : "arguments", at);
    }

    private static void checkToolResult(JsonNode message, String where, Set<String> open) throws Refusal {
        checkContent(message.path("content"), where, Set.of("text"));
        if (!open.remove(message.path("tool_call_id").asText(""))) {
            throw Refusal.badRequest(
                    where + ".tool_call_id",
                    null,
                    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.");
        }
    }
}
