package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** Our packer and reader against the reference library. */
class FramesTest {

    private static final BigInteger UNSIGNED_MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    // ---- agreement with the reference

    @Test
    void random_trees_are_packed_as_the_reference_packs_them_and_come_back_equal() throws IOException {
        for (int seed = 0; seed < 3000; seed++) {
            Map<String, Object> tree = tree(new Random(seed), 0);
            byte[] ours = Frames.pack(tree);
            assertThat(ours).as("seed %d", seed).isEqualTo(reference(tree));
            assertEqualTrees(Frames.unpack(ours), tree);
        }
    }

    @Test
    void every_integer_length_is_the_shortest_one() throws IOException {
        List<Object> integers = new ArrayList<>();
        for (int bit = 0; bit < 64; bit++) {
            for (long around = -1; around <= 1; around++) {
                integers.add((1L << bit) + around);
                integers.add(-(1L << bit) + around);
            }
        }
        integers.add(BigInteger.ONE.shiftLeft(63));
        integers.add(UNSIGNED_MAX);
        integers.add(BigInteger.valueOf(Long.MIN_VALUE));
        Map<String, Object> frame = Map.of("integers", integers);
        assertThat(Frames.pack(frame)).isEqualTo(reference(frame));
        assertEqualTrees(Frames.unpack(Frames.pack(frame)), frame);
    }

