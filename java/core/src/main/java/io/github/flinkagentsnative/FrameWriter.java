package io.github.flinkagentsnative;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Writes one frame. Containers are announced with their size and end by themselves once they are full:
 *
 * <pre>{@code
 * byte[] frame = new FrameWriter()
 *         .map(2)
 *         .key("role").text("user")
 *         .key("blocks").array(1).value(Map.of("type", "text", "text", "hello"))
 *         .toBytes();
 * }</pre>
 *
 * <p>What a caller's data cannot carry across is an {@link IllegalArgumentException} that names the place, for example
 * {@code messages[1].blocks[0].text}. A frame that this library itself builds wrongly is an {@link IllegalStateException}.
 */
final class FrameWriter {

    private static final BigInteger MIN_INTEGER = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_INTEGER = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    /** Characters that are encoded between two looks at the room that is left. */
    private static final int TEXT_BLOCK = 1024;

    /** The most bytes of UTF-8 that one UTF-16 unit takes. */
    private static final int BYTES_OF_UNIT = 3;

    private byte[] buffer;
    private int length;

    // One level for each open container: how many members are left, and where we are in it, for messages.
    private int depth;
    private int[] left = new int[8];
    private int[] size = new int[8];
    /** The current key of a map; null in an array. */
    private String[] keys = new String[8];

    private boolean[] isMap = new boolean[8];
    /** What is left to write of a container given as a whole; null for one that the caller writes itself. */
    private Iterator<?>[] members = new Iterator<?>[8];

    private boolean keyWritten;

    FrameWriter() {
        this(512);
    }

    /** @param expectedBytes first size of the buffer; it grows as needed */
    FrameWriter(int expectedBytes) {
        buffer = new byte[Math.max(64, Math.min(expectedBytes, Frames.MAX_FRAME_BYTES))];
    }

    /** A first size for a frame that holds texts of so many characters: one that mostly ASCII text does not outgrow. */
    static int roomFor(long chars) {
        long blocks = BYTES_OF_UNIT * Math.min(chars, TEXT_BLOCK) + chars + chars / 16;
        return (int) Math.min(512 + blocks, Frames.MAX_FRAME_BYTES);
    }

    /** Starts a map of {@code count} pairs, each a {@link #key} and a value. */
    FrameWriter map(int count) {
        return map(count, null);
    }

    /** Starts an array of {@code count} values. */
    FrameWriter array(int count) {
        return array(count, null);
    }

    private FrameWriter map(int count, Iterator<?> entries) {
        beforeValue();
        header(count, 0x80, 15, -1, 0xde);
        open(count, true, entries);
        return this;
    }

    private FrameWriter array(int count, Iterator<?> items) {
        beforeValue();
        header(count, 0x90, 15, -1, 0xdc);
        open(count, false, items);
        return this;
    }

    /** The key of the next member of the open map. */
    FrameWriter key(String key) {
        if (depth == 0 || !isMap[depth - 1] || keyWritten) {
            throw new IllegalStateException("A key is not expected at " + path());
        }
        if (key == null) {
            throw new IllegalArgumentException(path() + ": a key is null; use text keys");
        }
        keys[depth - 1] = key;
        writeText(key);
        keyWritten = true;
        return this;
    }

    /** A member of the frame's own map that was packed before: {@link Frames#packMember}. */
    FrameWriter member(byte[] packed) {
        if (depth != 1 || !isMap[0] || keyWritten) {
            throw new IllegalStateException("A packed member is not expected at " + path());
        }
        putRaw(packed);
        return afterValue();
    }

    FrameWriter nil() {
        beforeValue();
        put(0xc0);
        return afterValue();
    }

    FrameWriter bool(boolean value) {
        beforeValue();
        put(value ? 0xc3 : 0xc2);
        return afterValue();
    }

    FrameWriter integer(long value) {
        beforeValue();
        writeInteger(value);
        return afterValue();
    }

    /** Text, or nil for null. */
    FrameWriter text(CharSequence value) {
        if (value == null) {
            return nil();
        }
        beforeValue();
        writeText(value.toString());
        return afterValue();
    }

