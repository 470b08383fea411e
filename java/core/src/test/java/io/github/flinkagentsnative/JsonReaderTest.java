package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {

    @Test
    void integers_are_sized_and_decimals_exact() {
        assertThat(
                        read(
                                "[0,-1,2147483647,2147483648,-2147483649,9223372036854775807,9223372036854775808,1.10,1e3,-0.0]"))
                .isEqualTo(Arrays.asList(
                        0,
                        -1,
                        2147483647,
                        2147483648L,
                        -2147483649L,
                        Long.MAX_VALUE,
                        new BigInteger("9223372036854775808"),
                        new BigDecimal("1.10"),
                        new BigDecimal("1e3"),
                        new BigDecimal("-0.0")));
    }

    @Test
    void texts_keep_every_character() {
        assertThat(read("{\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\ud83d\\ude00\":\"\u00e9\ud83d\ude00\"}"))
                .isEqualTo(Map.of("a\"\\/\b\f\n\r\t\u0000\ud83d\ude00", "\u00e9\ud83d\ude00"));
    }

    @Test
    void any_value_that_jackson_writes_is_read_as_jackson_reads_it() throws Exception {
        ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        Random random = new Random(20261130);
        for (int run = 0; run < 2000; run++) {
            String json = mapper.writeValueAsString(anyValue(random, 4));
            assertThat(read(json)).as(json).isEqualTo(mapper.readValue(json, Object.class));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1",
                "[1,]",
                "tru",
                "\"a",
                "\"\\x\"",
                "\"\\u12",
                "\"\\u12G4\"",
                "{\"a\"}",
                "{a:1}",
                "1 2",
                "-",
                "1e",
                "+"
            })
    void what_is_no_json_is_a_defect_with_its_offset(String json) {
        assertThatIllegalStateException().isThrownBy(() -> read(json)).withMessageContaining("at offset");
    }

    @Test
    void depth_has_a_bound() {
        assertThatIllegalStateException().isThrownBy(() -> read("[".repeat(100_000)));
    }

    private static Object read(String json) {
        return JsonReader.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Object anyValue(Random random, int depthLeft) {
        int kind = random.nextInt(depthLeft == 0 ? 6 : 8);
        return switch (kind) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextLong() >> random.nextInt(64);
            case 3 -> new BigInteger(random.nextInt(100), random);
            case 4 -> new BigDecimal(new BigInteger(60, random), random.nextInt(1, 30));
            case 5 -> anyText(random);
            case 6 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(anyValue(random, depthLeft - 1));
                }
                yield list;
            }
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(anyText(random), anyValue(random, depthLeft - 1));
                }
                yield map;
            }
        };
    }

    private static String anyText(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            int point = random.nextInt(4) == 0 ? random.nextInt(0x20) : random.nextInt(0x110000);
            text.appendCodePoint(point >= 0xd800 && point < 0xe000 ? '?' : point);
        }
        return text.toString();
    }
}
