package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The subset of JSON Schema that OpenAI takes in strict mode, for response formats and functions (OpenAI's guide to structured outputs,
 * November 2026): closed objects, every property required, every node typed, a list of keywords, and limits in size and depth.
 */
final class StrictSchemaCheck {
    private static final int MAX_DEPTH = 10;
    private static final int MAX_PROPERTIES = 5000;
    private static final int MAX_ENUM_VALUES = 1000;
    private static final int MAX_STRING_TOTAL = 120_000;

    private static final Set<String> TYPES =
            Set.of("object", "array", "string", "number", "integer", "boolean", "null");
    private static final Set<String> FORMATS =
            Set.of("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid");
    private static final Set<String> KEYWORDS = Set.of(
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "anyOf",
            "enum",
            "const",
            "$ref",
            "$defs",
            "definitions",
            "description",
            "title",
            "pattern",
            "format",
            "multipleOf",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minItems",
            "maxItems");

    /** A reference to a definition at the top level. */
    private static final Pattern DEFINITION = Pattern.compile("#/(\\$defs|definitions)/[^/]+");

    /** The first fault; not thrown to callers, it only ends the walk. */
    static final class Fault extends Exception {
        Fault(List<String> context, String rule) {
            super("In context=" + tuple(context) + ", " + rule, null, false, false);
        }
    }

    private final JsonNode root;
    private int properties;
    private int enumValues;
    private int stringTotal;

    private StrictSchemaCheck(JsonNode root) {
        this.root = root;
    }

    /** The first fault as the service words it ({@code In context=('properties', 'x'), ...}), or null when the schema is fine. */
    static String fault(JsonNode schema) {
        try {
            new StrictSchemaCheck(schema).checkRoot();
            return null;
        } catch (Fault fault) {
            return fault.getMessage();
        }
    }

    private void checkRoot() throws Fault {
        List<String> context = List.of();
        if (!root.isObject()) {
            throw new Fault(context, "schema must be a JSON object.");
        }
        if (root.has("anyOf")) {
            throw new Fault(context, "schema must not have 'anyOf' at the top level.");
        }
        if (!root.path("type").asText().equals("object")) {
            throw new Fault(
                    context,
                    "schema must be a JSON Schema of 'type: \"object\"', got 'type: \""
                            + root.path("type").asText("None") + "\"'.");
        }
        checkNode(root, context, 0);
    }

