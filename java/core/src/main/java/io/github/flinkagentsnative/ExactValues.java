package io.github.flinkagentsnative;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where Jackson would lose something in silence: an integer written as a decimal passes through a double, {@code 3.7} becomes 3,
 * {@code 1e400} becomes infinity. Here a value is exact or refused.
 *
 * <p>The schema of a LocalTime or LocalDateTime says {@code time} or {@code date-time}, whose definition wants an offset; a model that
 * writes one is read too, by its local part.
 */
final class ExactValues extends SimpleModule {

    private static final long serialVersionUID = 1L;
    /** A decimal with more digits before its point is no integer of any class here; expanding it would only cost memory. */
    private static final int MAX_INTEGER_DIGITS = 10_000;

    ExactValues() {
        super("flink-agents-native-exact-values");
        integers(Byte.TYPE, Byte.class, BigInteger::byteValueExact);
        integers(Short.TYPE, Short.class, BigInteger::shortValueExact);
        integers(Integer.TYPE, Integer.class, BigInteger::intValueExact);
        integers(Long.TYPE, Long.class, BigInteger::longValueExact);
        addDeserializer(BigInteger.class, new Scalar<>(BigInteger.class, ExactValues::integer));
        decimals(Float.TYPE, Float.class, ExactValues::finiteFloat);
        decimals(Double.TYPE, Double.class, ExactValues::finiteDouble);
        optional(
                OptionalInt.class,
                OptionalInt.empty(),
                parser -> OptionalInt.of(integer(parser).intValueExact()));
        optional(
                OptionalLong.class,
                OptionalLong.empty(),
                parser -> OptionalLong.of(integer(parser).longValueExact()));
        optional(OptionalDouble.class, OptionalDouble.empty(), parser -> OptionalDouble.of(finiteDouble(parser)));
        addDeserializer(
                AtomicInteger.class,
                new Scalar<>(
                        AtomicInteger.class,
                        parser -> new AtomicInteger(integer(parser).intValueExact())));
        addDeserializer(
                AtomicLong.class,
                new Scalar<>(
                        AtomicLong.class,
                        parser -> new AtomicLong(integer(parser).longValueExact())));
        items(short[].class, Short.class);
        items(int[].class, Integer.class);
        items(long[].class, Long.class);
        items(float[].class, Float.class);
        items(double[].class, Double.class);
        addDeserializer(LocalTime.class, new Scalar<>(LocalTime.class, ExactValues::localTime));
        addDeserializer(LocalDateTime.class, new Scalar<>(LocalDateTime.class, ExactValues::localDateTime));
    }

    private <T> void integers(Class<T> primitive, Class<T> boxed, Read<BigInteger, T> narrow) {
        Read<JsonParser, T> read = parser -> narrow.read(integer(parser));
        addDeserializer(primitive, new Scalar<>(primitive, read));
        addDeserializer(boxed, new Scalar<>(boxed, read));
    }

    private <T> void decimals(Class<T> primitive, Class<T> boxed, Read<JsonParser, T> read) {
        addDeserializer(primitive, new Scalar<>(primitive, read));
        addDeserializer(boxed, new Scalar<>(boxed, read));
    }

    /** Arrays of primitives: Jackson reads their items without asking the readers of the items' class. */
    private <A> void items(Class<A> array, Class<?> boxed) {
        addDeserializer(array, new StdDeserializer<A>(array) {
            private static final long serialVersionUID = 1L;

            @Override
            public A deserialize(JsonParser parser, DeserializationContext context) throws IOException {
                if (!parser.isExpectedStartArrayToken()) {
                    return array.cast(context.handleUnexpectedToken(array, parser));
                }
                List<Object> read = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    Object item;
                    try {
                        item = context.readValue(parser, boxed);
                    } catch (JsonMappingException e) {
                        throw JsonMappingException.wrapWithPath(e, array, read.size());
                    }
                    if (item == null) {
                        throw JsonMappingException.wrapWithPath(
                                MismatchedInputException.from(parser, boxed, "null for a primitive"),
                                array,
                                read.size());
                    }
                    read.add(item);
                }
                A items = array.cast(Array.newInstance(array.getComponentType(), read.size()));
                for (int i = 0; i < read.size(); i++) {
                    Array.set(items, i, read.get(i));
                }
                return items;
            }
        });
    }

    private <T> void optional(Class<T> type, T empty, Read<JsonParser, T> read) {
        addDeserializer(type, new Scalar<>(type, read, empty));
    }

    private static BigInteger integer(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return parser.getBigIntegerValue();
        }
        BigDecimal decimal = decimal(parser);
        if ((long) decimal.precision() - decimal.scale() > MAX_INTEGER_DIGITS) {
            throw new ArithmeticException("too large");
        }
        return decimal.toBigIntegerExact();
    }

    private static Float finiteFloat(JsonParser parser) throws IOException {
        float value = decimal(parser).floatValue();
        if (!Float.isFinite(value)) {
            throw new ArithmeticException("too large");
        }
        return value;
    }

    private static Double finiteDouble(JsonParser parser) throws IOException {
        double value = decimal(parser).doubleValue();
        if (!Double.isFinite(value)) {
            throw new ArithmeticException("too large");
        }
        return value;
    }

    private static BigDecimal decimal(JsonParser parser) throws IOException {
        if (!parser.currentToken().isNumeric()) {
            throw new ArithmeticException("no number");
        }
        return parser.getDecimalValue();
    }

    private static LocalTime localTime(JsonParser parser) throws IOException {
        String text = parser.getText();
        return hasOffset(text, 0) ? OffsetTime.parse(text).toLocalTime() : LocalTime.parse(text);
    }

    private static LocalDateTime localDateTime(JsonParser parser) throws IOException {
        String text = parser.getText();
        return hasOffset(text, text.indexOf('T') + 1)
                ? OffsetDateTime.parse(text).toLocalDateTime()
                : LocalDateTime.parse(text);
    }

    private static boolean hasOffset(String text, int timeStart) {
        return text.endsWith("Z") || text.indexOf('+', timeStart) >= 0 || text.indexOf('-', timeStart) >= 0;
    }

    @FunctionalInterface
    private interface Read<F, T> {
        T read(F from) throws IOException;
    }

    private static final class Scalar<T> extends StdScalarDeserializer<T> {

        private static final long serialVersionUID = 1L;
        private final transient Read<JsonParser, T> read;

        private final transient T empty;

        Scalar(Class<T> type, Read<JsonParser, T> read) {
            this(type, read, null);
        }

        Scalar(Class<T> type, Read<JsonParser, T> read, T empty) {
            super(type);
            this.read = read;
            this.empty = empty;
        }

        @Override
        @SuppressWarnings("unchecked") // reportInputMismatch never returns
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            try {
                return read.read(parser);
            } catch (ArithmeticException | DateTimeException e) {
                return (T) context.reportInputMismatch(this, "does not fit");
            }
        }

        @Override
        public T getNullValue(DeserializationContext context) throws JsonMappingException {
            return handledType().isPrimitive() ? context.reportInputMismatch(this, "null for a primitive") : empty;
        }
    }
}
