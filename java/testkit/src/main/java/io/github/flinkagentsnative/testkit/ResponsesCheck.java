package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Refuses what Responses refuses: root parameters, tools and {@code text.format}; {@link InputCheck} looks at the input. */
final class ResponsesCheck {
    /** Fewer tokens the service does not take. */
    private static final int LEAST_OUTPUT_TOKENS = 16;

    private static final Set<String> PARAMETERS = Set.of(
            "background",
            "context_management",
            "conversation",
            "include",
            "input",
            "instructions",
            "max_output_tokens",
            "max_tool_calls",
            "metadata",
            "model",
            "parallel_tool_calls",
            "previous_response_id",
            "prompt",
            "prompt_cache_key",
            "prompt_cache_retention",
            "reasoning",
            "safety_identifier",
            "service_tier",
            "store",
            "stream",
            "stream_options",
            "temperature",
            "text",
            "tool_choice",
            "tools",
            "top_logprobs",
            "top_p",
            "truncation",
            "user");

    private static final Set<String> INCLUDED = Set.of(
            "code_interpreter_call.outputs",
            "computer_call_output.output.image_url",
            "file_search_call.results",
            "message.input_image.image_url",
            "message.output_text.logprobs",
            "reasoning.encrypted_content",
            "web_search_call.action.sources",
            "web_search_call.results");

    private ResponsesCheck() {}

    static void check(JsonNode body, String model) throws Refusal {
        Values.knownKeys(body, "", PARAMETERS);
        checkParameters(body);
        ParameterCheck.checkDefaultTemperature(body, model);
        InputCheck.check(body);
        checkTools(body);
        checkText(body, model);
    }

    private static void checkParameters(JsonNode body) throws Refusal {
        Values.range(body, "temperature", "", 0, 2);
        Values.range(body, "top_p", "", 0, 1);
        Values.range(body, "top_logprobs", "", 0, 20);
        Values.integer(body, "top_logprobs", "");
        Values.count(body, "max_output_tokens", "", LEAST_OUTPUT_TOKENS);
        for (String name : new String[] {"instructions", "previous_response_id", "user", "service_tier"}) {
            Values.text(body, name, "");
        }
        for (String name : new String[] {"parallel_tool_calls", "store", "stream", "background"}) {
            Values.flag(body, name, "");
        }
        Values.oneOf(body, "truncation", "", Set.of("auto", "disabled"));
        if (body.path("stream").asBoolean() || body.path("background").asBoolean()) {
            throw Refusal.badRequest(
                    body.path("stream").asBoolean() ? "stream" : "background",
                    "unsupported_value",
                    "The local server answers at once and whole: no 'stream', no 'background'.");
        }
        checkInclude(body.path("include"));
        JsonNode reasoning = body.path("reasoning");
        if (Values.given(body, "reasoning")) {
            Values.object(reasoning, "reasoning");
            Values.knownKeys(reasoning, "reasoning", Set.of("effort", "summary", "generate_summary"));
            Values.oneOf(reasoning, "effort", "reasoning", ParameterCheck.EFFORTS);
            Values.oneOf(reasoning, "summary", "reasoning", Set.of("auto", "concise", "detailed"));
        }
    }

    private static void checkInclude(JsonNode include) throws Refusal {
        if (include.isMissingNode() || include.isNull()) {
            return;
        }
        if (!include.isArray()) {
            throw Values.wrongType("include", "an array of strings");
        }
        for (int i = 0; i < include.size(); i++) {
            if (!INCLUDED.contains(include.get(i).asText())) {
                throw Refusal.badRequest(
                        "include[" + i + "]",
                        "invalid_value",
                        "Invalid value: '" + include.get(i).asText() + "' is nothing that can be included.");
            }
        }
    }

