package io.github.flinkagentsnative.flink;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the records of finished runs once no checkpoint can bring their elements back. Work on the journal is done by one thread of its
 * own, which ends when there is nothing to do; a failure there is logged and left to the removal by age.
 */
final class Retention implements AutoCloseable {
    /** Finished runs that are remembered; beyond it the oldest are left to the removal by age. */
    static final int MAX_FINISHED = 100_000;

    private static final int MAX_CHECKPOINTS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private record Finished(String runKey, Instant at) {}

    private final Duration retainAfterOutcome;
    private final Consumer<String> forget;
    private final InstantSource clock;
    private final Deque<Finished> finished = new ArrayDeque<>();
    /** When the checkpoints began that have not completed. */
    private final TreeMap<Long, Instant> checkpoints = new TreeMap<>();

    private final ThreadPoolExecutor thread;

    Retention(Duration retainAfterOutcome, Consumer<String> forget, InstantSource clock) {
        this.retainAfterOutcome = retainAfterOutcome;
        this.forget = forget;
        this.clock = clock;
        thread = new ThreadPoolExecutor(1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread made = new Thread(null, task, "flink-agents-native-retention", 0, false);
            made.setDaemon(true);
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /** The outcome of a run was given to Flink. */
    synchronized void finished(String runKey) {
        if (finished.size() == MAX_FINISHED) {
            finished.removeFirst();
        }
        finished.addLast(new Finished(runKey, clock.instant()));
    }

    synchronized void checkpointBegan(long id) {
        checkpoints.put(id, clock.instant());
        if (checkpoints.size() > MAX_CHECKPOINTS) {
            checkpoints.pollFirstEntry();
        }
    }

    /** A checkpoint that began late enough after an outcome cannot hold its element any more. */
    void checkpointCompleted(long id) {
        List<String> old = takeOld(id);
        if (!old.isEmpty()) {
            submit("forget the records of " + old.size() + " finished runs", () -> old.forEach(forget));
        }
    }

    private synchronized List<String> takeOld(long id) {
        Instant began = checkpoints.get(id);
        checkpoints.headMap(id, true).clear();
        List<String> old = new ArrayList<>();
        while (began != null && !finished.isEmpty()) {
            if (finished.peekFirst().at().plus(retainAfterOutcome).isAfter(began)) {
                break;
            }
            old.add(finished.removeFirst().runKey());
        }
        return old;
    }

    /** Does work on the journal without making the caller wait. */
    void submit(String what, Runnable work) {
        thread.execute(() -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                if (thread.isShutdown()) {
                    return;
                }
                LOG.warn("Could not {}; what is left is removed by age.", what, e);
            }
        });
    }

    /** What has not been removed by then is left to the removal by age. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
