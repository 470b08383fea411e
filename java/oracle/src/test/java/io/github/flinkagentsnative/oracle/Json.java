package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** JSON trees with exact numbers. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    private static final JsonMapper ROUGH = new JsonMapper();

    private Json() {}

    static JsonNode read(byte[] json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException e) {
            throw new IllegalArgumentException("No JSON", e);
        }
    }

    static JsonNode read(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("No JSON: " + json, e);
        }
    }

    /** Numbers as doubles: a random exponent may be beyond any exact number. */
    static JsonNode readRoughly(String json) {
        try {
            return ROUGH.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("No JSON: " + json, e);
        }
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    /** Order is ignored in objects and counts in arrays; numbers are compared by value. */
    static boolean same(JsonNode one, JsonNode other) {
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue()) == 0;
        }
        if (one.isArray() && other.isArray()) {
            return one.size() == other.size() && sameItems(one, other);
        }
        if (one.isObject() && other.isObject()) {
            return one.size() == other.size()
                    && names(one).stream().allMatch(name -> other.has(name) && same(one.get(name), other.get(name)));
        }
        return one.equals(other);
    }

    private static boolean sameItems(JsonNode one, JsonNode other) {
        for (int i = 0; i < one.size(); i++) {
            if (!same(one.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }
}
