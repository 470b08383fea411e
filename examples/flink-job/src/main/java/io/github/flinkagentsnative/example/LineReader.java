package io.github.flinkagentsnative.example;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Reads lines one by one, in bounded memory. A line that is too long or no UTF-8 is still a line: it is returned with its problem, so that
 * it is counted and reported like any other.
 */
final class LineReader {
    static final int MAX_LINE_BYTES = 1 << 20;

    private final InputStream in;
    private final String file;
    private long number;

    LineReader(InputStream in, String file) {
        this.in = new BufferedInputStream(in, 1 << 16);
        this.file = file;
    }

    /** The next line, or null at the end. A line end at the very end of the file starts no further line. */
    Line next() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        boolean any = false;
        boolean tooLong = false;
        int b;
        while ((b = in.read()) >= 0 && b != '\n') {
            any = true;
            tooLong |= bytes.size() >= MAX_LINE_BYTES;
            if (!tooLong) {
                bytes.write(b);
            }
        }
        if (b < 0 && !any) {
            return null;
        }
        number++;
        return tooLong
                ? new Line(file, number, null, "the line is longer than " + MAX_LINE_BYTES + " bytes")
                : decode(bytes.toByteArray());
    }

    private Line decode(byte[] bytes) {
        int end = bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
        int start = number == 1 && startsWithByteOrderMark(bytes) ? 3 : 0;
        ByteBuffer in = ByteBuffer.wrap(bytes, start, end - start);
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(in)
                    .toString();
            return new Line(file, number, text, null);
        } catch (CharacterCodingException notText) {
            return new Line(file, number, null, "the line is no UTF-8 (after byte " + in.position() + ")");
        }
    }

    private static boolean startsWithByteOrderMark(byte[] bytes) {
        return bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
    }
}
