package io.github.flinkagentsnative;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Names and types of a row's fields (upstream #1270), and the way from an answer's values to exactly these types. */
final class RowFields {

    private static final Set<Class<?>> BASIC_TYPES = Set.of(
            String.class,
            Boolean.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            Character.class,
            Date.class,
            Void.class,
            BigInteger.class,
            BigDecimal.class,
            Instant.class);

    private final List<String> names;
    private final List<Class<?>> types;

    private RowFields(List<String> names, List<Class<?>> types) {
        this.names = names;
        this.types = types;
    }

    static RowFields of(List<String> names, List<Class<?>> types) {
        List<Class<?>> fieldTypes = List.copyOf(types);
        List<String> fieldNames = names == null ? unnamed(fieldTypes.size()) : List.copyOf(names);
        if (fieldNames.size() != fieldTypes.size()) {
            throw new IllegalArgumentException("A row needs one type for each name, but has " + fieldNames.size()
                    + " names and " + fieldTypes.size() + " types.");
        }
        Set<String> known = new HashSet<>();
        for (int i = 0; i < fieldTypes.size(); i++) {
            if (!known.add(fieldNames.get(i))) {
                throw new IllegalArgumentException("The row has two fields called '" + fieldNames.get(i) + "'.");
            }
            if (!BASIC_TYPES.contains(fieldTypes.get(i))) {
                throw new IllegalArgumentException("Currently, output schema only support row contains basic type."
                        + " Field '" + fieldNames.get(i) + "' is a "
                        + fieldTypes.get(i).getName() + ".");
            }
        }
        return new RowFields(fieldNames, fieldTypes);
    }

    private static List<String> unnamed(int count) {
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            names.add("f" + i);
        }
        return names;
    }

    List<String> names() {
        return names;
    }

    List<String> typeNames() {
        return types.stream().<String>map(Class::getName).toList();
    }

    /**
     * The values, each of exactly the declared class.
     *
     * @throws ChatModelException kind INVALID_OUTPUT, with the field's JSON Pointer, when a value does not fit
     */
    List<Object> convert(List<Object> values) throws ChatModelException {
        List<Object> converted = new ArrayList<>(values.size());
        for (int i = 0; i < types.size(); i++) {
            converted.add(convert(values.get(i), types.get(i), names.get(i)));
        }
        return Collections.unmodifiableList(converted);
    }

    private static Object convert(Object value, Class<?> type, String name) throws ChatModelException {
        try {
            Object converted = type == Void.class
                    ? null
                    : value instanceof Number number ? number(number, type) : plain(value, type);
            if (converted != null || type == Void.class && value == null) {
                return converted;
            }
        } catch (ArithmeticException | DateTimeException e) {
            throw misfit(type, name, e);
        }
        throw misfit(type, name, null);
    }

    /** Null when the class cannot hold such a value. */
    private static Object plain(Object value, Class<?> type) {
        if (value instanceof Boolean) {
            return type == Boolean.class ? value : null;
        }
        if (!(value instanceof String text)) {
            return null;
        }
        if (type == String.class) {
            return text;
        } else if (type == Character.class) {
            return text.length() == 1 ? (Object) text.charAt(0) : null;
        } else if (type == Instant.class) {
            return instant(text);
        } else if (type == Date.class) {
            return Date.from(instant(text));
        }
        return null;
    }

    private static Instant instant(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    /** Exact, or an {@link ArithmeticException}; null when the class cannot hold a number. */
    private static Object number(Number value, Class<?> type) {
        BigDecimal exact = new BigDecimal(value.toString());
        if (type == Integer.class) {
            return exact.intValueExact();
        } else if (type == Long.class) {
            return exact.longValueExact();
        } else if (type == BigDecimal.class) {
            return exact;
        } else if (type == Double.class) {
            return finite(exact.doubleValue());
        } else if (type == BigInteger.class) {
            return exact.toBigIntegerExact();
        } else if (type == Float.class) {
            return finite(exact.floatValue());
        } else if (type == Short.class) {
            return exact.shortValueExact();
        } else if (type == Byte.class) {
            return exact.byteValueExact();
        }
        return null;
    }

    private static Double finite(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }

    private static Float finite(float value) {
        return Float.isFinite(value) ? (Float) value : null;
    }

    private static ChatModelException misfit(Class<?> type, String name, Exception cause) {
        String pointer = "/" + JsonValues.escape(name);
        return new ChatModelException(
                ErrorKind.INVALID_OUTPUT,
                "The answer's value at " + pointer + " does not fit the field type " + type.getSimpleName() + ".",
                Map.of("pointer", pointer),
                cause);
    }

    /** The form that upstream prints, for example {@code Row(name: String, count: Integer)}. */
    @Override
    public String toString() {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            fields.add(names.get(i) + ": " + types.get(i).getSimpleName());
        }
        return "Row(" + String.join(", ", fields) + ")";
    }
}
