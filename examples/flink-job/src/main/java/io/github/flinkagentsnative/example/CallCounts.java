package io.github.flinkagentsnative.example;

import io.github.flinkagentsnative.ChatRunListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the calls of a job over all its attempts: an accumulator of Flink starts anew with each. This works because the mini cluster
 * runs in this process.
 */
final class CallCounts implements ChatRunListener {
    private static final Map<String, CallCounts> JOBS = new ConcurrentHashMap<>();

    private final LongAdder calls = new LongAdder();
    private final LongAdder replayed = new LongAdder();

    private CallCounts() {}

    static CallCounts of(String job) {
        return JOBS.computeIfAbsent(job, name -> new CallCounts());
    }

    static void forget(String job) {
        JOBS.remove(job);
    }

    long calls() {
        return calls.sum();
    }

    /** Calls that the journal answered. */
    long replayed() {
        return replayed.sum();
    }

    @Override
    public void callStarted(String model, Purpose purpose) {
        calls.increment();
    }

    /** The other records of a run are no calls: which way the schema travels, for example. */
    @Override
    public void callReplayed(String key) {
        if (key.startsWith("chat")) {
            replayed.increment();
        }
    }
}
