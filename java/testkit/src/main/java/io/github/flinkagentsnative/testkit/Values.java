package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks of single members of an object. {@code where} is the object's place in the request, empty for its root; a member that is absent
 * or null passes unless the check's name says that it is required.
 */
final class Values {
    private Values() {}

    static void knownKeys(JsonNode object, String where, Set<String> known) throws Refusal {
        for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
            String param = at(where, names.next());
            if (!known.contains(param.substring(where.isEmpty() ? 0 : where.length() + 1))) {
                throw Refusal.badRequest(param, "unknown_parameter", "Unknown parameter: '" + param + "'.");
            }
        }
    }

    static void object(JsonNode value, String param) throws Refusal {
        if (!value.isObject()) {
            throw wrongType(param, "an object");
        }
    }

    static void text(JsonNode object, String name, String where) throws Refusal {
        if (given(object, name) && !object.path(name).isTextual()) {
            throw wrongType(at(where, name), "a string");
        }
    }

    static void requiredText(JsonNode object, String name, String where) throws Refusal {
        String param = at(where, name);
        if (!object.has(name)) {
            throw missing(param);
        }
        if (!object.path(name).isTextual()) {
            throw wrongType(param, "a string");
        }
    }

    static Refusal missing(String param) {
        return Refusal.badRequest(param, "missing_required_parameter", "Missing required parameter: '" + param + "'.");
    }

    static void flag(JsonNode object, String name, String where) throws Refusal {
        if (given(object, name) && !object.path(name).isBoolean()) {
            throw wrongType(at(where, name), "a boolean");
        }
    }

    static void oneOf(JsonNode object, String name, String where, Set<String> values) throws Refusal {
        if (given(object, name)
                && !(object.path(name).isTextual()
                        && values.contains(object.path(name).asText()))) {
            throw Refusal.badRequest(
                    at(where, name),
                    "invalid_value",
                    "Invalid value for '" + at(where, name) + "': expected one of "
                            + String.join(", ", new TreeSet<>(values)) + ".");
        }
    }

    static void integer(JsonNode object, String name, String where) throws Refusal {
        if (given(object, name) && !object.path(name).isIntegralNumber()) {
            throw wrongType(at(where, name), "an integer");
        }
    }

    /** An integer of at least {@code least}. */
    static void count(JsonNode object, String name, String where, long least) throws Refusal {
        integer(object, name, where);
        JsonNode value = object.path(name);
        if (given(object, name) && value.asLong() < least) {
            throw Refusal.badRequest(
                    at(where, name),
                    "integer_below_min_value",
                    "Invalid '" + at(where, name) + "': integer below minimum value. Expected a value >= " + least
                            + ", got " + value.asText() + ".");
        }
    }

    static void range(JsonNode object, String name, String where, double least, double most) throws Refusal {
        if (!given(object, name)) {
            return;
        }
        JsonNode value = object.path(name);
        if (!value.isNumber()) {
            throw wrongType(at(where, name), "a number");
        }
        if (value.asDouble() < least || value.asDouble() > most) {
            throw Refusal.badRequest(
                    at(where, name),
                    "decimal_out_of_range",
                    "Invalid '" + at(where, name) + "': expected a value from " + least + " to " + most + ", got "
                            + value.asText() + ".");
        }
    }

    static boolean given(JsonNode object, String name) {
        return object.hasNonNull(name);
    }

    static Refusal wrongType(String param, String expected) {
        return Refusal.badRequest(
                param, "invalid_type", "Invalid type for '" + param + "': expected " + expected + ".");
    }

    private static String at(String where, String name) {
        return where.isEmpty() ? name : where + "." + name;
    }
}
