package io.github.flinkagentsnative.flink;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Lets calls pass in the order they came, no faster than a limit. No thread waits here. */
final class RateGate {
    /** Floating point leaves a hair less than a whole request. */
    private static final double ONE_REQUEST = 1 - 1e-6;

    /** The time, and somebody who calls back; tests drive it by hand. */
    interface Clock {
        long nanos();

        void after(long nanos, Runnable task);

        /** The JDK's own timer: it needs no thread that would have to be ended with the job. */
        Clock SYSTEM = new Clock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void after(long nanos, Runnable task) {
                CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
            }
        };
    }

    private final RateLimit limit;
    private final Clock clock;
    private final TokenBucket requests;
    private final TokenBucket tokens;
    private final Deque<CompletableFuture<Void>> waiting = new ArrayDeque<>();
    private boolean woken;

    RateGate(RateLimit limit, Clock clock) {
        this.limit = limit;
        this.clock = clock;
        long now = clock.nanos();
        requests = limit.requests() == null ? null : new TokenBucket(limit.requests(), now);
        tokens = limit.tokens() == null ? null : new TokenBucket(limit.tokens(), now);
    }

    RateLimit limit() {
        return limit;
    }

    /** A future that completes when the call may be sent; cancelling it gives the place away. */
    CompletableFuture<Void> enter() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        synchronized (this) {
            waiting.addLast(turn);
        }
        turn.whenComplete((passed, cancelled) -> {
            if (cancelled != null) {
                leave(turn);
            }
        });
        letPass();
        return turn;
    }

    private synchronized void leave(CompletableFuture<Void> turn) {
        waiting.remove(turn);
    }

    /** Counts what an answer cost: known only now, so the calls after it pay. */
    synchronized void used(long count) {
        if (tokens != null) {
            tokens.take(count, clock.nanos());
        }
    }

    private void letPass() {
        takePassing().forEach(turn -> turn.complete(null));
    }

    private synchronized List<CompletableFuture<Void>> takePassing() {
        List<CompletableFuture<Void>> passing = new ArrayList<>();
        while (!waiting.isEmpty()) {
            long now = clock.nanos();
            long wait = Math.max(
                    requests == null ? 0 : requests.nanosUntil(ONE_REQUEST, now),
                    tokens == null ? 0 : tokens.nanosUntil(ONE_REQUEST, now));
            if (wait > 0) {
                wakeAfter(wait);
                break;
            }
            if (requests != null) {
                requests.take(1, now);
            }
            passing.add(waiting.removeFirst());
        }
        return passing;
    }

    /** One call back at a time is enough: it looks again. */
    private void wakeAfter(long nanos) {
        if (!woken) {
            woken = true;
            clock.after(nanos, () -> {
                synchronized (this) {
                    woken = false;
                }
                letPass();
            });
        }
    }
}
