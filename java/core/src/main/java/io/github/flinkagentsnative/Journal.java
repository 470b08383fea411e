package io.github.flinkagentsnative;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Keeps the records of runs. */
public interface Journal extends AutoCloseable {
    List<JournalRecord> read(UUID runId);

    void append(UUID runId, int position, JournalRecord record);

    void discard(UUID runId, int fromPosition);

    void forget(UUID runId);

    int purge(Instant before);

    @Override
    void close();
}
