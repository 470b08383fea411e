package io.github.flinkagentsnative;

import java.time.Instant;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Memory. */
public final class MemoryJournal implements Journal {
    private final Map<UUID, List<JournalRecord>> runs = new ConcurrentHashMap<>();

    @Override
    public List<JournalRecord> read(UUID runId) {
        return List.copyOf(runs.getOrDefault(runId, List.of()));
    }

    @Override
    public void append(UUID runId, int position, JournalRecord record) {
        runs.computeIfAbsent(runId, id -> new ArrayList<>()).add(record);
    }

    @Override
    public void discard(UUID runId, int fromPosition) {
        runs.computeIfPresent(runId, (id, list) -> new ArrayList<>(list.subList(0, fromPosition)));
    }

    @Override
    public void forget(UUID runId) {
        runs.remove(runId);
    }

    @Override
    public int purge(Instant before) {
        return 0;
    }

    @Override
    public void close() {}
}
