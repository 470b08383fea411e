package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;

/** Refuses tools that Chat Completions refuses. */
final class ToolCheck {
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
        for (int i = 0; i < tools.size(); i++) {
            checkTool(tools.get(i), "tools[" + i + "]");
        }
    }

    private static void checkTool(JsonNode tool, String where) throws Refusal {
        if (tool.path("type").asText().equals("custom")) {
            return;
        }
        if (!tool.path("type").asText().equals("function")) {
            throw Refusal.badRequest(
                    where + ".type",
                    "invalid_value",
                    "Invalid value for '" + where + ".type': expected 'function' or 'custom'.");
        }
        JsonNode function = tool.path("function");
        String name = function.path("name").asText("");
        if (!RequestCheck.NAME.matcher(name).matches()) {
            throw Refusal.badRequest(
                    where + ".function.name",
                    "invalid_value",
                    "Invalid '" + where
                            + ".function.name': expected 1 to 64 characters of a-z, A-Z, 0-9, '_' and '-'.");
        }
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
                    where + ".function.parameters",
                    "invalid_function_parameters",
                    "Invalid schema for function '" + name + "': " + fault);
        }
    }
}
