package io.github.flinkagentsnative;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** A journal in memory, for tests and as the plain example of the rules. It is gone with the object, whatever it promises until then. */
public final class MemoryJournal implements Journal {

    private final Map<UUID, Run> runs = new HashMap<>();
    private final InstantSource clock;
    private boolean closed;

    /** An empty journal. */
    public MemoryJournal() {
        this(InstantSource.system());
    }

    MemoryJournal(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized List<JournalRecord> read(UUID runId) {
        Objects.requireNonNull(runId, "runId");
        requireOpen();
        Run run = runs.get(runId);
        return run == null ? List.of() : List.copyOf(run.records);
    }

    @Override
    public synchronized void append(UUID runId, int position, JournalRecord record) {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(record, "record");
        JournalErrors.requirePosition(position);
        requireOpen();
        Run run = runs.get(runId);
        int next = run == null ? 0 : run.records.size();
        if (position < next) {
            throw JournalErrors.taken(runId, position);
        }
        if (position > next) {
            throw JournalErrors.gap(runId, position, next);
        }
        if (run == null) {
            run = new Run();
            runs.put(runId, run);
        }
        run.records.add(record);
        run.lastWritten = clock.instant();
    }

    @Override
    public synchronized void discard(UUID runId, int fromPosition) {
        Objects.requireNonNull(runId, "runId");
        JournalErrors.requirePosition(fromPosition);
        requireOpen();
        Run run = runs.get(runId);
        if (fromPosition == 0) {
            runs.remove(runId);
        } else if (run != null && fromPosition < run.records.size()) {
            run.records.subList(fromPosition, run.records.size()).clear();
        }
    }

    @Override
    public void forget(UUID runId) {
        discard(runId, 0);
    }

    @Override
    public synchronized int purge(Instant before) {
        Objects.requireNonNull(before, "before");
        requireOpen();
        int known = runs.size();
        runs.values().removeIf(run -> run.lastWritten.isBefore(before));
        return known - runs.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private void requireOpen() {
        if (closed) {
            throw JournalErrors.closed();
        }
    }

    private static final class Run {
        final List<JournalRecord> records = new ArrayList<>();
        Instant lastWritten;
    }
}