    /** Bytes, or nil for null. */
    FrameWriter bytes(byte[] value) {
        if (value == null) {
            return nil();
        }
        beforeValue();
        need(5L + value.length);
        if (value.length < 0x100) {
            put(0xc4);
            put(value.length);
        } else if (value.length < 0x10000) {
            put(0xc5);
            putShort(value.length);
        } else {
            put(0xc6);
            putInt(value.length);
        }
        putRaw(value);
        return afterValue();
    }

    /** The exact text of a JSON number that is no 64-bit integer. */
    FrameWriter number(String text) {
        beforeValue();
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        need(6L + ascii.length);
        switch (ascii.length) {
            case 1, 2, 4, 8, 16 -> put(0xd4 + Integer.numberOfTrailingZeros(ascii.length));
            default -> {
                if (ascii.length < 0x100) {
                    put(0xc7);
                    put(ascii.length);
                } else if (ascii.length < 0x10000) {
                    put(0xc8);
                    putShort(ascii.length);
                } else {
                    put(0xc9);
                    putInt(ascii.length);
                }
            }
        }
        put(Frames.NUMBER_EXTENSION);
        putRaw(ascii);
        return afterValue();
    }

    /**
     * Any value: null, text, characters, enum constants (their {@link Enum#name name}), booleans, numbers, {@code byte[]},
     * collections, arrays, and maps with text keys. Uses no stack for nested values.
     */
    FrameWriter value(Object value) {
        int outside = depth;
        one(value);
        while (depth > outside) {
            // A level ends by itself with its last member, so there is always a next one here.
            Object next = members[depth - 1].next();
            if (isMap[depth - 1]) {
                Map.Entry<?, ?> member = (Map.Entry<?, ?>) next;
                key(textKey(member.getKey()));
                one(member.getValue());
            } else {
                one(next);
            }
        }
        return this;
    }

    /**
     * The finished frame.
     *
     * @throws IllegalStateException if a container is not full
     */
    byte[] toBytes() {
        if (depth > 0 || length == 0) {
            throw new IllegalStateException("The frame is not complete at " + path());
        }
        return Arrays.copyOf(buffer, length);
    }

    /** A scalar, or the start of a container whose members {@link #value} goes on with. */
    private void one(Object value) {
        if (value == null) {
            nil();
        } else if (value instanceof CharSequence text) {
            text(text);
        } else if (value instanceof Map<?, ?> map) {
            map(map.size(), map.entrySet().iterator());
        } else if (value instanceof Collection<?> items) {
            array(items.size(), items.iterator());
        } else if (value instanceof Boolean bool) {
            bool(bool);
        } else if (value instanceof Number number) {
            anyNumber(number);
        } else if (value instanceof byte[] bytes) {
            bytes(bytes);
        } else if (value instanceof Character character) {
            text(character.toString());
        } else if (value instanceof Enum<?> constant) {
            text(constant.name());
        } else if (value.getClass().isArray() && !(value instanceof char[])) {
            int length = Array.getLength(value);
            array(
                    length,
                    IntStream.range(0, length)
                            .mapToObj(i -> Array.get(value, i))
                            .iterator());
        } else {
            throw unsupported(value);
        }
    }

    private String textKey(Object key) {
        if (key instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(path() + ": a map has a key of "
                + (key == null ? "null" : key.getClass().getName()) + "; use String keys");
    }

    private FrameWriter anyNumber(Number value) {
        if (value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte
                || value instanceof AtomicInteger
                || value instanceof AtomicLong) {
            return integer(value.longValue());
        } else if (value instanceof BigInteger big) {
            return bigInteger(big);
        } else if (value instanceof BigDecimal) {
            return number(value.toString());
        } else if (value instanceof Double || value instanceof Float) {
            double number = value.doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw new IllegalArgumentException(path() + ": " + value + " is no JSON number; pass a finite number");
            }
            return number(value.toString());
        }
        throw unsupported(value);
    }

    private FrameWriter bigInteger(BigInteger value) {
        if (value.bitLength() < 64) {
            return integer(value.longValue());
        }
        if (value.compareTo(MIN_INTEGER) < 0 || value.compareTo(MAX_INTEGER) > 0) {
            return number(value.toString());
        }
        beforeValue();
        need(9);
        put(0xcf);
        putLong(value.longValue());
        return afterValue();
    }

