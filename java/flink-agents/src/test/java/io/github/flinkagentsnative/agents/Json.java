package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** JSON in few words. */
final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    /** Names and values in turn; a null value leaves the member out. */
    static ObjectNode object(Object... members) {
        ObjectNode object = MAPPER.createObjectNode();
        for (int i = 0; i < members.length; i += 2) {
            if (members[i + 1] != null) {
                object.set((String) members[i], MAPPER.valueToTree(members[i + 1]));
            }
        }
        return object;
    }

    static ArrayNode array(Object... items) {
        return array(Arrays.asList(items));
    }

    static ArrayNode array(List<?> items) {
        ArrayNode array = MAPPER.createArrayNode();
        items.forEach(item -> array.add(MAPPER.<JsonNode>valueToTree(item)));
        return array;
    }

    static JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + text, e);
        }
    }

    static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The texts under {@code pointer} in each item of a list. */
    static List<String> texts(JsonNode list, String pointer) {
        List<String> texts = new ArrayList<>();
        list.forEach(item -> texts.add(item.at(pointer).asText()));
        return texts;
    }
}
