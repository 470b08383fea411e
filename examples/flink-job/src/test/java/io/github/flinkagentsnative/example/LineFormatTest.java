package io.github.flinkagentsnative.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFormatTest {
    @TempDir
    Path folder;

    @Test
    void afterAFailureReadingGoesOnBehindAnyLine() throws IOException {
        Path file = folder.resolve("lines.jsonl");
        Files.writeString(
                file,
                IntStream.rangeClosed(1, 100).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining()));
        List<RecordAndPosition<Line>> all = read(new LineFormat().createReader(new Configuration(), split(file, null)));
        assertThat(all).hasSize(100);
        for (int done : new int[] {1, 31, 32, 33, 99, 100}) {
            CheckpointedPosition position = new CheckpointedPosition(
                    all.get(done - 1).getOffset(), all.get(done - 1).getRecordSkipCount());
            List<RecordAndPosition<Line>> rest =
                    read(new LineFormat().restoreReader(new Configuration(), split(file, position)));
            assertThat(rest)
                    .extracting(record -> record.getRecord().number())
                    .containsExactlyElementsOf(IntStream.rangeClosed(done + 1, 100)
                            .mapToObj(Long::valueOf)
                            .toList());
        }
    }

    private static FileSourceSplit split(Path file, CheckpointedPosition position) throws IOException {
        return new FileSourceSplit(
                "1",
                org.apache.flink.core.fs.Path.fromLocalFile(file.toFile()),
                0,
                Files.size(file),
                0,
                Files.size(file),
                new String[0],
                position);
    }

    /** The records with their positions; copies, because an iterator may hand out the same object again. */
    private static List<RecordAndPosition<Line>> read(BulkFormat.Reader<Line> reader) throws IOException {
        List<RecordAndPosition<Line>> records = new ArrayList<>();
        try (reader) {
            for (BulkFormat.RecordIterator<Line> batch; (batch = reader.readBatch()) != null; ) {
                for (RecordAndPosition<Line> next; (next = batch.next()) != null; ) {
                    records.add(new RecordAndPosition<>(next.getRecord(), next.getOffset(), next.getRecordSkipCount()));
                }
                batch.releaseBatch();
            }
        }
        return records;
    }
}
