package io.github.flinkagentsnative;

import java.util.Arrays;
import java.util.Map;

/**
 * Frames: the MessagePack maps that cross the boundary between Java and Rust, and the table both sides are tested against
 * (docs/boundary.md).
 */
final class Frames {

    /** Version of the frame layout; the native side has to name the same one. */
    static final int VERSION = 1;

    /** MessagePack extension that holds the exact text of a JSON number that is no 64-bit integer. */
    static final int NUMBER_EXTENSION = 1;

    /** Largest frame in bytes, in both directions. */
    static final int MAX_FRAME_BYTES = 268_435_456;

    /** Deepest frame: containers within containers, the frame's own map included. */
    static final int MAX_DEPTH = 128;

    /** Longest number text read: longer ones cost quadratic time in {@link java.math.BigInteger}. */
    static final int MAX_NUMBER_LENGTH = 10_000;

    /** First byte of an answer: a result follows. */
    static final byte STATUS_RESULT = 0;

    /** First byte of an answer: an error follows. */
    static final byte STATUS_ERROR = 1;

    private Frames() {}

    /**
     * Packs a map.
     *
     * @throws IllegalArgumentException if a value cannot cross; the message names its place
     */
    static byte[] pack(Map<String, ?> frame) {
        return new FrameWriter().value(frame).toBytes();
    }

    /**
     * Packs one member of a frame, key and value, for {@link FrameWriter#member}: what is the same in many frames is packed once.
     *
     * @throws IllegalArgumentException if the value cannot cross; the message names its place
     */
    static byte[] packMember(String key, Object value) {
        byte[] frame = pack(Map.of(key, value));
        // The first byte says that one pair follows.
        return Arrays.copyOfRange(frame, 1, frame.length);
    }

    /**
     * Reads a frame that has no status byte.
     *
     * @throws IllegalStateException if the bytes are no frame
     */
    static Map<String, Object> unpack(byte[] frame) {
        return new FrameReader(frame, 0).frame();
    }
}