    /** Tools are flat here: name and parameters stand beside the type. */
    private static void checkTools(JsonNode body) throws Refusal {
        JsonNode tools = body.path("tools");
        if (Values.given(body, "tools") && !tools.isArray()) {
            throw Values.wrongType("tools", "an array of tools");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < tools.size(); i++) {
            String name = checkTool(tools.get(i), "tools[" + i + "]");
            if (!names.add(name)) {
                throw Refusal.badRequest("tools", "invalid_value", "Invalid 'tools': '" + name + "' is given twice.");
            }
        }
        checkChoice(body.path("tool_choice"), names);
    }

    /** The tool's name. */
    private static String checkTool(JsonNode tool, String where) throws Refusal {
        Values.object(tool, where);
        Values.requiredText(tool, "type", where);
        String type = tool.path("type").asText();
        if (!type.equals("function") && !type.equals("custom")) {
            throw Refusal.badRequest(
                    where + ".type",
                    "invalid_value",
                    "Invalid value for '" + where + ".type': the local server takes 'function' and 'custom', not '"
                            + type + "'.");
        }
        boolean function = type.equals("function");
        Values.knownKeys(
                tool,
                where,
                function
                        ? Set.of("type", "name", "description", "parameters", "strict")
                        : Set.of("type", "name", "description", "format"));
        String name = tool.path("name").isTextual() ? tool.path("name").asText() : "";
        InputCheck.checkName(name, where + ".name");
        Values.text(tool, "description", where);
        if (function) {
            Values.flag(tool, "strict", where);
            ToolCheck.checkFunction(tool, where, name);
        }
        return name;
    }

    private static void checkChoice(JsonNode choice, Set<String> names) throws Refusal {
        if (choice.isMissingNode() || choice.isNull() || Set.of("none", "auto").contains(choice.asText())) {
            return;
        }
        if (choice.asText().equals("required")) {
            if (names.isEmpty()) {
                throw Refusal.badRequest(
                        "tool_choice", null, "Tool choice 'required' must be specified with 'tools' parameter.");
            }
            return;
        }
        switch (choice.path("type").asText()) {
            case "function", "custom" -> checkChosen(choice, names);
            case "allowed_tools" -> {
                Values.requiredText(choice, "mode", "tool_choice");
                Values.oneOf(choice, "mode", "tool_choice", Set.of("auto", "required"));
                for (JsonNode tool : choice.path("tools")) {
                    checkChosen(tool, names);
                }
            }
            default ->
                throw Refusal.badRequest(
                        "tool_choice",
                        "invalid_value",
                        "Invalid value for 'tool_choice': expected 'none', 'auto', 'required' or an object that names a tool.");
        }
    }

    private static void checkChosen(JsonNode chosen, Set<String> names) throws Refusal {
        String name = chosen.path("name").asText("");
        if (!names.contains(name)) {
            throw Refusal.badRequest("tool_choice", null, "Tool choice '" + name + "' not found in 'tools' parameter.");
        }
    }

    private static void checkText(JsonNode body, String model) throws Refusal {
        JsonNode text = body.path("text");
        if (text.isMissingNode() || text.isNull()) {
            return;
        }
        Values.object(text, "text");
        Values.knownKeys(text, "text", Set.of("format", "verbosity"));
        Values.oneOf(text, "verbosity", "text", Set.of("low", "medium", "high"));
        JsonNode format = text.path("format");
        if (format.isMissingNode() || format.isNull()) {
            return;
        }
        switch (format.path("type").asText()) {
            case "text" -> {}
            case "json_object" -> {
                if (!Json.write(body.path("input")).toLowerCase(Locale.ROOT).contains("json")) {
                    throw Refusal.badRequest(
                            "input",
                            null,
                            "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.");
                }
            }
            case "json_schema" ->
                RequestCheck.checkSchemaFormat(format, "text.format", Set.of("type"), "text.format.schema", model);
            default ->
                throw Refusal.badRequest(
                        "text.format.type",
                        "invalid_value",
                        "Invalid value for 'text.format.type': expected 'text', 'json_object' or 'json_schema'.");
        }
    }
}
