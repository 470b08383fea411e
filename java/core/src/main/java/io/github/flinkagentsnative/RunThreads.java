package io.github.flinkagentsnative;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one {@link ChatExecutor}: one that only watches the clock, and as many as there are runs that write a record or
 * run a tool right now. No thread waits for a model or for a retry.
 */
final class RunThreads implements AutoCloseable {

    private static final String WORKER = "flink-agents-native-runs";
    /** How long closing waits for runs that write a record or run a tool. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ScheduledThreadPoolExecutor clock;
    private final ThreadPoolExecutor workers;

    RunThreads() {
        clock = new ScheduledThreadPoolExecutor(1, daemons("flink-agents-native-clock"));
        clock.setRemoveOnCancelPolicy(true);
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        workers = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons(WORKER));
    }

    Executor workers() {
        return workers;
    }

    /** Runs {@code task} on the clock's own thread after {@code milliseconds}: it must only hand over to a worker. */
    Future<?> after(long milliseconds, Runnable task) {
        return clock.schedule(task, milliseconds, TimeUnit.MILLISECONDS);
    }

    /**
     * Interrupts what still runs, and waits for it a while: a record that is being written meets a restarted run otherwise.
     */
    @Override
    public void close() {
        clock.shutdownNow();
        workers.shutdownNow();
        if (Thread.currentThread().getName().equals(WORKER)) {
            return; // a worker that closes its own executor cannot wait for itself
        }
        try {
            workers.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            // No inherited thread-locals and no caller's class loader: this thread may outlive the caller's job.
            Thread thread = new Thread(null, task, name, 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(RunThreads.class.getClassLoader());
            return thread;
        };
    }
}
