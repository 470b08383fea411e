package io.github.flinkagentsnative;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * Drives requests to their one {@link ChatOutcome}: calls, retries, rounds of tools, the finalization call, routing and fallback, with
 * a journal from which a recovered run goes on where it was. Thread-safe; one executor serves a whole task.
 *
 * <p>A request ends in exactly one outcome, except when it is cancelled, for an {@link Error}, and when the journal or the runtime
 * fails: then in none, and the exception says why.
 *
 * <pre>{@code
 * try (ChatClient client = ChatClient.open(model);
 *         Journal journal = JdbcJournal.inFile(Path.of("/var/lib/job/journal"));
 *         ChatExecutor executor = ChatExecutor.builder(ModelCaller.of(client))
 *                 .maxRetries(3)
 *                 .retryOn(RetryOn.RETRYABLE)
 *                 .journal(journal)
 *                 .build()) {
 *     ChatOutcome<Verdict> outcome = executor.execute("order-4711", request, OutputSchema.of(Verdict.class));
 * }
 * }</pre>
 *
 * <p>A run is known by its key. The caller keeps the key stable over restarts and uses it for one request only; the journal then answers
 * what was called before. Records stay until {@link #forget}: see {@link Journal} for when they may go.
 */
public final class ChatExecutor implements AutoCloseable {

    final Map<String, ModelCaller> models;
    final String model;
    final ModelRouter router;
    final ToolCaller tools;
    final Journal journal;
    final int maxRetries;
    final Duration retryWaitInterval;
    final Duration maxRetryWait;
    final RetryOn retryOn;
    final ReaskBudget reask;
    final Finalization finalization;
    final int maxToolRounds;
    final Duration deadline;
    final UnaryOperator<ChatResult> redaction;
    final ChatRunListener listener;
    final RunThreads threads = new RunThreads();
    /** Runs that have not ended. */
    private final Set<ChatRun<?>> running = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean closed = new AtomicBoolean();

    private ChatExecutor(Builder builder) {
        models = Collections.unmodifiableMap(new LinkedHashMap<>(builder.models));
        model = builder.model;
        router = builder.router;
        tools = builder.tools;
        journal = builder.journal;
        maxRetries = builder.maxRetries;
        retryWaitInterval = builder.retryWaitInterval;
        maxRetryWait = builder.maxRetryWait;
        retryOn = builder.retryOn;
        reask = builder.reask;
        finalization = builder.finalization;
        maxToolRounds = builder.maxToolRounds;
        deadline = builder.deadline;
        redaction = builder.redaction;
        listener = new ChatRunListeners(builder.listeners);
    }

    /** An executor for one model. */
    public static Builder builder(ModelCaller model) {
        Builder builder = new Builder();
        builder.model = "model";
        builder.models.put(builder.model, Objects.requireNonNull(model, "model"));
        return builder;
    }

    /**
     * An executor that chooses among several models.
     *
     * @param models by the names that the router's candidates and its judge have
     */
    public static Builder builder(ModelRouter router, Map<String, ModelCaller> models) {
        Builder builder = new Builder();
        builder.model = "";
        builder.router = Objects.requireNonNull(router, "router");
        models.forEach((name, caller) -> builder.models.put(
                name, Objects.requireNonNull(caller, () -> "The caller of model '" + name + "' is null")));
        return builder;
    }

    /** The id of a run: the name-based UUID (version 3) of its key in UTF-8. */
    public static UUID runId(String runKey) {
        if (runKey == null || runKey.isEmpty()) {
            throw new IllegalArgumentException("The key of a run must not be empty.");
        }
        return UUID.nameUUIDFromBytes(Texts.utf8(runKey, "The key of a run"));
    }

    /**
     * Drives one request to its end.
     *
     * @param runKey names the run, the same over restarts and for this request only
     * @param schema null gives an outcome without a typed answer
     * @throws InterruptedException if the thread is interrupted, with its flag set; the run is cancelled
     * @throws java.util.concurrent.CancellationException if a model or tool caller cancelled
     * @throws JournalException if the journal failed or holds something unusable
     * @throws IllegalStateException after {@link #close}, also of the client below
     */
    public <T> ChatOutcome<T> execute(String runKey, ChatRequest request, OutputSchema<T> schema)
            throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("The thread was interrupted before the run started");
        }
        CompletableFuture<ChatOutcome<T>> future = executeAsync(runKey, request, schema);
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw e;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw interrupted;
            } else if (cause instanceof Error error) {
                throw error;
            }
            throw cause instanceof RuntimeException unchecked
                    ? unchecked
                    : new IllegalStateException(cause.getMessage(), cause);
        }
    }

    /**
     * As {@link #execute}, without waiting. The future fails only where a run ends without an outcome. Cancelling it cancels the run: no
     * further call is started.
     */
    public <T> CompletableFuture<ChatOutcome<T>> executeAsync(
            String runKey, ChatRequest request, OutputSchema<T> schema) {
        Objects.requireNonNull(request, "request");
        UUID runId = runId(runKey);
        if (closed.get()) {
            throw new IllegalStateException("The chat executor is closed; build a new one");
        }
        if (tools == null && !request.tools().isEmpty()) {
            throw new IllegalArgumentException(
                    "The request offers tools, but the executor has no tool caller; set one with tools(...).");
        }
        ChatRun<T> run = new ChatRun<>(this, runId, request, schema);
        running.add(run);
        run.future().whenComplete((outcome, failure) -> running.remove(run));
        run.start();
        if (closed.get()) {
            run.close();
        }
        return run.future();
    }

    /** Removes the records of a run. See {@link Journal} for when they may go. */
    public void forget(String runKey) {
        if (journal != null) {
            journal.forget(runId(runKey));
        }
    }

    /**
     * Ends the runs that have not ended, without an outcome, and the threads; a tool or a record that is under way is waited for, up to
     * 5 seconds. Clients and journal belong to the caller: close them afterwards.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            running.forEach(ChatRun::close);
            threads.close();
        }
    }

    @Override
    public String toString() {
        return "ChatExecutor[" + (router == null ? models.values() : router) + "]";
    }

    /** Collects what an executor needs; not thread-safe. */
    public static final class Builder {
        private static final Duration MAX_WAIT = Duration.ofMinutes(10);
        private static final Duration MAX_DEADLINE = Duration.ofDays(365);

        private final Map<String, ModelCaller> models = new LinkedHashMap<>();
        private String model;
        private ModelRouter router;
        private ToolCaller tools;
        private Journal journal;
        private int maxRetries;
        private Duration retryWaitInterval = Duration.ofSeconds(1);
        private Duration maxRetryWait = MAX_WAIT;
        private RetryOn retryOn = RetryOn.ALL;
        private ReaskBudget reask;
        private Finalization finalization = Finalization.ALWAYS;
        private int maxToolRounds = 100;
        private Duration deadline;
        private UnaryOperator<ChatResult> redaction;
        private final List<ChatRunListener> listeners = new ArrayList<>();

        private Builder() {}

        /** Runs the tools that requests offer. */
        public Builder tools(ToolCaller newTools) {
            tools = newTools;
            return this;
        }

        /** Keeps the records of runs; without one nothing survives a restart. */
        public Builder journal(Journal newJournal) {
            journal = newJournal;
            return this;
        }

        /**
         * Attempts beyond the first, for each round of tools and each candidate; default 0 (upstream {@code max-retries}).
         *
         * @throws IllegalArgumentException outside of 0 to 1,000
         */
        public Builder maxRetries(int newMaxRetries) {
            maxRetries = inRange("maxRetries", newMaxRetries, 0, 1_000);
            return this;
        }

        /**
         * Wait before the first retry; it doubles from one to the next, up to ten minutes. Default 1 s (upstream
         * {@code retry-wait-interval}). A provider's {@code Retry-After} raises it, and counts for at most a minute.
         *
         * @throws IllegalArgumentException outside of 0 to 10 minutes
         */
        public Builder retryWaitInterval(Duration interval) {
            retryWaitInterval = inRange("retryWaitInterval", interval);
            return this;
        }

        /**
         * Longest wait that doubling leads to; default 10 minutes.
         *
         * @throws IllegalArgumentException outside of 0 to 10 minutes
         */
        public Builder maxRetryWait(Duration wait) {
            maxRetryWait = inRange("maxRetryWait", wait);
            return this;
        }

        /** Which failures are repeated; default {@link RetryOn#ALL}. */
        public Builder retryOn(RetryOn newRetryOn) {
            retryOn = Objects.requireNonNull(newRetryOn, "retryOn");
            return this;
        }

        /** Sends invalid answers back with what is wrong with them; null, the default, does not. */
        public Builder reask(ReaskBudget budget) {
            reask = budget;
            return this;
        }

        /** When a native schema gets a call of its own; default {@link Finalization#ALWAYS}. */
        public Builder finalization(Finalization newFinalization) {
            finalization = Objects.requireNonNull(newFinalization, "finalization");
            return this;
        }

        /**
         * Rounds of tool calls after which a model that asks for more has failed; default 100.
         *
         * @throws IllegalArgumentException outside of 0 to 10,000
         */
        public Builder maxToolRounds(int rounds) {
            maxToolRounds = inRange("maxToolRounds", rounds, 0, 10_000);
            return this;
        }

        /**
         * Time for a whole run, waits and tools included; null, the default, sets no limit. {@link ChatRequest#timeout} is for one
         * call. It ends waits and calls; a tool, a strategy and a journal are not interrupted, it is looked at behind them.
         *
         * @throws IllegalArgumentException for a time below a millisecond
         */
        public Builder deadline(Duration newDeadline) {
            if (newDeadline != null
                    && (newDeadline.compareTo(Duration.ofMillis(1)) < 0 || newDeadline.compareTo(MAX_DEADLINE) > 0)) {
                throw new IllegalArgumentException(
                        "deadline must be from a millisecond to 365 days, not " + newDeadline + ".");
            }
            deadline = newDeadline;
            return this;
        }

        /**
         * Changes what a journal gets to see of a model's answer; the run itself goes on with the true answer. A recovered run goes on
         * with what was recorded, so tool calls have to stay, and an answer has to fit its schema all the same: a record from which
         * something else follows than before is an error. What the hook throws ends the run without an outcome. To encrypt records, wrap the
         * {@link Journal} instead.
         */
        public Builder redactRecords(UnaryOperator<ChatResult> newRedaction) {
            redaction = newRedaction;
            return this;
        }

        /** Adds one that is told what happens, for metrics and logs; several are told in the order they were added. */
        public Builder listener(ChatRunListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * @throws IllegalArgumentException when the router names a model that there is none for
         */
        public ChatExecutor build() {
            if (router != null) {
                for (String name : router.modelNames()) {
                    if (!models.containsKey(name)) {
                        throw new IllegalArgumentException("The router names the model '" + name
                                + "', but there is no caller for it; known are " + models.keySet() + ".");
                    }
                }
            }
            NativeLibrary.load();
            return new ChatExecutor(this);
        }

        private static Duration inRange(String name, Duration value) {
            Objects.requireNonNull(value, name);
            if (value.isNegative() || value.compareTo(MAX_WAIT) > 0) {
                throw new IllegalArgumentException(name + " must be from 0 to 10 minutes, not " + value + ".");
            }
            return value;
        }

        private static int inRange(String name, int value, int low, int high) {
            if (value < low || value > high) {
                throw new IllegalArgumentException(
                        name + " must be from " + low + " to " + high + ", not " + value + ".");
            }
            return value;
        }
    }
}
