package io.github.flinkagentsnative;

/** Record. */
public record JournalRecord(String key, byte[] bytes) {}
