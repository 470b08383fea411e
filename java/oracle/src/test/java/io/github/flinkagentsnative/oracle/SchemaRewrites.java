package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.reflect.Field;
import java.time.Year;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** The SDK's schemas in this library's form, one method for each {@link StatedDifference}. */
final class SchemaRewrites {
    private static final String SDK_PREFIX = "json-schema-from-";
    private static final Set<String> LISTED_FORMATS =
            Set.of("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid");

    private SchemaRewrites() {}

    // ---- name and root

    static JsonNode name(String pointer, JsonNode sdk, JsonNode ours) {
        if (!isRoot(pointer + "/schema") || !sdk.path("name").asText().startsWith(SDK_PREFIX)) {
            return null;
        }
        String name = sdk.get("name").asText().substring(SDK_PREFIX.length()).replaceAll("[^A-Za-z0-9_-]", "_");
        return copy(sdk).put("name", name.substring(0, Math.min(64, name.length())));
    }

    static JsonNode withoutMarker(String pointer, JsonNode sdk, JsonNode ours) {
        return isRoot(pointer) && sdk.path("$schema").isTextual() ? copy(sdk).without("$schema") : null;
    }

    /** References to the root lead to a definition with the root's own content. */
    static JsonNode rootDefinition(String pointer, JsonNode sdk, JsonNode ours) {
        if (!isRoot(pointer) || !sdk.toString().contains("\"$ref\":\"#\"")) {
            return null;
        }
        ObjectNode changed = copy(Json.read(sdk.toString().replace("\"$ref\":\"#\"", "\"$ref\":\"#/$defs/root\"")));
        ObjectNode definition = changed.deepCopy().without(List.of("$schema", "$defs"));
        changed.withObject("/$defs").set("root", definition);
        return changed;
    }

    static JsonNode wrappedRoot(String pointer, JsonNode sdk, JsonNode ours) {
        if (!isRoot(pointer) || !sdk.has("anyOf")) {
            return null;
        }
        ObjectNode wrapper = Json.object().put("type", "object").put("additionalProperties", false);
        wrapper.putObject("properties").set("value", sdk);
        wrapper.putArray("required").add("value");
        return wrapper;
    }

    // ---- objects

    /** Ours has to require its own properties in their own order. */
    static JsonNode order(String pointer, JsonNode sdk, JsonNode ours) {
        if (!sdk.path("required").isArray() || !ours.path("required").isArray()) {
            return null;
        }
        List<String> required = Json.texts(ours.get("required"));
        boolean sameNames = Set.copyOf(required).equals(Set.copyOf(Json.texts(sdk.get("required"))));
        boolean inOwnOrder = required.equals(Json.names(ours.path("properties")));
        return sameNames && inOwnOrder ? copy(sdk).set("required", ours.get("required")) : null;
    }

    static JsonNode withoutIgnoredTypes(String pointer, JsonNode sdk, JsonNode ours) {
        List<String> ignored = Json.names(sdk.path("properties")).stream()
                .filter(name -> isField(name, field -> field.getType().isAnnotationPresent(JsonIgnoreType.class)))
                .toList();
        if (ignored.isEmpty()) {
            return null;
        }
        ObjectNode changed = copy(sdk);
        ((ObjectNode) changed.get("properties")).remove(ignored);
        ArrayNode required = changed.putArray("required");
        Json.texts(sdk.get("required")).stream()
                .filter(name -> !ignored.contains(name))
                .forEach(required::add);
        return changed;
    }

    // ---- values

    static JsonNode enumValues(String pointer, JsonNode sdk, JsonNode ours) {
        if (!sdk.path("enum").isArray()) {
            return null;
        }
        List<String> names = Json.texts(sdk.get("enum"));
        for (Class<?> type : Shapes.class.getDeclaredClasses()) {
            Object[] constants = type.getEnumConstants();
            if (constants != null
                    && names.equals(Arrays.stream(constants)
                            .map(c -> ((Enum<?>) c).name())
                            .toList())) {
                ArrayNode values = new JsonMapper().valueToTree(constants);
                return copy(sdk)
                        .put("type", values.get(0).isTextual() ? "string" : "integer")
                        .set("enum", values);
            }
        }
        return null;
    }

