package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Answers from the text of the last user message, always the same for the same request.
 *
 * <p>With a schema (in {@code response_format} or {@code text.format}, or written into a system message) it fills the schema: an enum value by keywords, a text by
 * an excerpt, a number by an amount or number in the text, a nullable value by null when the text has nothing for it. Where the text says
 * nothing and the schema demands something, a value is made from a hash of the text. Without a schema it repeats the first sentence.
 * A required tool is called with arguments filled in the same way.
 *
 * <p>{@link #hint} adds keywords in any language: for an enum value (its own name always counts) or for a boolean property.
 */
public final class SchemaResponder implements Responder {
    private static final int MAX_DEPTH = 24;
    private static final int MAX_ITEMS = 3;
    private static final int EXCERPT = 80;
    /** Enum values that mean "nothing special": chosen when no keyword is found. */
    private static final List<String> NEUTRAL =
            List.of("other", "none", "unknown", "normal", "neutral", "general", "medium");

    private final Map<String, List<String>> hints = new ConcurrentHashMap<>();

    /** Adds keywords for an enum value or a boolean property; matched without regard to case, at the start of words. */
    public SchemaResponder hint(String valueOrProperty, String... keywords) {
        hints.merge(valueOrProperty, List.of(keywords), (old, more) -> {
            List<String> both = new ArrayList<>(old);
            both.addAll(more);
            return List.copyOf(both);
        });
        return this;
    }

    @Override
    public Reply respond(ReceivedRequest request) {
        String text = request.lastUserText();
        Optional<Reply> call = requiredCall(request.json(), text);
        if (call.isPresent()) {
            return call.get();
        }
        JsonNode schema = request.schema().isObject() ? request.schema() : schemaInPrompt(request.systemText());
        if (schema != null) {
            return Reply.text(Json.write(fill(schema, text)));
        }
        List<String> sentences = Finder.sentences(text);
        return Reply.text(sentences.isEmpty() ? "(no text)" : Finder.cut(sentences.get(0), 400));
    }

    /** Fills a schema from a text. */
    public JsonNode fill(JsonNode schema, String text) {
        return new Filler(schema).value(schema, "", text, 0);
    }

    private Optional<Reply> requiredCall(JsonNode request, String text) {
        JsonNode choice = request.path("tool_choice");
        String wanted = (choice.has("function") ? choice.path("function") : choice)
                .path("name")
                .asText("");
        if (!choice.asText().equals("required") && wanted.isEmpty()) {
            return Optional.empty();
        }
        for (JsonNode tool : request.path("tools")) {
            JsonNode function = tool.has("function") ? tool.path("function") : tool; // flat on Responses
            String name = function.path("name").asText("");
            if (!name.isEmpty() && (wanted.isEmpty() || wanted.equals(name))) {
                String arguments =
                        function.has("parameters") ? Json.write(fill(function.get("parameters"), text)) : "{}";
                return Optional.of(Reply.toolCalls(new Reply.ToolCall("call_" + hash(text, name), name, arguments)));
            }
        }
        return Optional.empty();
    }

    /** The first JSON object in a prompt that looks like a schema, or null. */
    private static JsonNode schemaInPrompt(String prompt) {
        for (int start = prompt.indexOf('{'); start >= 0; start = prompt.indexOf('{', start + 1)) {
            int end = endOfObject(prompt, start);
            if (end < 0) {
                continue;
            }
            try {
                JsonNode node = Json.parse(prompt.substring(start, end));
                if (node.has("properties")
                        || node.has("$ref")
                        || node.has("anyOf")
                        || node.path("type").isTextual()) {
                    return node;
                }
            } catch (JsonProcessingException notJson) {
                continue; // a brace in prose; the next one may start the schema
            }
        }
        return null;
    }

    /** The index after the brace that closes the object at {@code start}, or -1; braces in strings do not count. */
    private static int endOfObject(String text, int start) {
        int depth = 0;
        boolean inString = false;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (inString) {
                if (c == '\\') {
                    i++;
                } else if (c == '"') {
                    inString = false;
                }
            } else if (c == '"') {
                inString = true;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return i + 1;
            }
        }
        return -1;
    }

    private boolean mentions(String text, String key) {
        return hits(text, key) > 0;
    }

    /** How many of the key's keywords stand in the text. */
    private int hits(String text, String key) {
        String lower = text.toLowerCase(Locale.ROOT);
        int hits = containsWord(lower, key.toLowerCase(Locale.ROOT).replace('_', ' ')) ? 1 : 0;
        for (String keyword : hints.getOrDefault(key, List.of())) {
            if (containsWord(lower, keyword.toLowerCase(Locale.ROOT))) {
                hits++;
            }
        }
        return hits;
    }

    /** Words are matched from their start, so that endings do not matter; scripts without spaces or with prefixes are matched anywhere. */
    private static boolean containsWord(String text, String word) {
        if (word.isEmpty()) {
            return false;
        }
        boolean fromStart = switch (Character.UnicodeScript.of(word.codePointAt(0))) {
            case LATIN, GREEK, CYRILLIC -> true;
            default -> false;
        };
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
            if (!fromStart || at == 0 || !Character.isLetter(text.codePointBefore(at))) {
                return true;
            }
        }
        return false;
    }

    private static int hash(String text, String salt) {
        return (text + '\u0000' + salt).hashCode() & 0x7fffffff;
    }

    /** One walk over one schema. */
    private final class Filler {
        private final JsonNodeFactory nodes = JsonNodeFactory.instance;
        private final JsonNode root;

        Filler(JsonNode root) {
            this.root = root;
        }

        JsonNode value(JsonNode given, String property, String text, int depth) {
            JsonNode schema = resolve(given);
            if (schema.has("const")) {
                return schema.get("const");
            }
            if (schema.path("anyOf").isArray() && !schema.path("anyOf").isEmpty()) {
                return anyOf(schema.get("anyOf"), property, text, depth);
            }
            List<String> types = types(schema);
            boolean nullable = types.remove("null") || types.isEmpty() && !schema.has("enum");
            if (types.isEmpty() && !schema.has("enum") || nullable && depth > MAX_DEPTH / 2) {
                return nodes.nullNode();
            }
            if (schema.path("enum").isArray() && !schema.path("enum").isEmpty()) {
                return choice(schema.get("enum"), property, text);
            }
            return ofType(types.get(0), schema, property, text, depth, nullable);
        }

        private JsonNode ofType(
                String type, JsonNode schema, String property, String text, int depth, boolean nullable) {
            return switch (type) {
                case "object" -> depth > MAX_DEPTH ? nodes.objectNode() : object(schema, text, depth);
                case "array" -> array(schema, property, text, depth);
                case "boolean" ->
                    nodes.booleanNode(
                            hints.containsKey(property) ? mentions(text, property) : hash(text, property) % 2 == 0);
                case "integer", "number" -> number(type, schema, property, text, nullable);
                default -> string(schema, property, text, nullable);
            };
        }

        private JsonNode object(JsonNode schema, String text, int depth) {
            ObjectNode object = nodes.objectNode();
            for (Map.Entry<String, JsonNode> property :
                    schema.path("properties").properties()) {
                object.set(property.getKey(), value(property.getValue(), property.getKey(), text, depth + 1));
            }
            return object;
        }

        /** Of a nullable choice the first real branch is tried, and null only stands when that finds nothing. */
        private JsonNode anyOf(JsonNode branches, String property, String text, int depth) {
            List<JsonNode> real = new ArrayList<>();
            boolean nullable = false;
            for (JsonNode branch : branches) {
                if (types(resolve(branch)).equals(List.of("null"))) {
                    nullable = true;
                } else {
                    real.add(branch);
                }
            }
            if (real.isEmpty() || nullable && depth > MAX_DEPTH / 2) {
                return nodes.nullNode();
            }
            JsonNode branch = resolve(nullable ? real.get(0) : real.get(hash(text, property) % real.size()));
            List<String> types = types(branch);
            boolean scalar = types.size() == 1 && !branch.has("enum") && !branch.has("const");
            if (nullable && scalar) {
                return ofType(types.get(0), branch, property, text, depth + 1, true);
            }
            return value(branch, property, text, depth + 1);
        }

        private JsonNode array(JsonNode schema, String property, String text, int depth) {
            JsonNode items = resolve(schema.path("items"));
            int least = schema.path("minItems").asInt(0);
            ArrayNode array = nodes.arrayNode();
            if (depth > MAX_DEPTH || least == 0 && depth > MAX_DEPTH / 4) {
                return array; // so that lists of the schema itself end
            }
            int most = Math.max(least, Math.min(schema.path("maxItems").asInt(MAX_ITEMS), MAX_ITEMS));
            if (items.path("enum").isArray()) {
                for (JsonNode value : items.get("enum")) {
                    if (array.size() < most && mentions(text, value.asText())) {
                        array.add(value);
                    }
                }
            } else if (types(items).contains("string")) {
                Finder.words(text, most).forEach(array::add);
            } else {
                for (String sentence : Finder.sentences(text)) {
                    if (array.size() < most) {
                        array.add(value(items, property, sentence, depth + 1));
                    }
                }
            }
            while (array.size() < least) {
                array.add(value(items, property, text, depth + 1));
            }
            return array;
        }

        private JsonNode choice(JsonNode values, String property, String text) {
            JsonNode best = null;
            int bestHits = 0;
            for (JsonNode value : values) {
                int hits = value.isNull() ? 0 : hits(text, value.asText());
                if (hits > bestHits) {
                    best = value;
                    bestHits = hits;
                }
            }
            if (best != null) {
                return best;
            }
            for (JsonNode value : values) {
                if (value.isNull() || NEUTRAL.contains(value.asText().toLowerCase(Locale.ROOT))) {
                    return value;
                }
            }
            return values.get(hash(text, property) % values.size());
        }

        private JsonNode string(JsonNode schema, String property, String text, boolean nullable) {
            Optional<String> found = find(schema, property.toLowerCase(Locale.ROOT), text);
            if (found.isEmpty() && nullable) {
                return nodes.nullNode();
            }
            return nodes.textNode(
                    found.orElseGet(() -> madeUp(schema.path("format").asText(), text)));
        }

        private Optional<String> find(JsonNode schema, String property, String text) {
            String format = schema.path("format").asText();
            if (format.equals("email") || property.contains("email")) {
                return Finder.email(text);
            }
            if (format.equals("date")) {
                return Finder.date(text);
            }
            if (!format.isEmpty()) {
                return Optional.empty();
            }
            if (schema.has("pattern")) {
                return byPattern(schema.get("pattern").asText(), text);
            }
            if (property.contains("currency")) {
                return Finder.currency(text);
            }
            if (property.contains("url") || property.contains("link")) {
                return Finder.url(text);
            }
            if (Pattern.compile("order|ticket|invoice|tracking|reference|code|number|id$")
                    .matcher(property)
                    .find()) {
                return Finder.code(text);
            }
            return Finder.sentences(text).stream().findFirst().map(sentence -> Finder.cut(sentence, EXCERPT));
        }

        private Optional<String> byPattern(String pattern, String text) {
            try {
                String open = pattern.replaceFirst("^\\^", "").replaceFirst("\\$$", "");
                return Pattern.compile(open)
                        .matcher(text)
                        .results()
                        .map(result -> result.group())
                        .findFirst();
            } catch (PatternSyntaxException otherDialect) {
                return Optional.empty();
            }
        }

        private static String madeUp(String format, String text) {
            return switch (format) {
                case "date" -> "2026-01-01";
                case "date-time" -> "2026-01-01T00:00:00Z";
                case "time" -> "00:00:00Z";
                case "duration" -> "PT1H";
                case "email" -> "nobody@example.com";
                case "hostname" -> "example.com";
                case "ipv4" -> "192.0.2.1";
                case "ipv6" -> "2001:db8::1";
                case "uuid" ->
                    UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8))
                            .toString();
                default -> "";
            };
        }

        private JsonNode number(String type, JsonNode schema, String property, String text, boolean nullable) {
            String name = property.toLowerCase(Locale.ROOT);
            boolean money = Pattern.compile("amount|price|total|sum|cost|refund|fee")
                    .matcher(name)
                    .find();
            Optional<BigDecimal> found = money ? Finder.amount(text) : Finder.firstNumber(text);
            if (Pattern.compile("confidence|score|probability").matcher(name).find()) {
                found = Optional.of(BigDecimal.valueOf(hash(text, property) % 50 + 50L, 2));
            }
            if (found.isEmpty() && nullable) {
                return nodes.nullNode();
            }
            BigDecimal value = clamp(schema, found.orElse(BigDecimal.ZERO));
            if (schema.has("multipleOf")
                    && schema.get("multipleOf").decimalValue().signum() > 0) {
                value = value.subtract(value.remainder(schema.get("multipleOf").decimalValue()));
            }
            return type.equals("integer")
                    ? nodes.numberNode(value.setScale(0, RoundingMode.DOWN).toBigInteger())
                    : nodes.numberNode(value);
        }

        private static BigDecimal clamp(JsonNode schema, BigDecimal value) {
            if (schema.has("minimum")) {
                value = value.max(schema.get("minimum").decimalValue());
            }
            if (schema.has("exclusiveMinimum")) {
                value = value.max(schema.get("exclusiveMinimum").decimalValue().add(BigDecimal.ONE));
            }
            if (schema.has("maximum")) {
                value = value.min(schema.get("maximum").decimalValue());
            }
            if (schema.has("exclusiveMaximum")) {
                value = value.min(schema.get("exclusiveMaximum").decimalValue().subtract(BigDecimal.ONE));
            }
            return value;
        }

        private JsonNode resolve(JsonNode schema) {
            JsonNode node = schema;
            for (int hops = 0; node.has("$ref") && hops < MAX_DEPTH; hops++) {
                String reference = node.get("$ref").asText();
                node = reference.equals("#")
                        ? root
                        : reference.startsWith("#/") ? root.at(reference.substring(1)) : nodes.missingNode();
            }
            return node;
        }

        private static List<String> types(JsonNode schema) {
            List<String> types = new ArrayList<>();
            JsonNode type = schema.path("type");
            if (type.isTextual()) {
                types.add(type.asText());
            } else {
                type.forEach(each -> types.add(each.asText()));
            }
            return types;
        }
    }
}