    private IllegalArgumentException unsupported(Object value) {
        return new IllegalArgumentException(
                path() + ": a value of " + value.getClass().getTypeName()
                        + " cannot be passed; use text, numbers, booleans, lists, or maps with String keys");
    }

    // ---- structure

    private void beforeValue() {
        if (depth == 0) {
            if (length > 0) {
                throw new IllegalStateException("The frame is already complete");
            }
        } else if (isMap[depth - 1]) {
            if (!keyWritten) {
                throw new IllegalStateException("A key is missing at " + path());
            }
            keyWritten = false;
        }
    }

    private FrameWriter afterValue() {
        while (depth > 0 && --left[depth - 1] == 0) {
            depth--;
        }
        return this;
    }

    private void open(int count, boolean map, Iterator<?> source) {
        if (depth == Frames.MAX_DEPTH) {
            throw new IllegalArgumentException(path() + ": nested deeper than " + Frames.MAX_DEPTH
                    + " levels, or a container holds itself; flatten the value");
        }
        if (count == 0) {
            afterValue();
            return;
        }
        if (depth == left.length) {
            int room = 2 * depth;
            left = Arrays.copyOf(left, room);
            size = Arrays.copyOf(size, room);
            keys = Arrays.copyOf(keys, room);
            isMap = Arrays.copyOf(isMap, room);
            members = Arrays.copyOf(members, room);
        }
        left[depth] = count;
        size[depth] = count;
        keys[depth] = null;
        isMap[depth] = map;
        members[depth] = source;
        depth++;
    }

    /** Where the writer is, for example {@code messages[1].blocks[0].text}. */
    private String path() {
        StringBuilder path = new StringBuilder();
        for (int level = 0; level < depth; level++) {
            if (!isMap[level]) {
                path.append('[').append(size[level] - left[level]).append(']');
            } else if (keys[level] != null) {
                appendKey(path, keys[level]);
            }
        }
        return path.length() == 0 ? "the frame" : path.toString();
    }

    private static void appendKey(StringBuilder path, String key) {
        if (path.length() > 0) {
            path.append('.');
        }
        int end = Math.min(key.length(), 64);
        for (int i = 0; i < end; i++) {
            char c = key.charAt(i);
            path.append(c < 0x20 || c == 0x7f || Character.isSurrogate(c) ? '?' : c);
        }
        if (end < key.length()) {
            path.append("...");
        }
    }

    // ---- bytes

    private void writeInteger(long value) {
        need(9);
        if (value >= -32 && value < 128) {
            put((int) value);
        } else if (value >= 0) {
            if (value < 0x100) {
                put(0xcc);
                put((int) value);
            } else if (value < 0x10000) {
                put(0xcd);
                putShort((int) value);
            } else if (value < 0x1_0000_0000L) {
                put(0xce);
                putInt((int) value);
            } else {
                put(0xcf);
                putLong(value);
            }
        } else if (value >= Byte.MIN_VALUE) {
            put(0xd0);
            put((int) value);
        } else if (value >= Short.MIN_VALUE) {
            put(0xd1);
            putShort((int) value);
        } else if (value >= Integer.MIN_VALUE) {
            put(0xd2);
            putInt((int) value);
        } else {
            put(0xd3);
            putLong(value);
        }
    }

    /**
     * Encodes straight into the frame. {@link String#getBytes} is no faster for keys and short texts, takes twice the time for
     * long ones with a single character above U+00FF, and turns an unpaired surrogate into a question mark in silence.
     */
    private void writeText(String text) {
        int chars = text.length();
        int start = length;
        // The length in bytes is known only afterwards. That it needs no longer header than the length in characters is
        // a
        // guess that nearly always holds; where it does not, the bytes move.
        int guessed = textHeader(chars);
        need(guessed + (long) chars);
        length += guessed;
        for (int from = 0; from < chars; ) {
            int to = blockEnd(text, from);
            makeRoom(BYTES_OF_UNIT * (to - from));
            length = encode(text, from, to, length);
            checkLimit(0);
            from = to;
        }
        int bytes = length - start - guessed;
        int header = textHeader(bytes);
        if (header != guessed) {
            makeRoom(header);
            System.arraycopy(buffer, start + guessed, buffer, start + header, bytes);
        }
        length = start;
        header(bytes, 0xa0, 31, 0xd9, 0xda);
        length += bytes;
    }