    static JsonNode nullable(String pointer, JsonNode sdk, JsonNode ours) {
        boolean annotated = isField(last(pointer), field -> field.isAnnotationPresent(Shapes.Nullable.class));
        if (!annotated || !sdk.path("type").isTextual()) {
            return null;
        }
        ObjectNode changed = copy(sdk);
        changed.putArray("type").add(sdk.get("type")).add("null");
        return changed;
    }

    static JsonNode jdkValues(String pointer, JsonNode sdk, JsonNode ours) {
        Map<Class<?>, String> values = Map.of(
                OptionalInt.class, "{\"type\":[\"integer\",\"null\"]}",
                OptionalLong.class, "{\"type\":[\"integer\",\"null\"]}",
                OptionalDouble.class, "{\"type\":[\"number\",\"null\"]}",
                Locale.class, "{\"type\":\"string\"}",
                Year.class, "{\"type\":\"integer\"}");
        return typed(pointer, sdk, "{\"type\":\"object\",\"additionalProperties\":false}", values);
    }

    static JsonNode bytes(String pointer, JsonNode sdk, JsonNode ours) {
        String list = "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}";
        String base64 = "{\"type\":\"string\",\"description\":\"Encoded as base64.\"}";
        return typed(pointer, sdk, list, Map.of(byte[].class, base64));
    }

    static JsonNode character(String pointer, JsonNode sdk, JsonNode ours) {
        String one = "{\"type\":\"string\",\"description\":\"At least 1 character. At most 1 character.\"}";
        return typed(pointer, sdk, "{\"type\":\"string\"}", Map.of(char.class, one));
    }

    private static JsonNode typed(String pointer, JsonNode sdk, String expected, Map<Class<?>, String> values) {
        return values.entrySet().stream()
                .filter(value -> isField(last(pointer), field -> field.getType() == value.getKey()))
                .filter(value -> sdk.equals(Json.read(expected)))
                .map(value -> Json.read(value.getValue()))
                .findFirst()
                .orElse(null);
    }

    static JsonNode formatInWords(String pointer, JsonNode sdk, JsonNode ours) {
        String format = sdk.path("format").asText();
        if (!sdk.path("format").isTextual() || LISTED_FORMATS.contains(format)) {
            return null;
        }
        return copy(sdk).<ObjectNode>without("format").put("description", "Format: " + format + ".");
    }

    static JsonNode datePattern(String pointer, JsonNode sdk, JsonNode ours) {
        for (Field field : fields(last(pointer))) {
            JsonFormat format = field.getAnnotation(JsonFormat.class);
            if (format != null && sdk.path("format").asText().equals("date")) {
                return copy(sdk).<ObjectNode>without("format").put("description", "In the form " + format.pattern());
            }
        }
        return null;
    }

    static JsonNode discriminator(String pointer, JsonNode sdk, JsonNode ours) {
        return sdk.path("const").isTextual() && !sdk.has("type") ? copy(sdk).put("type", "string") : null;
    }

    static JsonNode withoutAccessFlags(String pointer, JsonNode sdk, JsonNode ours) {
        boolean flagged =
                sdk.path("writeOnly").isBoolean() || sdk.path("readOnly").isBoolean();
        return flagged ? copy(sdk).without(List.of("writeOnly", "readOnly")) : null;
    }

    static JsonNode withoutSwagger(String pointer, JsonNode sdk, JsonNode ours) {
        boolean annotated = isField(last(pointer), field -> field.isAnnotationPresent(Schema.class));
        return annotated ? copy(sdk).without(List.of("minimum", "maximum", "description")) : null;
    }

    // ---- definitions

    static JsonNode enumsInPlace(String pointer, JsonNode sdk, JsonNode ours) {
        return isRoot(pointer) ? inPlace(sdk, reference -> true, definition -> definition.has("enum")) : null;
    }

    static JsonNode describedReferences(String pointer, JsonNode sdk, JsonNode ours) {
        return isRoot(pointer) ? inPlace(sdk, reference -> reference.has("description"), definition -> true) : null;
    }

