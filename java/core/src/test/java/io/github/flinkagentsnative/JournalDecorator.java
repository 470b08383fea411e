package io.github.flinkagentsnative;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Hands everything on. */
class JournalDecorator implements Journal {
    private final Journal inner;

    JournalDecorator(Journal inner) {
        this.inner = inner;
    }

    @Override
    public List<JournalRecord> read(UUID runId) {
        return inner.read(runId);
    }

    @Override
    public void append(UUID runId, int position, JournalRecord record) {
        inner.append(runId, position, record);
    }

    @Override
    public void discard(UUID runId, int fromPosition) {
        inner.discard(runId, fromPosition);
    }

    @Override
    public void forget(UUID runId) {
        inner.forget(runId);
    }

    @Override
    public int purge(Instant before) {
        return inner.purge(before);
    }

    @Override
    public void close() {}
}
