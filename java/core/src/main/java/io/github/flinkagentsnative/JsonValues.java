package io.github.flinkagentsnative;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What JSON can hold, as Java values: null, Boolean, String, List, Map with String keys, and numbers. Integers become Integer,
 * Long or BigInteger by size, all other numbers BigDecimal, so that a value equals itself after a round trip through JSON.
 */
final class JsonValues {

    /** Levels of lists and maps; a frame adds some of its own. */
    static final int MAX_DEPTH = 100;

    private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

    private JsonValues() {}

    /** An unmodifiable deep copy; null counts as empty. Anything that JSON cannot hold is refused with its JSON Pointer. */
    static Map<String, Object> copyObject(Map<String, ?> value, String pointer) {
        if (value == null || value.isEmpty()) {
            return Map.of();
        }
        return copyMap(value, pointer, MAX_DEPTH);
    }

    static Object copy(Object value, String pointer) {
        return copy(value, pointer, MAX_DEPTH);
    }

    private static Object copy(Object value, String pointer, int depthLeft) {
        if (value == null || value instanceof String || value instanceof Boolean) {
            return value;
        }
        if (value instanceof Number number) {
            return number(number, pointer);
        }
        if (depthLeft == 0) {
            throw new IllegalArgumentException(
                    "The value at " + shown(pointer) + " is nested deeper than " + MAX_DEPTH + " levels; flatten it.");
        }
        if (value instanceof Map<?, ?> map) {
            return copyMap(map, pointer, depthLeft);
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>(list.size());
            for (Object item : list) {
                copy.add(copy(item, pointer + "/" + copy.size(), depthLeft - 1));
            }
            return Collections.unmodifiableList(copy);
        }
        throw refused(value, pointer);
    }

    private static Map<String, Object> copyMap(Map<?, ?> map, String pointer, int depthLeft) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw new IllegalArgumentException("The map at " + shown(pointer) + " has a key that is no String.");
            }
            copy.put(name, copy(value, pointer + "/" + escape(name), depthLeft - 1));
        });
        return Collections.unmodifiableMap(copy);
    }

    private static Object number(Number number, String pointer) {
        if (number instanceof Integer) {
            return number;
        }
        if (number instanceof BigDecimal decimal) {
            return decimal.scale() == 0 ? integer(decimal.unscaledValue()) : decimal;
        }
        if (number instanceof Long || number instanceof Short || number instanceof Byte) {
            return integer(number.longValue());
        }
        if (number instanceof BigInteger integer) {
            return integer(integer);
        }
        if (number instanceof Double && Double.isFinite(number.doubleValue())
                || number instanceof Float && Float.isFinite(number.floatValue())) {
            return new BigDecimal(number.toString());
        }
        throw refused(number, pointer);
    }

    static Object integer(long value) {
        if (value == (int) value) {
            return (int) value;
        }
        return value;
    }

    static Object integer(BigInteger value) {
        boolean isLong = value.compareTo(MIN_LONG) >= 0 && value.compareTo(MAX_LONG) <= 0;
        return isLong ? integer(value.longValue()) : value;
    }

    /** One step of a JSON Pointer (RFC 6901). */
    static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    private static String shown(String pointer) {
        return pointer.isEmpty() ? "the root" : pointer;
    }

    private static IllegalArgumentException refused(Object value, String pointer) {
        boolean notFinite = value instanceof Double || value instanceof Float;
        String what = notFinite
                ? "a number that is not finite"
                : "a " + value.getClass().getName();
        return new IllegalArgumentException("The value at " + shown(pointer) + " is " + what
                + "; JSON holds only null, booleans, finite numbers, Strings, Lists and Maps with String keys.");
    }
}
