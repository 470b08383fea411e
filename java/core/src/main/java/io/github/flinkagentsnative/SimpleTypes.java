package io.github.flinkagentsnative;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Types of the JDK and of Jackson that are one JSON value, and the schema keywords of that value. */
final class SimpleTypes {

    /** What these hold when they are not empty. */
    static final Map<Class<?>, Class<?>> OPTIONAL_NUMBERS = Map.of(
            OptionalInt.class, Integer.class, OptionalLong.class, Long.class, OptionalDouble.class, Double.class);

    private static final Map<Class<?>, Map<String, Object>> KEYWORDS = new HashMap<>();

    static {
        string(null, String.class, CharSequence.class, StringBuilder.class, char[].class);
        string(null, ZoneId.class, ZoneOffset.class, TimeZone.class, Locale.class, Currency.class, Charset.class);
        string(null, YearMonth.class, MonthDay.class);
        string("uri", URI.class, URL.class);
        string("uuid", UUID.class);
        string("date", LocalDate.class);
        string("time", LocalTime.class, OffsetTime.class);
        string(
                "date-time",
                LocalDateTime.class,
                OffsetDateTime.class,
                ZonedDateTime.class,
                Instant.class,
                Date.class,
                Calendar.class);
        string("duration", Duration.class, Period.class);
        type("boolean", Boolean.class, boolean.class, AtomicBoolean.class);
        type(
                "integer",
                Byte.class,
                byte.class,
                Short.class,
                short.class,
                Integer.class,
                int.class,
                Long.class,
                long.class);
        type("integer", BigInteger.class, AtomicInteger.class, AtomicLong.class, Year.class);
        type("number", Float.class, float.class, Double.class, double.class, BigDecimal.class, Number.class);
        type("object", ObjectNode.class);
        type("array", ArrayNode.class);
        put(Object.class, Map.of());
        put(JsonNode.class, Map.of());
        put(byte[].class, keywords("type", "string", "contentEncoding", "base64"));
        put(Character.class, keywords("type", "string", "minLength", 1, "maxLength", 1));
        put(char.class, keywords("type", "string", "minLength", 1, "maxLength", 1));
    }

    private SimpleTypes() {}

    /** The keywords in the order in which they are written, or null for a type that is not simple. */
    static Map<String, Object> keywords(Class<?> type) {
        return KEYWORDS.get(type);
    }

    private static void string(String format, Class<?>... types) {
        for (Class<?> type : types) {
            put(type, format == null ? keywords("type", "string") : keywords("type", "string", "format", format));
        }
    }

    private static void type(String name, Class<?>... types) {
        for (Class<?> type : types) {
            put(type, keywords("type", name));
        }
    }

    private static void put(Class<?> type, Map<String, Object> keywords) {
        KEYWORDS.put(type, keywords);
    }

    private static Map<String, Object> keywords(Object... pairs) {
        Map<String, Object> keywords = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            keywords.put((String) pairs[i], pairs[i + 1]);
        }
        return keywords;
    }
}
