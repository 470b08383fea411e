package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.Set;

/** Refuses the {@code input} that Responses refuses: items, their parts, and tool results that answer no call. */
final class InputCheck {
    private static final Set<String> STATUS = Set.of("in_progress", "completed", "incomplete");
    private static final Set<String> INPUT_PARTS = Set.of("input_text", "input_image", "input_file");
    private static final Set<String> OUTPUT_PARTS = Set.of("output_text", "refusal");

    private InputCheck() {}

    static void check(JsonNode body) throws Refusal {
        JsonNode input = body.path("input");
        if (input.isMissingNode()) {
            throw Values.missing("input");
        }
        if (input.isTextual()) {
            return;
        }
        if (!input.isArray()) {
            throw Values.wrongType("input", "a string or an array of items");
        }
        if (input.isEmpty()) {
            throw Refusal.badRequest("input", "empty_array", "Invalid 'input': expected at least one item.");
        }
        Set<String> called = new LinkedHashSet<>();
        Set<String> answered = new LinkedHashSet<>();
        boolean chained = Values.given(body, "previous_response_id"); // its calls are stored with the service
        for (int i = 0; i < input.size(); i++) {
            JsonNode item = input.get(i);
            checkItem(item, "input[" + i + "]");
            String callId = item.path("call_id").asText();
            switch (type(item)) {
                case "function_call" -> called.add(callId);
                case "function_call_output" -> {
                    if (!chained && !called.contains(callId)) {
                        throw Refusal.badRequest(
                                "input",
                                null,
                                "No tool call found for function call output with call_id " + callId + ".");
                    }
                    answered.add(callId);
                }
                default -> {}
            }
        }
        called.removeAll(answered);
        if (!called.isEmpty()) {
            throw Refusal.badRequest(
                    "input", null, "No tool output found for function call " + String.join(", ", called) + ".");
        }
    }

    /** An item without a type is a message. */
    private static String type(JsonNode item) {
        return item.path("type").asText("message");
    }

    private static void checkItem(JsonNode item, String where) throws Refusal {
        Values.object(item, where);
        Values.text(item, "id", where);
        switch (type(item)) {
            case "message" -> checkMessage(item, where);
            case "function_call" -> checkCall(item, where);
            case "function_call_output" -> checkResult(item, where);
            case "reasoning" -> checkReasoning(item, where);
            case "item_reference" -> {
                Values.knownKeys(item, where, Set.of("type", "id"));
                Values.requiredText(item, "id", where);
            }
            default ->
                throw Refusal.badRequest(
                        where + ".type",
                        "invalid_value",
                        "Invalid value for '" + where + ".type': '" + type(item)
                                + "'. The local server takes message, function_call, function_call_output, reasoning and item_reference.");
        }
    }

    private static void checkMessage(JsonNode item, String where) throws Refusal {
        Values.knownKeys(item, where, Set.of("type", "role", "content", "id", "status", "phase"));
        Values.oneOf(item, "status", where, STATUS);
        Values.requiredText(item, "role", where);
        Values.oneOf(item, "role", where, Set.of("system", "developer", "user", "assistant"));
        if (!item.has("content")) {
            throw Values.missing(where + ".content");
        }
        boolean assistant = item.path("role").asText().equals("assistant");
        checkContent(item.path("content"), where + ".content", assistant ? OUTPUT_PARTS : INPUT_PARTS);
    }

    private static void checkContent(JsonNode content, String where, Set<String> types) throws Refusal {
        if (content.isTextual()) {
            return;
        }
        if (!content.isArray()) {
            throw Values.wrongType(where, "a string or an array of parts");
        }
        for (int i = 0; i < content.size(); i++) {
            checkPart(content.get(i), where + "[" + i + "]", types);
        }
    }

    private static void checkPart(JsonNode part, String where, Set<String> types) throws Refusal {
        Values.object(part, where);
        Values.requiredText(part, "type", where);
        Values.oneOf(part, "type", where, types);
        switch (part.path("type").asText()) {
            case "input_image" -> {
                Values.knownKeys(part, where, Set.of("type", "image_url", "file_id", "detail"));
                Values.requiredText(part, part.has("file_id") ? "file_id" : "image_url", where);
                Values.oneOf(part, "detail", where, Set.of("auto", "low", "high", "original"));
            }
            case "input_file" -> checkFile(part, where);
            case "refusal" -> Values.requiredText(part, "refusal", where);
            default -> Values.requiredText(part, "text", where);
        }
    }

    private static void checkFile(JsonNode part, String where) throws Refusal {
        Values.knownKeys(part, where, Set.of("type", "file_data", "file_url", "file_id", "filename", "detail"));
        Values.text(part, "filename", where);
        if (part.has("file_id") || part.has("file_url")) {
            Values.requiredText(part, part.has("file_id") ? "file_id" : "file_url", where);
            return;
        }
        Values.requiredText(part, "file_data", where);
        Values.requiredText(part, "filename", where);
    }

    private static void checkCall(JsonNode item, String where) throws Refusal {
        Values.knownKeys(item, where, Set.of("type", "id", "call_id", "name", "arguments", "status"));
        Values.requiredText(item, "call_id", where);
        Values.requiredText(item, "name", where);
        Values.requiredText(item, "arguments", where);
        Values.oneOf(item, "status", where, STATUS);
        checkName(item.path("name").asText(), where + ".name");
        if (Values.given(item, "id") && !item.path("id").asText().startsWith("fc_")) {
            throw Refusal.badRequest(
                    where + ".id",
                    "invalid_value",
                    "Invalid '" + where + ".id': expected an ID that begins with 'fc_'.");
        }
    }

    static void checkName(String name, String where) throws Refusal {
        if (!RequestCheck.NAME.matcher(name).matches()) {
            throw Refusal.badRequest(
                    where,
                    name.isEmpty() ? "missing_required_parameter" : "invalid_value",
                    "Invalid '" + where + "': expected 1 to 64 characters of a-z, A-Z, 0-9, '_' and '-'.");
        }
    }

    private static void checkResult(JsonNode item, String where) throws Refusal {
        Values.knownKeys(item, where, Set.of("type", "id", "call_id", "output", "status"));
        Values.requiredText(item, "call_id", where);
        Values.oneOf(item, "status", where, STATUS);
        if (!item.has("output")) {
            throw Values.missing(where + ".output");
        }
        checkContent(item.path("output"), where + ".output", INPUT_PARTS);
    }

    private static void checkReasoning(JsonNode item, String where) throws Refusal {
        Values.knownKeys(item, where, Set.of("type", "id", "summary", "content", "encrypted_content", "status"));
        Values.text(item, "encrypted_content", where);
        Values.oneOf(item, "status", where, STATUS);
        JsonNode summary = item.path("summary");
        if (summary.isMissingNode()) {
            throw Values.missing(where + ".summary");
        }
        if (!summary.isArray()) {
            throw Values.wrongType(where + ".summary", "an array of parts");
        }
        for (int i = 0; i < summary.size(); i++) {
            Values.requiredText(summary.get(i), "text", where + ".summary[" + i + "]");
        }
    }
}
