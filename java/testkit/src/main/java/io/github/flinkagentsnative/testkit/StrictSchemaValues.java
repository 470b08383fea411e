package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.flinkagentsnative.testkit.StrictSchemaCheck.Fault;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The values that keywords of a strict schema may have: {@code minItems} is a count, {@code required} a list of names, and so on. */
final class StrictSchemaValues {
    private StrictSchemaValues() {}

    static void checkKeywords(JsonNode node, List<String> context) throws Fault {
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            String expected = expected(member.getKey(), member.getValue());
            if (expected != null) {
                throw new Fault(
                        context,
                        Json.write(member.getValue()) + " is not valid for '" + member.getKey() + "': expected "
                                + expected + ".");
            }
        }
    }

    /** What the keyword's value has to be, or null when it is that. */
    private static String expected(String keyword, JsonNode value) {
        return switch (keyword) {
            case "description", "title", "pattern", "format", "$ref" -> value.isTextual() ? null : "a string";
            case "properties", "$defs", "definitions" -> value.isObject() ? null : "an object";
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum" -> value.isNumber() ? null : "a number";
            case "multipleOf" -> value.isNumber() && value.decimalValue().signum() > 0 ? null : "a number above 0";
            case "minItems", "maxItems" ->
                value.isIntegralNumber() && value.bigIntegerValue().signum() >= 0 ? null : "a count";
            case "required" -> areNames(value) ? null : "an array of different strings";
            default -> null;
        };
    }

    private static boolean areNames(JsonNode value) {
        Set<String> names = new HashSet<>();
        for (JsonNode name : value) {
            if (!name.isTextual() || !names.add(name.asText())) {
                return false;
            }
        }
        return value.isArray();
    }

    /** A value of {@code enum} or {@code const} has to be a scalar of one of the node's types; a node may have none of its own. */
    static void checkValue(String keyword, JsonNode value, Set<String> types, List<String> context) throws Fault {
        if (value.isContainerNode()) {
            throw new Fault(context, "'" + keyword + "' value " + Json.write(value) + " is not a scalar.");
        }
        if (!types.isEmpty() && types.stream().noneMatch(type -> isOf(type, value))) {
            throw new Fault(
                    context,
                    "'" + keyword + "' value " + Json.write(value) + " does not validate against type "
                            + String.join(" or ", types) + ".");
        }
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "null" -> value.isNull();
            case "number" -> value.isNumber();
            // 1.0 is an integer in JSON Schema
            case "integer" ->
                value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
            default -> false;
        };
    }
}