    @Test
    void text_of_every_length_class_and_plane_survives() throws IOException {
        for (int length : new int[] {0, 1, 31, 32, 47, 48, 49, 255, 256, 65_535, 65_536, 70_000}) {
            for (String unit : List.of("a", "\u0000", "é", "€", "\uD83D\uDD75", "\uD842\uDFB7")) {
                assertSurvives(unit.repeat(length));
            }
        }
        StringBuilder all = new StringBuilder();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c += c < 0x3000 ? 1 : 97) {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                all.appendCodePoint(c);
            }
        }
        assertSurvives(all.toString());
    }

    @Test
    void a_surrogate_pair_at_the_border_of_an_encoded_block_stays_whole() {
        for (int before = 1020; before <= 1026; before++) {
            for (String unit : List.of("a", "é", "€")) {
                assertSurvives(unit.repeat(before) + "\uD83D\uDD75".repeat(1030) + unit);
            }
        }
    }

    @Test
    void an_unpaired_surrogate_at_the_border_of_an_encoded_block_is_refused_with_its_index() {
        for (int index : new int[] {0, 1, 1022, 1023, 1024, 1025, 2046, 2047, 2048, 2049, 5000}) {
            for (String broken : List.of("\uD83D", "\uDD75", "\uD83Dx", "\uDD75\uD83D", "\uD83D\uD83D\uDD75")) {
                assertThatThrownBy(() -> Frames.pack(Map.of("text", "x".repeat(index) + broken)))
                        .as("%d %s", index, broken.chars().boxed().toList())
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(String.format(
                                "text: unpaired surrogate U+%04X at UTF-16 index %d;", (int) broken.charAt(0), index));
            }
        }
    }

    @Test
    void a_text_whose_utf8_form_outgrows_the_limit_is_refused() {
        String text = "€".repeat(Frames.MAX_FRAME_BYTES / 3);
        assertThatThrownBy(() -> Frames.pack(Map.of("text", text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("text: the whole frame would exceed 268435456 bytes");
    }

    @Test
    void the_first_size_of_a_buffer_is_no_limit() throws IOException {
        for (int room : new int[] {0, 64, FrameWriter.roomFor(10)}) {
            Map<String, Object> frame = Map.of("text", "€".repeat(3000));
            assertThat(new FrameWriter(room).value(frame).toBytes()).isEqualTo(reference(frame));
        }
        assertThat(FrameWriter.roomFor(Long.MAX_VALUE / 8)).isEqualTo(Frames.MAX_FRAME_BYTES);
    }

    @Test
    void a_packed_member_is_what_it_would_be_in_its_place() {
        Map<String, Object> settings = Map.of("model", "gpt-5", "native_models", List.of("é", "b"));
        byte[] spliced = new FrameWriter()
                .map(3)
                .key("before")
                .integer(1)
                .member(Frames.packMember("settings", settings))
                .key("after")
                .bool(true)
                .toBytes();
        byte[] written = new FrameWriter()
                .map(3)
                .key("before")
                .integer(1)
                .key("settings")
                .value(settings)
                .key("after")
                .bool(true)
                .toBytes();
        assertThat(spliced).isEqualTo(written);
        assertThatThrownBy(() -> Frames.packMember("settings", Map.of("model", "a\uD83D")))
                .hasMessageStartingWith("settings.model: unpaired surrogate");
    }

    @Test
    void a_packed_member_stands_only_in_the_map_of_the_frame() {
        byte[] member = Frames.packMember("k", 1);
        assertThatThrownBy(() -> new FrameWriter().member(member)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new FrameWriter().array(1).member(member)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new FrameWriter().map(1).key("a").member(member))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new FrameWriter().map(1).key("a").map(1).member(member))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void b066_b067_nul_and_astral_characters_are_standard_utf8() {
        byte[] frame = Frames.pack(Map.of("text", "a\u0000b\uD83D\uDD75"));
        assertThat(new String(frame, StandardCharsets.ISO_8859_1)).contains("a\u0000b\u00f0\u009f\u0095\u00b5");
        assertThat(Frames.unpack(frame)).containsEntry("text", "a\u0000b\uD83D\uDD75");
    }

    @Test
    void bytes_of_every_length_class_survive() throws IOException {
        for (int length : new int[] {0, 1, 255, 256, 65_535, 65_536}) {
            byte[] body = new byte[length];
            new Random(length).nextBytes(body);
            Map<String, Object> frame = Map.of("body", body);
            assertThat(Frames.pack(frame)).isEqualTo(reference(frame));
            assertThat((byte[]) Frames.unpack(Frames.pack(frame)).get("body")).isEqualTo(body);
        }
    }

    @Test
    void big_containers_have_the_references_headers() throws IOException {
        for (int size : new int[] {0, 15, 16, 65_535, 65_536}) {
            List<Object> list = new ArrayList<>();
            Map<String, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                list.add(i % 7);
                map.put("k" + i, i % 5);
            }
            Map<String, Object> frame = new LinkedHashMap<>();
            frame.put("list", list);
            frame.put("map", map);
            assertThat(Frames.pack(frame)).isEqualTo(reference(frame));
            assertThat(Frames.unpack(Frames.pack(frame))).isEqualTo(frame);
        }
    }

    // ---- values

    @Test
    void numbers_come_back_as_integer_long_big_integer_by_size_and_else_as_exact_decimals() {
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("byte", (byte) -7);
        frame.put("int", Integer.MAX_VALUE);
        frame.put("long", Integer.MAX_VALUE + 1L);
        frame.put("unsigned", UNSIGNED_MAX);
        frame.put("huge", UNSIGNED_MAX.add(BigInteger.ONE));
        frame.put("decimal", new BigDecimal("1.10"));
        frame.put("exponent", new BigDecimal("1E+3"));
        frame.put("double", 0.1);
        frame.put("float", 0.1f);
        frame.put("small big", BigInteger.TEN);
        Map<String, Object> back = Frames.unpack(Frames.pack(frame));
        assertThat(back)
                .containsEntry("byte", -7)
                .containsEntry("int", Integer.MAX_VALUE)
                .containsEntry("long", Integer.MAX_VALUE + 1L)
                .containsEntry("unsigned", UNSIGNED_MAX)
                .containsEntry("huge", UNSIGNED_MAX.add(BigInteger.ONE))
                .containsEntry("decimal", new BigDecimal("1.10"))
                .containsEntry("exponent", new BigDecimal("1E+3"))
                .containsEntry("double", new BigDecimal("0.1"))
                .containsEntry("float", new BigDecimal("0.1"))
                .containsEntry("small big", 10);
    }

    @Test
    void arrays_enums_and_characters_are_values() {
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("ints", new int[] {1, 2});
        frame.put("doubles", new double[] {0.5});
        frame.put("objects", new Object[] {"a", null});
        frame.put("enum", ErrorKind.TIMEOUT);
        frame.put("character", 'ß');
        frame.put("text", new StringBuilder("built"));
        assertThat(Frames.unpack(Frames.pack(frame)))
                .containsEntry("ints", List.of(1, 2))
                .containsEntry("doubles", List.of(new BigDecimal("0.5")))
                .containsEntry("objects", Arrays.asList("a", null))
                .containsEntry("enum", "TIMEOUT")
                .containsEntry("character", "ß")
                .containsEntry("text", "built");
    }

    // ---- what cannot cross

    @Test
    void b068_an_unpaired_surrogate_is_refused_with_its_place() {
        for (String broken :
                List.of("a\uD83Db", "\uDD75", "ab\uD83D", "é\uDD75\uD83D", "x".repeat(100) + "\uD83D", "?\uD83D?")) {
            Map<String, Object> frame =
                    Map.of("messages", List.of(Map.of(), Map.of("blocks", List.of(Map.of("text", broken)))));
            assertThatThrownBy(() -> Frames.pack(frame))
                    .as("%s", broken.chars().boxed().toList())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("messages[1].blocks[0].text: unpaired surrogate U+D")
                    .hasMessageContaining("UTF-16 index");
        }
        assertThatThrownBy(() -> Frames.pack(Map.of("text", "abc\uDD75")))
                .hasMessageContaining("U+DD75 at UTF-16 index 3");
    }

    @Test
    void a_key_with_an_unpaired_surrogate_is_refused() {
        assertThatThrownBy(() -> Frames.pack(Map.of("metadata", Map.of("a\uD83D", 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("metadata.a?: unpaired surrogate U+D83D");
    }

    @Test
    void values_without_a_json_form_are_refused_with_their_place() {
        assertRefused(Map.of("parameters", Map.of("temperature", Double.NaN)), "parameters.temperature: NaN");
        assertRefused(Map.of("parameters", List.of(1, Float.POSITIVE_INFINITY)), "parameters[1]: Infinity");
        assertRefused(Map.of("id", java.util.UUID.randomUUID()), "id: a value of java.util.UUID cannot be passed");
        assertRefused(Map.of("map", Map.of(1, "x")), "map: a map has a key of java.lang.Integer");
        Map<Object, Object> nullKey = new LinkedHashMap<>();
        nullKey.put(null, 1);
        assertRefused(Map.of("map", nullKey), "map: a map has a key of null");
        assertRefused(Map.of("chars", new char[] {'a'}), "chars: a value of char[] cannot be passed");
    }

    @Test
    void a_container_that_holds_itself_is_refused_on_a_small_stack() throws InterruptedException {
        Map<String, Object> cycle = new LinkedHashMap<>();
        cycle.put("self", cycle);
        List<Throwable> failures = new ArrayList<>();
        Thread small = new Thread(null, () -> Frames.pack(cycle), "small", 200 * 1024);
        small.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        small.start();
        small.join();
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("nested deeper than 128 levels"));
    }

    @Test
    void the_depth_limit_is_the_same_in_both_directions() {
        assertThat(Frames.unpack(Frames.pack(nested(Frames.MAX_DEPTH)))).isEqualTo(nested(Frames.MAX_DEPTH));
        assertThatThrownBy(() -> Frames.pack(nested(Frames.MAX_DEPTH + 1)))
                .isInstanceOf(IllegalArgumentException.class);
        byte[] tooDeep = new byte[Frames.MAX_DEPTH * 3 + 1];
        for (int i = 0; i < tooDeep.length - 1; i += 3) {
            tooDeep[i] = (byte) 0x81;
            tooDeep[i + 1] = (byte) 0xa1;
            tooDeep[i + 2] = 'k';
        }
        tooDeep[tooDeep.length - 1] = (byte) 0x80;
        assertThatThrownBy(() -> Frames.unpack(tooDeep)).hasMessageContaining("nested deeper");
    }

    @Test
    void a_frame_above_the_limit_is_refused_before_memory_is_taken() {
        byte[] third = new byte[Frames.MAX_FRAME_BYTES / 3];
        assertThatThrownBy(() -> Frames.pack(Map.of("list", List.of(third, third, third, third))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("would exceed 268435456 bytes");
    }

    @Test
    void a_frame_that_is_written_wrongly_is_our_own_defect() {
        assertThatThrownBy(() -> new FrameWriter().map(1).text("no key")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new FrameWriter().array(1).key("k")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new FrameWriter().map(1).key("a").key("b")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new FrameWriter().map(2).key("a").integer(1).toBytes())
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new FrameWriter().map(0).nil()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new FrameWriter().toBytes()).isInstanceOf(IllegalStateException.class);
    }

    // ---- hostile bytes

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // nothing
                "c0", // no map
                "90", // no map
                "81a16b", // value missing
                "81a16bc1", // unused type
                "81a16bca3f800000", // float
                "81a16bcb3ff0000000000000", // double
                "8101c0", // key that is no text
                "81c4016bc0", // key of bytes
                "8190c0", // key that is a list
                "80c0", // too much
                "81a16bdfffffffff", // map of four billion
                "81a16bddffffffff", // array of four billion
                "81a16bdbffffffff", // text of four billion
                "81a16bc6ffffffff", // bytes of four billion
                "81a16bc9ffffffff01", // extension of four billion
                "81a16bd40231", // unknown extension
                "81a16bd4012d", // a lone minus
                "81a16bd40178", // no number
                "81a16bd6014e614e31", // no number either
                "81a16ba2c080", // overlong UTF-8
                "81a16ba3eda0bd", // a surrogate in UTF-8
                "81a16ba1ff", // no UTF-8
                "81a1ffc0", // no UTF-8 in a key
            })
    void bytes_that_are_no_frame_are_an_illegal_state(String hex) {
        byte[] bytes = java.util.HexFormat.of().parseHex(hex);
        assertThatThrownBy(() -> Frames.unpack(bytes))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("broken frame");
    }

    @Test
    void random_bytes_never_do_anything_else_than_read_or_refuse() {
        Random random = new Random(7);
        byte[] valid = Frames.pack(tree(new Random(1), 0));
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = random.nextBoolean() ? valid.clone() : new byte[random.nextInt(40)];
            for (int change = random.nextInt(8); change >= 0 && bytes.length > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            try {
                Frames.unpack(cut);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("broken frame");
            }
        }
    }

    @Test
    void a_replacement_character_that_was_sent_as_such_is_read() {
        assertSurvives("a\uFFFDb");
    }

    @Test
    void a_number_that_java_cannot_hold_or_that_would_take_too_long_is_refused() {
        assertThatThrownBy(() -> Frames.unpack(new FrameWriter()
                        .map(1)
                        .key("n")
                        .number("1e99999999999")
                        .toBytes()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a number that Java cannot hold: 1e99999999999");
        String long_ = "9".repeat(Frames.MAX_NUMBER_LENGTH + 1);
        assertThatThrownBy(() -> Frames.unpack(
                        new FrameWriter().map(1).key("n").number(long_).toBytes()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a number of 10001 characters");
    }

    // ---- helpers

    private static void assertRefused(Map<String, ?> frame, String message) {
        assertThatThrownBy(() -> Frames.pack(frame))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    private static void assertSurvives(String text) {
        Map<String, Object> frame = Map.of("text", text);
        byte[] packed = Frames.pack(frame);
        try {
            assertThat(packed).isEqualTo(reference(frame));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        assertThat(Frames.unpack(packed)).isEqualTo(frame);
    }

    private static Map<String, Object> nested(int levels) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 1; i < levels; i++) {
            Map<String, Object> outer = new LinkedHashMap<>();
            outer.put("k", map);
            map = outer;
        }
        return map;
    }

    private static void assertEqualTrees(Object actual, Object expected) {
        if (expected instanceof Map<?, ?> map) {
            assertThat(((Map<?, ?>) actual).keySet().stream().toList())
                    .isEqualTo(map.keySet().stream().toList());
            map.forEach((key, value) -> assertEqualTrees(((Map<?, ?>) actual).get(key), value));
        } else if (expected instanceof List<?> list) {
            assertThat((List<?>) actual).hasSameSizeAs(list);
            for (int i = 0; i < list.size(); i++) {
                assertEqualTrees(((List<?>) actual).get(i), list.get(i));
            }
        } else if (expected instanceof byte[] bytes) {
            assertThat((byte[]) actual).isEqualTo(bytes);
        } else if (expected instanceof Long || expected instanceof BigInteger) {
            assertThat(new BigInteger(actual.toString())).isEqualTo(new BigInteger(expected.toString()));
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }

    private static Map<String, Object> tree(Random random, int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        int members = random.nextInt(depth == 0 ? 20 : 5);
        for (int i = 0; i < members; i++) {
            map.put(text(random), value(random, depth + 1));
        }
        return map;
    }

    private static Object value(Random random, int depth) {
        return switch (random.nextInt(depth > 4 ? 8 : 10)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextInt();
            case 3 -> random.nextLong() >> random.nextInt(64);
            case 4 -> new BigInteger(random.nextInt(100), random);
            case 5 -> new BigDecimal(new BigInteger(random.nextInt(70), random), random.nextInt(20) + 1);
            case 6 -> text(random);
            case 7 -> {
                byte[] bytes = new byte[random.nextInt(300)];
                random.nextBytes(bytes);
                yield bytes;
            }
            case 8 -> tree(random, depth);
            default -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    list.add(value(random, depth + 1));
                }
                yield list;
            }
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int plane = random.nextInt(4);
        for (int i = random.nextInt(80); i > 0; i--) {
            int bound = plane == 0 ? 0x80 : plane == 1 ? 0x100 : plane == 2 ? 0x3000 : Character.MAX_CODE_POINT + 1;
            int c = random.nextInt(bound);
            text.appendCodePoint(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 'x' : c);
        }
        return text.toString();
    }

    /** The same frame by the reference library. */
    private static byte[] reference(Object value) throws IOException {
        try (var packer = MessagePack.newDefaultBufferPacker()) {
            pack(packer, value);
            byte[] packed = packer.toByteArray();
            // The reference can read what it wrote: a check of the check.
            try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(packed)) {
                unpacker.unpackValue();
            }
            return packed;
        }
    }

    private static void pack(MessagePacker packer, Object value) throws IOException {
        if (value == null) {
            packer.packNil();
        } else if (value instanceof Boolean bool) {
            packer.packBoolean(bool);
        } else if (value instanceof Integer || value instanceof Long) {
            packer.packLong(((Number) value).longValue());
        } else if (value instanceof BigInteger big && big.bitLength() <= (big.signum() < 0 ? 63 : 64)) {
            packer.packBigInteger(big);
        } else if (value instanceof BigInteger || value instanceof BigDecimal) {
            byte[] text = value.toString().getBytes(StandardCharsets.US_ASCII);
            packer.packExtensionTypeHeader((byte) Frames.NUMBER_EXTENSION, text.length);
            packer.writePayload(text);
        } else if (value instanceof String text) {
            packer.packString(text);
        } else if (value instanceof byte[] bytes) {
            packer.packBinaryHeader(bytes.length);
            packer.writePayload(bytes);
        } else if (value instanceof List<?> list) {
            packer.packArrayHeader(list.size());
            for (Object item : list) {
                pack(packer, item);
            }
        } else if (value instanceof Map<?, ?> map) {
            packer.packMapHeader(map.size());
            for (Map.Entry<?, ?> member : map.entrySet()) {
                packer.packString((String) member.getKey());
                pack(packer, member.getValue());
            }
        } else {
            throw new IllegalArgumentException(value.getClass().getName());
        }
    }
}
