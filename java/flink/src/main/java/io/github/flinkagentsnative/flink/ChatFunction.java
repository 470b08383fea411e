package io.github.flinkagentsnative.flink;

import io.github.flinkagentsnative.ChatClient;
import io.github.flinkagentsnative.ChatExecutor;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatOutcome;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.Finalization;
import io.github.flinkagentsnative.Journal;
import io.github.flinkagentsnative.ModelCaller;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.TransportOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;
import org.apache.flink.util.IOUtils;
import org.apache.flink.util.function.SerializableFunction;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * Asks a chat model about each element and emits exactly one record for it, whatever happens.
 *
 * <pre>{@code
 * ChatFunction<Order, Verdict, String> chat = ChatFunction.<Order, Verdict, String>of(
 *                 () -> ChatModel.builder(Provider.OPENAI).apiKey(System.getenv("OPENAI_API_KEY")).model("gpt-5").build(),
 *                 order -> ChatRequest.of(ChatMessage.system("Classify the message."), ChatMessage.user(order.text())),
 *                 () -> OutputSchema.of(Verdict.class),
 *                 (order, outcome) -> outcome.toJson(ChatExecutor.runId(order.id())),
 *                 Types.STRING)
 *         .withRuns(runs -> runs.maxRetries(3).retryOn(RetryOn.RETRYABLE))
 *         .withJournal(() -> JdbcJournal.of(dataSource()), Order::id)
 *         .withRateLimit(RateLimit.perMinute("openai", 500, 200_000));
 * AsyncDataStream.unorderedWait(orders, chat, 5, TimeUnit.MINUTES, 32);
 * }</pre>
 *
 * <p>Each element is a run of a {@link ChatExecutor}. Without {@link #withRuns} that is one call, with the schema when it travels
 * natively: {@link Finalization#WITH_TOOLS} is the default here, where the executor's own is a second call for the schema, as upstream's
 * runtime makes it. A stream has a price for each element, and a request without tools gains little from the second call.
 *
 * <p>A failure of the run (an error of the provider, a time-out, a broken answer, ...) is a FAILED outcome, and so is an element that the
 * request function or the run key refuses with an {@link IllegalArgumentException}. The job fails only for errors of another kind: in the
 * configuration (when the function is opened), in the user's own functions, in the journal, in the JVM.
 *
 * <p><b>With {@code AsyncDataStream}.</b>
 *
 * <ul>
 *   <li>Time-out: it is for the element, with retries, waits and tools. When it comes first, the run is cancelled, no further call is
 *       made, and the element gets a FAILED outcome of kind {@link ErrorKind#TIMEOUT}. Give it more time than the run's deadline, or
 *       than all attempts and waits together; those say better what was slow.
 *   <li>Capacity: at most so many runs of a subtask are in progress, and each has at most one call in flight. An element that waits
 *       for its retry or for the rate limit counts.
 *   <li>Retry strategy ({@code unorderedWaitWithRetry}): not needed, and not of use. It would call this function again for the
 *       element: a whole new run that is paid for again; or with a journal the same outcome again, replayed without a call.
 * </ul>
 *
 * <p><b>Threads.</b> The task's own thread starts runs and emits records; calls, journal and tools are never waited for there.
 *
 * <p>Model, schema, options and journal come from suppliers that run on the task managers, so that nothing but the suppliers is serialized:
 * no key travels with the job when the supplier reads it from the environment. {@code docs/flink.md} lists the metrics.
 *
 * @param <IN> elements
 * @param <T> the answer's type
 * @param <OUT> records
 */
public final class ChatFunction<IN, T, OUT> extends RichAsyncFunction<IN, OUT>
        implements ResultTypeQueryable<OUT>, CheckpointedFunction, CheckpointListener {
    private static final long serialVersionUID = 2L;

    private final SerializableSupplier<ChatModel> model;
    private final SerializableFunction<IN, ChatRequest> request;
    private final SerializableSupplier<OutputSchema<T>> schema;
    private final OutcomeMapper<IN, T, OUT> mapper;
    private final TypeInformation<OUT> type;

    private SerializableSupplier<TransportOptions> options;
    private RunSettings settings;
    private SerializableSupplier<Journal> journal;
    private SerializableFunction<IN, String> runKey;
    private Duration retainAfterOutcome = Duration.ofHours(1);
    private Duration purgeAfter = Duration.ofDays(7);
    private RateLimit rateLimit;

    private transient ChatClient client;
    private transient OutputSchema<T> openedSchema;
    private transient Journal openedJournal;
    private transient ChatExecutor executor;
    private transient ChatMetrics metrics;
    private transient Retention retention;
    private transient Map<ResultFuture<OUT>, Call<T>> calls;
    /** Keys of the runs in progress. */
    private transient Set<String> running;

    /** Elements that were answered by their time-out: at the end of the input Flink's retry strategy comes back to them. */
    private transient Set<ResultFuture<OUT>> timedOut;

    /** A run in progress; whoever takes it answers the element. */
    private record Call<T>(String key, CompletableFuture<ChatOutcome<T>> run, AtomicBoolean taken) {
        boolean take() {
            return taken.compareAndSet(false, true);
        }
    }

    private ChatFunction(
            SerializableSupplier<ChatModel> model,
            SerializableFunction<IN, ChatRequest> request,
            SerializableSupplier<OutputSchema<T>> schema,
            OutcomeMapper<IN, T, OUT> mapper,
            TypeInformation<OUT> type) {
        this.model = Objects.requireNonNull(model, "model");
        this.request = Objects.requireNonNull(request, "request");
        this.schema = Objects.requireNonNull(schema, "schema");
        this.mapper = Objects.requireNonNull(mapper, "mapper");
        this.type = Objects.requireNonNull(type, "type");
    }

    /**
     * @param model makes the model; runs when a task opens the function
     * @param request makes the request for an element; an {@link IllegalArgumentException} becomes the element's FAILED outcome
     * @param schema makes the schema that the answer has to follow
     * @param mapper makes the record from element and outcome
     * @param type the record's type
     */
    public static <IN, T, OUT> ChatFunction<IN, T, OUT> of(
            SerializableSupplier<ChatModel> model,
            SerializableFunction<IN, ChatRequest> request,
            SerializableSupplier<OutputSchema<T>> schema,
            OutcomeMapper<IN, T, OUT> mapper,
            TypeInformation<OUT> type) {
        return new ChatFunction<>(model, request, schema, mapper, type);
    }

    private ChatFunction<IN, T, OUT> copy() {
        ChatFunction<IN, T, OUT> copy = new ChatFunction<>(model, request, schema, mapper, type);
        copy.options = options;
        copy.settings = settings;
        copy.journal = journal;
        copy.runKey = runKey;
        copy.retainAfterOutcome = retainAfterOutcome;
        copy.purgeAfter = purgeAfter;
        copy.rateLimit = rateLimit;
        return copy;
    }

    /** The same function with options for the HTTP client, made when a task opens the function. */
    public ChatFunction<IN, T, OUT> withOptions(SerializableSupplier<TransportOptions> options) {
        ChatFunction<IN, T, OUT> copy = copy();
        copy.options = Objects.requireNonNull(options, "options");
        return copy;
    }

    /** The same function with settings for its runs: retries, re-asks, tools, deadline, finalization, listeners. */
    public ChatFunction<IN, T, OUT> withRuns(RunSettings settings) {
        ChatFunction<IN, T, OUT> copy = copy();
        copy.settings = Objects.requireNonNull(settings, "settings");
        return copy;
    }

    /**
     * The same function with a journal: after a restart, elements that come again take what was recorded in place of calls.
     *
     * <p>The run key has to be the same for the same element after a restart, and no other element may have it: an id of the business, or
     * topic, partition and offset; no time, no random number, no hash code. Elements that share a key share a run: what is recorded for
     * one answers the other if it asks the same, and replaces it if not. A null or empty key, an {@link IllegalArgumentException}
     * from the key function, and a key whose run is in progress for another element are that element's FAILED outcome of kind
     * {@link ErrorKind#INVALID_ARGUMENT}.
     *
     * @param journal makes the journal when a task opens the function, which closes it again; all tasks have to reach the same records
     * @param runKey names an element's run
     */
    public ChatFunction<IN, T, OUT> withJournal(
            SerializableSupplier<Journal> journal, SerializableFunction<IN, String> runKey) {
        ChatFunction<IN, T, OUT> copy = copy();
        copy.journal = Objects.requireNonNull(journal, "journal");
        copy.runKey = Objects.requireNonNull(runKey, "runKey");
        return copy;
    }

    /**
     * The same function that keeps its journal's records for other times.
     *
     * @param retainAfterOutcome a run's records go when a checkpoint has completed that began so long after its outcome; default an
     *     hour. Until then its element may still stand in the operator: in ordered mode behind a slow one, for as long as that
     *     one's time-out, or before an operator that does not keep up. Too short costs a repeated call after a crash, and nothing else
     * @param purgeAfter when the function is opened, records of all runs older than this are removed: what crashes and ended jobs
     *     left. Default 7 days; null removes nothing. Longer than the age of any savepoint that may still be restored
     * @throws IllegalArgumentException for a negative time, or a {@code purgeAfter} that is not longer than the other
     */
    public ChatFunction<IN, T, OUT> withRetention(Duration retainAfterOutcome, Duration purgeAfter) {
        if (retainAfterOutcome.isNegative() || (purgeAfter != null && purgeAfter.compareTo(retainAfterOutcome) <= 0)) {
            throw new IllegalArgumentException("retainAfterOutcome (" + retainAfterOutcome
                    + ") must not be negative, and purgeAfter (" + purgeAfter + ") must be longer.");
        }
        ChatFunction<IN, T, OUT> copy = copy();
        copy.retainAfterOutcome = retainAfterOutcome;
        copy.purgeAfter = purgeAfter;
        return copy;
    }

    /** The same function with a limit for its calls, shared by all that have it in a task manager. */
    public ChatFunction<IN, T, OUT> withRateLimit(RateLimit rateLimit) {
        ChatFunction<IN, T, OUT> copy = copy();
        copy.rateLimit = Objects.requireNonNull(rateLimit, "rateLimit");
        return copy;
    }

    @Override
    public TypeInformation<OUT> getProducedType() {
        return type;
    }

    @Override
    public void open(OpenContext context) {
        try {
            open();
        } catch (IllegalArgumentException wrong) {
            // A restart finds the same configuration: better one failure that is seen than restarts without end.
            throw new SuppressRestartsException(wrong);
        }
    }

    private void open() {
        calls = new ConcurrentHashMap<>();
        running = ConcurrentHashMap.newKeySet();
        timedOut = Collections.newSetFromMap(new WeakHashMap<>());
        openedSchema = schema.get();
        ChatModel opened = model.get();
        client = options == null ? ChatClient.open(opened) : ChatClient.open(opened, options.get());
        metrics = new ChatMetrics(
                getRuntimeContext().getMetricGroup(), opened.provider().wireName());
        ModelCaller caller = metrics.counting(ModelCaller.of(client));
        ChatExecutor.Builder runs = ChatExecutor.builder(rateLimit == null ? caller : rateLimit.limiting(caller))
                .finalization(Finalization.WITH_TOOLS)
                .listener(metrics);
        if (settings != null) {
            settings.apply(runs);
        }
        if (journal != null) {
            openedJournal = Objects.requireNonNull(journal.get(), "journal");
        }
        executor = runs.journal(openedJournal).build();
        if (openedJournal != null) {
            openRetention();
        }
    }

    private void openRetention() {
        retention = new Retention(retainAfterOutcome, this::forget, InstantSource.system());
        if (purgeAfter != null && getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0) {
            Instant before = Instant.now().minus(purgeAfter);
            Journal purged = openedJournal;
            retention.submit("purge records older than " + purgeAfter, () -> purged.purge(before));
        }
    }

    /** A run that is in progress again, for an element that came twice, keeps its records. */
    private void forget(String key) {
        if (!running.contains(key)) {
            executor.forget(key);
        }
    }

    @Override
    public void asyncInvoke(IN element, ResultFuture<OUT> result) {
        if (timedOut.contains(result)) {
            return;
        }
        Call<T> call;
        try {
            call = start(element);
        } catch (IllegalArgumentException refused) {
            emit(element, result, ChatOutcome.failed(ErrorKind.INVALID_ARGUMENT, refused.toString()));
            return;
        }
        calls.put(result, call);
        call.run.whenComplete((outcome, failure) -> {
            if (call.take()) {
                settle(element, result, call, outcome, failure);
            }
        });
    }

    private Call<T> start(IN element) {
        ChatRequest asked = request.apply(element);
        String key = runKey == null ? UUID.randomUUID().toString() : runKey.apply(element);
        if (key == null || key.isEmpty()) {
            throw new IllegalArgumentException("The element's run key is empty: give each element a key of its own,"
                    + " the same after a restart.");
        }
        if (!running.add(key)) {
            throw new IllegalArgumentException("Another element with the same run key is in progress: give each element"
                    + " a key of its own, or remove repeated elements before this function.");
        }
        try {
            return new Call<>(key, executor.executeAsync(key, asked, openedSchema), new AtomicBoolean());
        } catch (RuntimeException e) {
            running.remove(key);
            throw e;
        }
    }

    private void settle(IN element, ResultFuture<OUT> result, Call<T> call, ChatOutcome<T> outcome, Throwable failure) {
        running.remove(call.key);
        if (failure != null) {
            result.completeExceptionally(failure);
        } else {
            emit(element, result, outcome);
            finished(call);
        }
        calls.remove(result, call);
    }

    /**
     * Comes instead of an outcome when the element's time is up. Without a run in progress it comes while a retry strategy of Flink waits, or
     * together with the outcome; then Flink drops the later record.
     */
    @Override
    public void timeout(IN element, ResultFuture<OUT> result) {
        Call<T> call = calls.get(result);
        if (call != null) {
            if (!call.take()) {
                return; // being answered right now
            }
            calls.remove(result, call);
            call.run.cancel(true);
            running.remove(call.key);
        }
        timedOut.add(result);
        String message = TimeoutException.class.getName()
                + ": The element's time in the stream was up before its run had finished: raise the time-out of"
                + " AsyncDataStream above the run's own, or lower its capacity.";
        emit(element, result, ChatOutcome.failed(ErrorKind.TIMEOUT, message));
        if (call != null) {
            finished(call);
        }
    }

    private void finished(Call<T> call) {
        if (retention != null) {
            retention.finished(call.key);
        }
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {
        // Nothing is kept in Flink's state: the journal has the records, and what is finished is known only while the
        // task runs.
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        if (retention != null) {
            retention.checkpointBegan(context.getCheckpointId());
        }
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        if (retention != null) {
            retention.checkpointCompleted(checkpointId);
        }
    }

    @Override
    public void close() throws Exception {
        if (calls != null) {
            calls.values().forEach(Call::take); // the task is going down: what still finishes has nobody to go to
            calls.clear();
        }
        IOUtils.closeAll(retention, executor, client, openedJournal);
    }

    /** An error of the mapper fails the job: without its record the element would be lost in silence. */
    private void emit(IN element, ResultFuture<OUT> result, ChatOutcome<T> outcome) {
        OUT made;
        try {
            made = mapper.map(element, outcome);
            metrics.outcome(outcome);
        } catch (Throwable bug) {
            result.completeExceptionally(bug);
            return;
        }
        result.complete(List.of(made));
    }
}
