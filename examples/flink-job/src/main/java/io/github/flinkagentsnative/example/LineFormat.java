package io.github.flinkagentsnative.example;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.connector.file.src.util.IteratorResultIterator;
import org.apache.flink.core.fs.FSDataInputStream;

/**
 * Lines with their file and number. Flink's own text format gives neither; and a file has to be read from its start to know the numbers,
 * so it is not split.
 */
public final class LineFormat implements BulkFormat<Line, FileSourceSplit> {
    private static final long serialVersionUID = 1L;
    private static final int LINES_PER_BATCH = 32;

    @Override
    public Reader createReader(Configuration config, FileSourceSplit split) throws IOException {
        return open(split, 0);
    }

    /** After a failure: the position in a checkpoint is the number of lines that were read. */
    @Override
    public Reader restoreReader(Configuration config, FileSourceSplit split) throws IOException {
        long lines = split.getReaderPosition()
                .map(CheckpointedPosition::getRecordsAfterOffset)
                .orElse(0L);
        return open(split, lines);
    }

    @Override
    public boolean isSplittable() {
        return false;
    }

    @Override
    public TypeInformation<Line> getProducedType() {
        return TypeInformation.of(Line.class);
    }

    private static Reader open(FileSourceSplit split, long skip) throws IOException {
        FSDataInputStream stream = split.path().getFileSystem().open(split.path());
        try {
            LineReader lines = new LineReader(stream, split.path().getName());
            for (long i = 0; i < skip && lines.next() != null; i++) {} // lines of an earlier attempt
            return new Reader(stream, lines, skip);
        } catch (IOException e) {
            stream.close();
            throw e;
        }
    }

    /** Reads one file. */
    static final class Reader implements BulkFormat.Reader<Line> {
        private final FSDataInputStream stream;
        private final LineReader lines;
        private long read;

        private Reader(FSDataInputStream stream, LineReader lines, long read) {
            this.stream = stream;
            this.lines = lines;
            this.read = read;
        }

        @Override
        public RecordIterator<Line> readBatch() throws IOException {
            List<Line> batch = new ArrayList<>();
            Line line;
            while (batch.size() < LINES_PER_BATCH && (line = lines.next()) != null) {
                batch.add(line);
            }
            if (batch.isEmpty()) {
                return null;
            }
            long before = read;
            read += batch.size();
            return new IteratorResultIterator<>(batch.iterator(), CheckpointedPosition.NO_OFFSET, before);
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