    private static int textHeader(int bytes) {
        return bytes < 32 ? 1 : bytes < 0x100 ? 2 : bytes < 0x10000 ? 3 : 5;
    }

    /** Never between the two halves of a surrogate pair. */
    private static int blockEnd(String text, int from) {
        int chars = text.length();
        int to = Math.min(chars, from + TEXT_BLOCK);
        return to < chars && Character.isHighSurrogate(text.charAt(to - 1)) ? to + 1 : to;
    }

    /** Writes the characters as UTF-8; the room is there. Returns where the bytes end. */
    private int encode(String text, int from, int to, int start) {
        byte[] target = buffer;
        int at = start;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                target[at++] = (byte) c;
            } else if (c < 0x800) {
                target[at++] = (byte) (0xc0 | c >> 6);
                target[at++] = (byte) (0x80 | c & 0x3f);
            } else if (!Character.isSurrogate(c)) {
                target[at++] = (byte) (0xe0 | c >> 12);
                target[at++] = (byte) (0x80 | c >> 6 & 0x3f);
                target[at++] = (byte) (0x80 | c & 0x3f);
            } else {
                int point = text.codePointAt(i);
                if (point < Character.MIN_SUPPLEMENTARY_CODE_POINT) {
                    throw unpairedSurrogate(c, i);
                }
                i++;
                target[at++] = (byte) (0xf0 | point >> 18);
                target[at++] = (byte) (0x80 | point >> 12 & 0x3f);
                target[at++] = (byte) (0x80 | point >> 6 & 0x3f);
                target[at++] = (byte) (0x80 | point & 0x3f);
            }
        }
        return at;
    }

    private IllegalArgumentException unpairedSurrogate(char surrogate, int index) {
        return new IllegalArgumentException(String.format(
                "%s: unpaired surrogate U+%04X at UTF-16 index %d; such text has no UTF-8 form, so remove or replace it",
                path(), (int) surrogate, index));
    }

    /** A length in its shortest form: within the type byte, in one byte (where the type has that), two, or four. */
    private void header(int count, int fix, int fixMax, int oneByte, int twoBytes) {
        need(5);
        if (count <= fixMax) {
            put(fix | count);
        } else if (oneByte >= 0 && count < 0x100) {
            put(oneByte);
            put(count);
        } else if (count < 0x10000) {
            put(twoBytes);
            putShort(count);
        } else {
            put(twoBytes + 1);
            putInt(count);
        }
    }

    private void put(int value) {
        if (length == buffer.length) {
            need(1);
        }
        buffer[length++] = (byte) value;
    }

    private void putShort(int value) {
        put(value >> 8);
        put(value);
    }

    private void putInt(int value) {
        putShort(value >> 16);
        putShort(value);
    }

    private void putLong(long value) {
        putInt((int) (value >> 32));
        putInt((int) value);
    }

    private void putRaw(byte[] bytes) {
        need(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
    }

    private void need(long more) {
        if (length + more > buffer.length) {
            checkLimit(more);
            makeRoom(more);
        }
    }

    /** A header asks for its longest form; only bytes that are there count against the limit. */
    private void checkLimit(long more) {
        if (length + Math.max(0, more - 9) > Frames.MAX_FRAME_BYTES) {
            throw new IllegalArgumentException(path() + ": the whole frame would exceed " + Frames.MAX_FRAME_BYTES
                    + " bytes; send less at once, for example media by URL");
        }
    }

    private void makeRoom(long more) {
        long wanted = length + more;
        if (wanted > buffer.length) {
            buffer =
                    Arrays.copyOf(buffer, (int) Math.max(wanted, Math.min(2L * buffer.length, Frames.MAX_FRAME_BYTES)));
        }
    }
}