    private void checkNode(JsonNode node, List<String> context, int depth) throws Fault {
        if (!node.isObject()) {
            throw new Fault(
                    context,
                    "schema must be a JSON object, not "
                            + node.getNodeType().name().toLowerCase(Locale.ROOT) + ".");
        }
        if (depth > MAX_DEPTH) {
            throw new Fault(context, "schema exceeds the maximum nesting depth of " + MAX_DEPTH + ".");
        }
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            if (!KEYWORDS.contains(member.getKey())) {
                throw new Fault(context, "'" + member.getKey() + "' is not permitted.");
            }
        }
        StrictSchemaValues.checkKeywords(node, context);
        checkDefinitions(node, context, depth);
        if (node.has("$ref")) {
            checkReference(node, context);
            return;
        }
        if (node.has("anyOf")) {
            checkAnyOf(node.get("anyOf"), context, depth);
        } else if (!node.has("type")) {
            throw new Fault(context, "schema must have a 'type' key.");
        }
        Set<String> types = types(node, context);
        checkEnum(node, types, context);
        checkFormat(node, context);
        if (types.contains("object")) {
            checkObject(node, context, depth);
        }
        if (types.contains("array")) {
            if (!node.has("items")) {
                throw new Fault(context, "array schema missing items.");
            }
            checkNode(node.get("items"), with(context, "items"), depth + 1);
        }
    }

    private void checkDefinitions(JsonNode node, List<String> context, int depth) throws Fault {
        for (String keyword : List.of("$defs", "definitions")) {
            for (Map.Entry<String, JsonNode> definition : node.path(keyword).properties()) {
                count(definition.getKey(), context);
                // Depth is counted from where a definition stands: references are not followed.
                checkNode(definition.getValue(), with(context, keyword, definition.getKey()), depth);
            }
        }
    }

    private void checkReference(JsonNode node, List<String> context) throws Fault {
        Set<String> others = new TreeSet<>();
        node.fieldNames().forEachRemaining(others::add);
        others.removeAll(Set.of("$ref", "$defs", "definitions"));
        if (!others.isEmpty()) {
            throw new Fault(
                    context,
                    "$ref cannot have keywords "
                            + others.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ", "{", "}"))
                            + ".");
        }
        Set<String> seen = new TreeSet<>();
        for (JsonNode at = node; at.has("$ref"); at = target(at.get("$ref").asText(""), context)) {
            if (!seen.add(at.get("$ref").asText(""))) {
                throw new Fault(context, "reference '" + at.get("$ref").asText("") + "' leads back to itself.");
            }
        }
    }

    /** The schema that a reference names: the root, or a definition of the root. */
    private JsonNode target(String reference, List<String> context) throws Fault {
        if (reference.equals("#")) {
            return root;
        }
        if (DEFINITION.matcher(reference).matches()) {
            JsonNode target = root.at(reference.substring(1));
            if (target.isObject()) {
                return target;
            }
        }
        throw new Fault(context, "reference can only point to definitions of this schema, got '" + reference + "'.");
    }

    private void checkAnyOf(JsonNode branches, List<String> context, int depth) throws Fault {
        if (!branches.isArray() || branches.isEmpty()) {
            throw new Fault(context, "'anyOf' must be a non-empty array.");
        }
        for (int i = 0; i < branches.size(); i++) {
            checkNode(branches.get(i), with(context, "anyOf", String.valueOf(i)), depth + 1);
        }
    }

    private static Set<String> types(JsonNode node, List<String> context) throws Fault {
        JsonNode type = node.path("type");
        Set<String> types = new TreeSet<>();
        if (type.isMissingNode()) {
            return types;
        }
        if (type.isTextual()) {
            types.add(type.asText());
        } else {
            type.forEach(each -> types.add(each.asText()));
        }
        if (types.isEmpty() || !TYPES.containsAll(types) || type.isArray() && types.size() != type.size()) {
            throw new Fault(context, "schema has an invalid 'type': " + Json.write(type) + ".");
        }
        return types;
    }

    private void checkEnum(JsonNode node, Set<String> types, List<String> context) throws Fault {
        if (node.has("const")) {
            StrictSchemaValues.checkValue("const", node.get("const"), types, context);
            count(node.get("const").asText(""), context);
        }
        JsonNode values = node.path("enum");
        if (values.isMissingNode()) {
            return;
        }
        if (!values.isArray() || values.isEmpty()) {
            throw new Fault(context, "'enum' must be a non-empty array.");
        }
        int characters = 0;
        for (JsonNode value : values) {
            StrictSchemaValues.checkValue("enum", value, types, context);
            count(value.asText(""), context);
            characters += value.asText("").length();
        }
        if (values.size() > 250 && characters > 15_000) {
            throw new Fault(context, "an enum of more than 250 values must not exceed 15000 characters.");
        }
        enumValues += values.size();
        if (enumValues > MAX_ENUM_VALUES) {
            throw new Fault(context, "schema has more than " + MAX_ENUM_VALUES + " enum values.");
        }
    }

    private static void checkFormat(JsonNode node, List<String> context) throws Fault {
        if (node.has("format") && !FORMATS.contains(node.get("format").asText())) {
            throw new Fault(context, "'" + node.get("format").asText() + "' is not a valid format.");
        }
    }

    private void checkObject(JsonNode node, List<String> context, int depth) throws Fault {
        JsonNode closed = node.path("additionalProperties");
        if (!closed.isBoolean() || closed.asBoolean()) {
            throw new Fault(context, "'additionalProperties' is required to be supplied and to be false.");
        }
        Set<String> required = new TreeSet<>();
        node.path("required").forEach(name -> required.add(name.asText()));
        Set<String> names = new TreeSet<>();
        for (Map.Entry<String, JsonNode> property : node.path("properties").properties()) {
            names.add(property.getKey());
            count(property.getKey(), context);
            if (!required.contains(property.getKey())) {
                throw new Fault(
                        context,
                        "'required' is required to be supplied and to be an array including every key in properties."
                                + " Missing '" + property.getKey() + "'.");
            }
            if (++properties > MAX_PROPERTIES) {
                throw new Fault(context, "schema has more than " + MAX_PROPERTIES + " properties.");
            }
            checkNode(property.getValue(), with(context, "properties", property.getKey()), depth + 1);
        }
        required.removeAll(names);
        if (!required.isEmpty()) {
            throw new Fault(context, "'required' names keys that are no properties: " + required + ".");
        }
    }

    private void count(String text, List<String> context) throws Fault {
        stringTotal += text.length();
        if (stringTotal > MAX_STRING_TOTAL) {
            throw new Fault(
                    context, "names, enum values and constants exceed " + MAX_STRING_TOTAL + " characters in total.");
        }
    }

    private static List<String> with(List<String> context, String... more) {
        List<String> longer = new ArrayList<>(context);
        longer.addAll(List.of(more));
        return longer;
    }

    private static String tuple(List<String> context) {
        String inner = context.stream().map(part -> "'" + part + "'").collect(Collectors.joining(", "));
        return "(" + inner + (context.size() == 1 ? ",)" : ")");
    }
}
