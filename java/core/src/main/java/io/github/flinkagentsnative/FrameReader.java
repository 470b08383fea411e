package io.github.flinkagentsnative;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one frame: maps as {@link LinkedHashMap}, arrays as {@link ArrayList}, integers as {@code Integer}, {@code Long} or
 * {@code BigInteger} by size, every other number as {@code BigDecimal} with its exact digits.
 *
 * <p>The bytes come from the native side of this library, so anything that is no frame is a defect: an
 * {@link IllegalStateException} with the offset. A length is checked against the bytes that are there before anything is
 * allocated for it.
 */
final class FrameReader {

    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

    private final byte[] bytes;
    private int at;

    FrameReader(byte[] bytes, int offset) {
        this.bytes = bytes;
        this.at = offset;
    }

    /** The whole rest as one map. */
    Map<String, Object> frame() {
        if (bytes.length - at > Frames.MAX_FRAME_BYTES) {
            throw broken("more than " + Frames.MAX_FRAME_BYTES + " bytes");
        }
        int type = peek();
        if ((type & 0xf0) != 0x80 && type != 0xde && type != 0xdf) {
            throw broken("no map");
        }
        @SuppressWarnings("unchecked") // the type byte says map, and maps are read with text keys only
        Map<String, Object> frame = (Map<String, Object>) value(0);
        if (at != bytes.length) {
            throw broken((bytes.length - at) + " bytes too many");
        }
        return frame;
    }

    /** The bytes that end the frame; null when something else is here. */
    byte[] lastBytes() {
        int type = unsigned(1);
        if (type < 0xc4 || type > 0xc6) {
            return null;
        }
        int length = length(1 << (type - 0xc4));
        return length == bytes.length - at ? bytes(length) : null;
    }

    private Object value(int depth) {
        int type = unsigned(1);
        if (type < 0x80) {
            return type;
        } else if (type >= 0xe0) {
            return (int) (byte) type;
        } else if (type < 0x90) {
            return map(type & 0x0f, depth);
        } else if (type < 0xa0) {
            return array(type & 0x0f, depth);
        } else if (type < 0xc0) {
            return text(type & 0x1f);
        }
        return switch (type) {
            case 0xc0 -> null;
            case 0xc2 -> Boolean.FALSE;
            case 0xc3 -> Boolean.TRUE;
            case 0xc4 -> bytes(length(1));
            case 0xc5 -> bytes(length(2));
            case 0xc6 -> bytes(length(4));
            case 0xc7 -> extension(length(1));
            case 0xc8 -> extension(length(2));
            case 0xc9 -> extension(length(4));
            case 0xcc -> unsigned(1);
            case 0xcd -> unsigned(2);
            case 0xce -> integer(signed(4) & 0xffff_ffffL);
            case 0xcf -> unsignedLong(signed(8));
            case 0xd0 -> (int) signed(1);
            case 0xd1 -> (int) signed(2);
            case 0xd2 -> (int) signed(4);
            case 0xd3 -> integer(signed(8));
            case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> extension(1 << (type - 0xd4));
            case 0xd9 -> text(length(1));
            case 0xda -> text(length(2));
            case 0xdb -> text(length(4));
            case 0xdc -> array(length(2), depth);
            case 0xdd -> array(length(4), depth);
            case 0xde -> map(length(2), depth);
            case 0xdf -> map(length(4), depth);
            case 0xca, 0xcb -> throw broken("a binary float, which is not exact");
            default -> throw broken(String.format("unknown type 0x%02x", type));
        };
    }

    private Map<String, Object> map(int members, int depth) {
        // Each member takes at least two bytes.
        enter(2L * members, depth);
        Map<String, Object> map = new LinkedHashMap<>(Math.min(members, 1024) * 4 / 3 + 1);
        for (int i = 0; i < members; i++) {
            if (!(value(Frames.MAX_DEPTH) instanceof String key)) {
                throw broken("a key that is no text");
            }
            map.put(key, value(depth + 1));
        }
        return map;
    }

    private List<Object> array(int items, int depth) {
        enter(items, depth);
        List<Object> list = new ArrayList<>(Math.min(items, 1024));
        for (int i = 0; i < items; i++) {
            list.add(value(depth + 1));
        }
        return list;
    }

    private void enter(long minimumBytes, int depth) {
        if (depth >= Frames.MAX_DEPTH) {
            throw broken("nested deeper than " + Frames.MAX_DEPTH + " levels");
        }
        if (minimumBytes > bytes.length - at) {
            throw broken("cut short");
        }
    }

    private String text(int length) {
        int start = skip(length);
        String text = new String(bytes, start, length, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            // Either the character itself, or what stands for broken UTF-8.
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, start, length));
            } catch (CharacterCodingException e) {
                throw broken("text that is no UTF-8");
            }
        }
        return text;
    }

    private byte[] bytes(int length) {
        int start = skip(length);
        return Arrays.copyOfRange(bytes, start, start + length);
    }

    private Number extension(int length) {
        int type = unsigned(1);
        if (type != Frames.NUMBER_EXTENSION) {
            throw broken("unknown extension " + type);
        }
        if (length > Frames.MAX_NUMBER_LENGTH) {
            throw broken("a number of " + length + " characters; at most " + Frames.MAX_NUMBER_LENGTH + " are read");
        }
        int start = skip(length);
        String text = new String(bytes, start, length, StandardCharsets.ISO_8859_1);
        try {
            return isInteger(text) ? integer(new BigInteger(text)) : new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw broken("a number that Java cannot hold: " + text.substring(0, Math.min(40, text.length())));
        }
    }

    private static boolean isInteger(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c != '-' || i > 0)) {
                return false;
            }
        }
        return true;
    }

    private static Number integer(BigInteger value) {
        return value.bitLength() < 64 ? integer(value.longValue()) : value;
    }

    private static Number integer(long value) {
        // No conditional expression: it would widen both to long.
        if (value == (int) value) {
            return (int) value;
        }
        return value;
    }

    private static Number unsignedLong(long value) {
        return value >= 0 ? integer(value) : BigInteger.valueOf(value).add(TWO_TO_64);
    }

    private int peek() {
        if (at >= bytes.length) {
            throw broken("cut short");
        }
        return bytes[at] & 0xff;
    }

    private int length(int width) {
        long length = signed(width) & (width == 4 ? 0xffff_ffffL : (1L << (8 * width)) - 1);
        if (length > bytes.length - at) {
            throw broken("cut short");
        }
        return (int) length;
    }

    private int unsigned(int width) {
        return (int) signed(width) & (1 << (8 * width)) - 1;
    }

    private long signed(int width) {
        int start = skip(width);
        long value = bytes[start];
        for (int i = 1; i < width; i++) {
            value = value << 8 | bytes[start + i] & 0xff;
        }
        return value;
    }

    private int skip(int length) {
        if (length > bytes.length - at) {
            throw broken("cut short");
        }
        int start = at;
        at += length;
        return start;
    }

    private IllegalStateException broken(String what) {
        return new IllegalStateException("The native library returned a broken frame: " + what + " (at byte " + at
                + " of " + bytes.length + "). This is a defect of flink-agents-native; please report it");
    }
}
