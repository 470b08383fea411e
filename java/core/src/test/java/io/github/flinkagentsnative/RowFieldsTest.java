package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RowFieldsTest {

    static Stream<Arguments> values() {
        Instant instant = Instant.parse("2024-05-01T07:30:00Z");
        return Stream.of(
                Arguments.of(Long.class, 5, 5L),
                Arguments.of(Integer.class, new BigDecimal("5.0"), 5),
                Arguments.of(Short.class, 5, (short) 5),
                Arguments.of(Byte.class, -128, (byte) -128),
                Arguments.of(BigInteger.class, 5, BigInteger.valueOf(5)),
                Arguments.of(BigDecimal.class, new BigDecimal("1.10"), new BigDecimal("1.10")),
                Arguments.of(BigDecimal.class, 3, new BigDecimal("3")),
                Arguments.of(Double.class, 3, 3.0),
                Arguments.of(Float.class, new BigDecimal("0.5"), 0.5f),
                Arguments.of(String.class, "x", "x"),
                Arguments.of(Boolean.class, true, true),
                Arguments.of(Character.class, "x", 'x'),
                Arguments.of(Instant.class, "2024-05-01T09:30:00+02:00", instant),
                Arguments.of(Date.class, "2024-05-01T07:30:00Z", Date.from(instant)),
                Arguments.of(Void.class, null, null));
    }

    @ParameterizedTest
    @MethodSource("values")
    void b065_a_value_has_exactly_the_declared_class(Class<?> type, Object value, Object expected) throws Exception {
        RowFields fields = RowFields.of(List.of("f"), List.of(type));
        assertThat(fields.convert(Collections.singletonList(value))).isEqualTo(Collections.singletonList(expected));
    }

    static Stream<Arguments> misfits() {
        return Stream.of(
                Arguments.of(Integer.class, 2147483648L),
                Arguments.of(Integer.class, new BigDecimal("3.7")),
                Arguments.of(Byte.class, 128),
                Arguments.of(Float.class, new BigDecimal("1e39")),
                Arguments.of(Double.class, new BigDecimal("1e400")),
                Arguments.of(String.class, 1),
                Arguments.of(Boolean.class, "true"),
                Arguments.of(Character.class, "xy"),
                Arguments.of(Instant.class, "yesterday"),
                Arguments.of(Date.class, 1),
                Arguments.of(Void.class, "x"),
                Arguments.of(Long.class, null));
    }

    @ParameterizedTest
    @MethodSource("misfits")
    void b065_a_value_that_does_not_fit_is_named_by_its_pointer(Class<?> type, Object value) {
        RowFields fields = RowFields.of(List.of("a/b"), List.of(type));
        assertThatThrownBy(() -> fields.convert(Collections.singletonList(value)))
                .isInstanceOfSatisfying(ChatModelException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
                    assertThat(e.details()).isEqualTo(Map.of("pointer", "/a~1b"));
                });
    }

    @Test
    void pr1270_only_basic_types_and_distinct_names_make_a_row() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutputSchema.ofRow(List.of("at"), List.of(LocalDateTime.class)))
                .withMessageStartingWith("Currently, output schema only support row contains basic type.")
                .withMessageContaining("'at'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutputSchema.ofRow(List.of("a", "a"), List.of(Long.class, Long.class)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutputSchema.ofRow(List.of("a"), List.of(Long.class, Long.class)));
    }

    @Test
    void pr1270_unnamed_fields_are_called_f0_f1() {
        assertThat(OutputSchema.ofRow(null, List.of(String.class, Long.class)).frame())
                .isEqualTo(Map.of(
                        "form",
                        "row",
                        "names",
                        List.of("f0", "f1"),
                        "types",
                        List.of("java.lang.String", "java.lang.Long")));
        assertThat(OutputSchema.ofRow(Arrays.asList("name", "count"), Arrays.asList(String.class, Integer.class)))
                .hasToString("OutputSchema[Row(name: String, count: Integer)]");
    }
}
