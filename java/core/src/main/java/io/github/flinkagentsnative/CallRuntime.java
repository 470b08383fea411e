package io.github.flinkagentsnative;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The Java half of the native transport: one daemon thread for each native runtime waits for finished calls and completes
 * their futures. What follows an asynchronous call runs on other threads, so that a slow continuation stalls no other call.
 *
 * <p>All threads are daemons, because JVM exit is never held up, and carry this library's class loader only.
 */
final class CallRuntime {

    private static final Object LOCK = new Object();
    /** Guarded by {@link #LOCK}, as {@link #clients} is. */
    private static final Map<Long, CallRuntime> RUNTIMES = new LinkedHashMap<>();

    private static final AtomicLong CALL_IDS = new AtomicLong();
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);
    /** A wait that fails this often in a row is broken for good. */
    private static final int MAX_FAILED_WAITS = 10;

    private final long id;
    private final Map<Long, PendingCall> pending = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor callbacks = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            5,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons("flink-agents-native-callbacks"));
    private final Thread waiter;
    private int clients;
    /** Set before the last calls are failed: who registers a call later sees it. */
    private volatile boolean ended;

    private CallRuntime(long id) {
        this.id = id;
        this.waiter = daemons("flink-agents-native-calls").newThread(this::waitForCalls);
    }

    /** One call on its way. Completed with an answer, or with a {@link ChatModelException}. */
    static final class PendingCall extends CompletableFuture<HttpAnswer> {
        private final long id;
        private final long client;

        private PendingCall(long id, long client) {
            this.id = id;
            this.client = client;
        }
    }

    /** A client and the runtime that serves it. */
    record Opened(long client, CallRuntime runtime) {}

    /** Opens a native client. */
    static Opened open(byte[] frame) {
        synchronized (LOCK) {
            Map<String, Object> opened = NativeErrors.resultUnchecked(Native.openClient(frame));
            long runtimeId = number(opened, "runtime");
            CallRuntime runtime = RUNTIMES.get(runtimeId);
            if (runtime == null) {
                runtime = new CallRuntime(runtimeId);
                RUNTIMES.put(runtimeId, runtime);
                runtime.waiter.start();
            }
            runtime.clients++;
            return new Opened(number(opened, "client"), runtime);
        }
    }

    /** Hands a call over. Its future is registered first, because the answer may come before this returns. */
    PendingCall submit(long client, byte[] frame) throws ChatModelException {
        PendingCall call = new PendingCall(CALL_IDS.incrementAndGet(), client);
        pending.put(call.id, call);
        boolean submitted = false;
        try {
            if (ended) {
                throw closed();
            }
            NativeErrors.result(Native.submitCall(client, call.id, frame));
            submitted = true;
            return call;
        } finally {
            if (!submitted) {
                pending.remove(call.id);
            }
        }
    }

    void cancel(PendingCall call) {
        NativeErrors.resultUnchecked(Native.cancelCall(call.client, call.id));
    }

    /** Runs what follows a call away from the waiting thread; on it only when no other thread can be had. */
    void dispatch(Runnable continuation) {
        try {
            callbacks.execute(continuation);
        } catch (RuntimeException | OutOfMemoryError e) {
            continuation.run();
        }
    }

    /** Closes a client; what it still has in flight fails with kind {@link ErrorKind#CLOSED}. */
    void close(long client) {
        try {
            NativeErrors.resultUnchecked(Native.closeClient(client));
        } finally {
            failAll(client);
            boolean last;
            synchronized (LOCK) {
                last = --clients == 0;
            }
            if (last) {
                awaitEnd();
            }
        }
    }

    private void awaitEnd() {
        if (Thread.currentThread() == waiter) {
            return;
        }
        try {
            waiter.join(CLOSE_PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void waitForCalls() {
        int failedWaits = 0;
        while (!ended) {
            try {
                Map<String, Object> finished = NativeErrors.resultUnchecked(Native.awaitCalls(id));
                boolean last = Boolean.TRUE.equals(finished.get("ended"));
                if (finished.get("calls") instanceof List<?> calls) {
                    calls.forEach(this::finish);
                }
                ended = last;
                failedWaits = 0;
            } catch (Throwable e) {
                // Answers may be lost with it, and nobody knows whose. A call that fails is better than one that hangs.
                failAll(new ChatModelException(
                        ErrorKind.TRANSPORT,
                        "Waiting for answers failed in the native library: " + e.getMessage(),
                        null,
                        e));
                ended = ++failedWaits >= MAX_FAILED_WAITS;
            }
        }
        synchronized (LOCK) {
            RUNTIMES.remove(id);
        }
        failAll(closed());
        callbacks.shutdown();
    }

    private void finish(Object entry) {
        if (!(entry instanceof Map<?, ?> finished)) {
            throw new IllegalStateException("a finished call is no map");
        }
        PendingCall call = pending.remove(number(finished, "call"));
        if (call == null) {
            return; // failed at close already
        }
        if (finished.get("error") instanceof Map<?, ?> error) {
            call.completeExceptionally(NativeErrors.exception(texts(error)));
            return;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        if (finished.get("headers") instanceof Map<?, ?> map) {
            map.forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
        }
        byte[] body = finished.get("body") instanceof byte[] bytes ? bytes : new byte[0];
        Duration elapsed = Duration.ofMillis(number(finished, "elapsed_ms"));
        call.complete(new HttpAnswer((int) number(finished, "status"), headers, body, elapsed));
    }

    private void failAll(long client) {
        for (PendingCall call : new ArrayList<>(pending.values())) {
            if (call.client == client && pending.remove(call.id) != null) {
                call.completeExceptionally(closed());
            }
        }
    }

    private void failAll(ChatModelException failure) {
        for (PendingCall call : new ArrayList<>(pending.values())) {
            if (pending.remove(call.id) != null) {
                call.completeExceptionally(failure);
            }
        }
    }

    static ChatModelException closed() {
        return new ChatModelException(ErrorKind.CLOSED, "The chat client is closed; open a new one", null);
    }

    private static Map<String, Object> texts(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }

    private static long number(Map<?, ?> frame, String key) {
        if (frame.get(key) instanceof Number value) {
            return value.longValue();
        }
        throw new IllegalStateException("The native library left out '" + key + "'");
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            // No inherited thread-locals and no caller's class loader: this thread may outlive the caller's job.
            Thread thread = new Thread(null, task, name, 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(CallRuntime.class.getClassLoader());
            return thread;
        };
    }
}
