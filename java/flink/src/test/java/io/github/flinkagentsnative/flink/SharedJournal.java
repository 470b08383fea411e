package io.github.flinkagentsnative.flink;

import io.github.flinkagentsnative.Journal;
import io.github.flinkagentsnative.JournalRecord;
import io.github.flinkagentsnative.MemoryJournal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The journals of all tasks of a test as one, by the test's name; it outlives the tasks, and keeps what was asked of it. */
record SharedJournal(String name) implements Journal {
    private static final Map<String, Seen> ALL = new ConcurrentHashMap<>();

    /** What happened to a journal. */
    record Seen(
            MemoryJournal records, Set<UUID> written, Set<UUID> forgotten, Set<Instant> purged, Set<String> threads) {
        Seen() {
            this(
                    new MemoryJournal(),
                    ConcurrentHashMap.newKeySet(),
                    ConcurrentHashMap.newKeySet(),
                    ConcurrentHashMap.newKeySet(),
                    ConcurrentHashMap.newKeySet());
        }
    }

    Seen seen() {
        Seen seen = ALL.computeIfAbsent(name, key -> new Seen());
        seen.threads.add(Thread.currentThread().getName());
        return seen;
    }

    @Override
    public List<JournalRecord> read(UUID runId) {
        return seen().records.read(runId);
    }

    @Override
    public void append(UUID runId, int position, JournalRecord record) {
        seen().written.add(runId);
        seen().records.append(runId, position, record);
    }

    @Override
    public void discard(UUID runId, int fromPosition) {
        seen().records.discard(runId, fromPosition);
    }

    @Override
    public void forget(UUID runId) {
        seen().forgotten.add(runId);
        seen().records.forget(runId);
    }

    @Override
    public int purge(Instant before) {
        seen().purged.add(before);
        return seen().records.purge(before);
    }

    @Override
    public void close() {}
}