    /** Puts definitions where they are referred to, and drops those that nothing refers to any more. */
    private static JsonNode inPlace(JsonNode root, Predicate<JsonNode> where, Predicate<JsonNode> which) {
        JsonNode definitions = root.path("$defs");
        ObjectNode changed = copy(rewritten(root, node -> {
            JsonNode definition = definitions.path(definitionName(node));
            if (definition.isMissingNode() || !where.test(node) || !which.test(definition)) {
                return node;
            }
            return copy(definition).setAll((ObjectNode) copy(node).without("$ref"));
        }));
        if (definitions.isObject()) {
            ObjectNode left = copy(changed.get("$defs"));
            left.retain(Json.names(definitions).stream()
                    .filter(name -> changed.toString().contains("\"#/$defs/" + name + "\""))
                    .toList());
            changed.set("$defs", left);
            if (left.isEmpty()) {
                changed.remove("$defs");
            }
        }
        return changed;
    }

    /** A definition of ours is the SDK's when the plain name and the names of the properties are the same. */
    static JsonNode definitionNames(String pointer, JsonNode sdk, JsonNode ours) {
        if (!isRoot(pointer) || !sdk.path("$defs").isObject()) {
            return null;
        }
        Map<String, String> names = new HashMap<>();
        for (String name : Json.names(sdk.get("$defs"))) {
            for (String own : Json.names(ours.path("$defs"))) {
                String plain = name.replaceAll("[^A-Za-z0-9_-]", "_").replaceAll("-\\d+$", "");
                boolean sameName = own.replaceAll("-\\d+$", "").equals(plain);
                if (sameName
                        && properties(sdk.at("/$defs").get(name))
                                .equals(properties(ours.at("/$defs").get(own)))) {
                    names.put(name, own);
                }
            }
        }
        ObjectNode changed = copy(rewritten(sdk, node -> {
            String own = names.get(definitionName(node));
            return own == null ? node : copy(node).put("$ref", "#/$defs/" + own);
        }));
        ObjectNode renamed = Json.object();
        changed.get("$defs")
                .fields()
                .forEachRemaining(definition -> renamed.set(
                        names.getOrDefault(definition.getKey(), definition.getKey()), definition.getValue()));
        return changed.set("$defs", renamed);
    }

    private static Set<String> properties(JsonNode definition) {
        return new HashSet<>(Json.names(definition.path("properties")));
    }

    private static String definitionName(JsonNode node) {
        String reference = node.path("$ref").asText();
        return reference.startsWith("#/$defs/") ? reference.substring("#/$defs/".length()) : "";
    }

    /** Each object below a node, innermost first, as the function gives it. */
    private static JsonNode rewritten(JsonNode node, Function<JsonNode, JsonNode> function) {
        if (node.isArray()) {
            ArrayNode items = Json.object().arrayNode();
            node.forEach(item -> items.add(rewritten(item, function)));
            return items;
        }
        if (!node.isObject()) {
            return node;
        }
        ObjectNode members = Json.object();
        node.fields().forEachRemaining(member -> members.set(member.getKey(), rewritten(member.getValue(), function)));
        return function.apply(members);
    }

    // ---- places

    private static boolean isRoot(String pointer) {
        return pointer.equals("/body/response_format/json_schema/schema")
                || pointer.equals("/body/text/format/schema")
                || pointer.equals("/body/output_config/format/schema");
    }

    private static String last(String pointer) {
        return pointer.substring(pointer.lastIndexOf('/') + 1);
    }

    private static boolean isField(String name, Predicate<Field> test) {
        return fields(name).stream().anyMatch(test);
    }

    private static List<Field> fields(String name) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> type : Shapes.class.getDeclaredClasses()) {
            Arrays.stream(type.getDeclaredFields())
                    .filter(field -> field.getName().equals(name))
                    .forEach(fields::add);
        }
        return fields;
    }

    private static ObjectNode copy(JsonNode node) {
        return ((ObjectNode) node).deepCopy();
    }
}
