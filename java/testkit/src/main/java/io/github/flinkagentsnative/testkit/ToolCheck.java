package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;

/** Refuses tools that Chat Completions refuses. */
final class ToolCheck {
    private static final int MAX_TOOLS = 128;

    private ToolCheck() {}

    static void check(JsonNode body) throws Refusal {
        JsonNode tools = body.path("tools");
        if (tools.isMissingNode()) {
            for (String needsTools : new String[] {"tool_choice", "parallel_tool_calls"}) {
                if (body.has(needsTools)) {
                    throw Refusal.badRequest(
                            needsTools,
                            null,
                            "Invalid value for '" + needsTools + "': it is only allowed when 'tools' are given.");
                }
            }
            return;
        }
        if (!tools.isArray() || tools.isEmpty()) {
            throw Refusal.badRequest(
                    "tools", "empty_array", "Invalid 'tools': expected an array of at least one tool.");
        }
        if (tools.size() > MAX_TOOLS) {
            throw Refusal.badRequest(
                    "tools",
                    "array_above_max_length",
                    "Invalid 'tools': array too long. Expected at most " + MAX_TOOLS + " tools, got " + tools.size()
                            + ".");
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

    private static void checkChoice(JsonNode choice, Set<String> names) throws Refusal {
        if (choice.isMissingNode()
                || choice.isNull()
                || Set.of("none", "auto", "required").contains(choice.asText())) {
            return;
        }
        switch (choice.path("type").asText()) {
            case "function", "custom" -> checkChosen(choice, names, "tool_choice");
            case "allowed_tools" -> {
                JsonNode allowed = choice.path("allowed_tools");
                Values.requiredText(allowed, "mode", "tool_choice.allowed_tools");
                Values.oneOf(allowed, "mode", "tool_choice.allowed_tools", Set.of("auto", "required"));
                for (JsonNode tool : allowed.path("tools")) {
                    checkChosen(tool, names, "tool_choice");
                }
            }
            default ->
                throw Refusal.badRequest(
                        "tool_choice",
                        "invalid_value",
                        "Invalid value for 'tool_choice': expected 'none', 'auto', 'required' or an object that names a tool.");
        }
    }

    private static void checkChosen(JsonNode chosen, Set<String> names, String where) throws Refusal {
        String name = chosen.path(chosen.path("type").asText()).path("name").asText("");
        if (!names.contains(name)) {
            throw Refusal.badRequest(where, null, "Tool choice '" + name + "' not found in 'tools' parameter.");
        }
    }

    /** The tool's name. */
    private static String checkTool(JsonNode tool, String where) throws Refusal {
        String type = tool.path("type").asText();
        if (!type.equals("function") && !type.equals("custom")) {
            throw Refusal.badRequest(
                    where + ".type",
                    "invalid_value",
                    "Invalid value for '" + where + ".type': expected 'function' or 'custom'.");
        }
        JsonNode named = tool.path(type);
        String at = where + "." + type;
        String name = named.path("name").isTextual() ? named.path("name").asText() : "";
        if (!RequestCheck.NAME.matcher(name).matches()) {
            throw Refusal.badRequest(
                    at + ".name",
                    name.isEmpty() ? "missing_required_parameter" : "invalid_value",
                    "Invalid '" + at + ".name': expected 1 to 64 characters of a-z, A-Z, 0-9, '_' and '-'.");
        }
        Values.text(named, "description", at);
        if (type.equals("function")) {
            Values.knownKeys(named, at, Set.of("name", "description", "parameters", "strict"));
            Values.flag(named, "strict", at);
            checkFunction(named, at, name);
        }
        return name;
    }

    static void checkFunction(JsonNode function, String where, String name) throws Refusal {
        JsonNode parameters = function.path("parameters");
        boolean strict = function.path("strict").asBoolean();
        String fault = null;
        if (strict) {
            fault = StrictSchemaCheck.fault(parameters);
        } else if (!parameters.isMissingNode()
                && !parameters.path("type").asText().equals("object")) {
            fault = "schema must be a JSON Schema of 'type: \"object\"'.";
        }
        if (fault != null) {
            throw Refusal.badRequest(
                    where + ".parameters",
                    "invalid_function_parameters",
                    "Invalid schema for function '" + name + "': " + fault);
        }
    }
}
