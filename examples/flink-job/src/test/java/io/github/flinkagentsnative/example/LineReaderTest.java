package io.github.flinkagentsnative.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    private static List<Line> read(byte[] bytes) throws IOException {
        LineReader reader = new LineReader(new ByteArrayInputStream(bytes), "f");
        List<Line> lines = new ArrayList<>();
        for (Line line; (line = reader.next()) != null; ) {
            lines.add(line);
        }
        return lines;
    }

    private static List<Line> read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void linesAreNumberedAndEndsAreTakenOff() throws IOException {
        assertThat(read("a\nb\r\n\nd"))
                .containsExactly(
                        new Line("f", 1, "a", null),
                        new Line("f", 2, "b", null),
                        new Line("f", 3, "", null),
                        new Line("f", 4, "d", null));
        assertThat(read("a\n")).hasSize(1);
        assertThat(read("")).isEmpty();
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstLine() throws IOException {
        assertThat(read("\uFEFFa\n\uFEFFb")).extracting(Line::text).containsExactly("a", "\uFEFFb");
    }

    @Test
    void otherControlCharactersAndOddSeparatorsStayInTheLine() throws IOException {
        assertThat(read("a\u0000\u000b\u0085\u2028b\rc\n"))
                .extracting(Line::text)
                .containsExactly("a\u0000\u000b\u0085\u2028b\rc");
    }

    @Test
    void bytesThatAreNoTextAreALineWithAProblem() throws IOException {
        assertThat(read(new byte[] {'a', (byte) 0xFF, '\n', 'b', '\n'}))
                .satisfiesExactly(
                        bad -> assertThat(bad.problem()).isEqualTo("the line is no UTF-8 (after byte 1)"),
                        good -> assertThat(good.text()).isEqualTo("b"));
    }

    @Test
    void aLineBeyondTheLimitIsOneLineWithAProblem() throws IOException {
        List<Line> lines =
                read("x".repeat(LineReader.MAX_LINE_BYTES) + "\n" + "y".repeat(LineReader.MAX_LINE_BYTES + 1) + "\nz");
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0).problem()).isNull();
        assertThat(lines.get(1).problem()).contains("longer than 1048576 bytes");
        assertThat(lines.get(2).text()).isEqualTo("z");
    }
}
