package io.github.flinkagentsnative;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One run: asks the native state machine what to do, does it, journals what happened, and tells it. At most one thread works on a
 * run at a time; while it waits for a model or for a retry, none does.
 */
final class ChatRun<T> {

    /** Parameters that speak of tools; a call without tools goes without them. */
    private static final List<String> TOOL_PARAMETERS = List.of("tool_choice", "parallel_tool_calls", "strict");
    /** How deep a failure's causes are searched for a cancellation. */
    private static final int MAX_CAUSES = 64;

    private final ChatExecutor executor;
    private final UUID runId;
    private final ChatRequest request;
    private final OutputSchema<T> schema;
    private final CompletableFuture<ChatOutcome<T>> future = new CompletableFuture<>();
    private final long started = System.nanoTime();

    private byte[] run;
    private byte[] state;
    private Map<?, ?> action;
    private final List<ChatMessage> history;
    private final List<ChatResult> answers = new ArrayList<>();
    private List<ChatMessage> toolTurn = new ArrayList<>();
    private List<JournalRecord> recorded = List.of();
    private int position;
    private T value;
    private Supplier<Object> jsonValue = () -> null;

    /** What the run waits for: a call or the clock. */
    private volatile Future<?> waiting;
    /** The thread that works on the run right now; guarded by {@link #workerLock}. */
    private Thread worker;

    private final Object workerLock = new Object();

    ChatRun(ChatExecutor executor, UUID runId, ChatRequest request, OutputSchema<T> schema) {
        this.executor = executor;
        this.runId = runId;
        this.request = request;
        this.schema = schema;
        this.history = new ArrayList<>(request.messages());
    }

    CompletableFuture<ChatOutcome<T>> future() {
        return future;
    }

    /** Ends the run without an outcome. */
    void close() {
        future.completeExceptionally(new IllegalStateException("The chat executor was closed during the run"));
        cancelWork();
    }

    void start() {
        future.whenComplete((outcome, failure) -> cancelWork());
        resume(() -> {
            run = RunFrames.run(executor, runId, request, schema);
            if (executor.journal != null) {
                recorded = records();
            }
            take(RunFrames.start(run, executor, request));
            advance();
        });
    }

    private List<JournalRecord> records() {
        List<JournalRecord> records = executor.journal.read(runId);
        if (records == null || records.stream().anyMatch(Objects::isNull)) {
            throw new JournalException("The journal returned null in place of records; it returns an empty list for a"
                    + " run that it does not know.");
        }
        return records;
    }

    /** One piece of work. */
    private interface Work {
        void run() throws Exception;
    }

    /** Continues on a worker; whatever is thrown ends the run without an outcome. */
    private void resume(Work work) {
        try {
            executor.threads.workers().execute(() -> {
                enter();
                try {
                    if (!future.isDone()) {
                        work.run();
                    }
                } catch (Throwable e) {
                    future.completeExceptionally(e);
                } finally {
                    leave();
                }
            });
        } catch (RejectedExecutionException e) {
            close();
        } catch (Throwable e) { // no thread can be started: nobody else would ever end the run
            future.completeExceptionally(e);
        }
    }

    private void enter() {
        synchronized (workerLock) {
            worker = Thread.currentThread();
        }
    }

    /** A cancellation's interrupt is for this run, not for the next one on this thread. */
    private void leave() {
        synchronized (workerLock) {
            if (worker == Thread.currentThread()) {
                worker = null;
            }
            Thread.interrupted();
        }
    }

    private void cancelWork() {
        Future<?> pending = waiting;
        if (pending != null) {
            cancel(pending);
        }
        synchronized (workerLock) {
            if (worker != null && worker != Thread.currentThread()) {
                worker.interrupt();
            }
        }
    }

    /** A model caller's own future may throw; the run goes its way all the same. */
    private static void cancel(Future<?> pending) {
        try {
            pending.cancel(true);
        } catch (RuntimeException e) {
            // Its call is not the run's business any more.
        }
    }

    private void take(Map<String, Object> step) {
        state = (byte[]) step.get("state");
        action = (Map<?, ?>) step.get("action");
    }

    /** Does one action after the other until one has to be waited for, or the run has ended. */
    private void advance() throws Exception {
        while (!future.isDone()) {
            String what = MessageFrames.text(action, "do");
            if (what.equals("finish")) {
                finish();
                return;
            } else if (what.equals("read") && !isRecorded("read")) {
                read();
            } else if (position < recorded.size()) {
                replay();
            } else {
                switch (what) {
                    case "decide" -> decide();
                    case "route" -> route();
                    case "tool" -> tool();
                    case "call" -> {
                        call();
                        return;
                    }
                    default ->
                        throw new IllegalStateException("The native library asks for the unknown action " + what);
                }
            }
        }
    }

    private boolean isRecorded(String key) {
        return position < recorded.size() && recorded.get(position).key().equals(key);
    }

    /** Takes the next record in place of doing the action, or discards it and all later ones if it belongs to another call. */
    private void replay() {
        JournalRecord record = recorded.get(position);
        Map<?, ?> replayedAction = action;
        Map<String, Object> step = RunFrames.replay(run, state, record);
        if (Boolean.TRUE.equals(step.get("mismatch"))) {
            executor.journal.discard(runId, position);
            recorded = recorded.subList(0, position);
            return;
        }
        Map<String, Object> brought = MessageFrames.object(step.get("replayed"));
        if (brought.get("result") instanceof Map<?, ?> result) {
            answers.add(MessageFrames.result(result));
        } else if (brought.get("message") instanceof Map<?, ?> message) {
            toolAnswered(replayedAction, MessageFrames.message(message));
        }
        position++;
        take(step);
        executor.listener.callReplayed(record.key());
    }

    /** The record of what has just happened is durable before anything follows from it. */
    private void accepted(Map<String, Object> step) throws InterruptedException {
        if (executor.journal != null && step.get("record") instanceof Map<?, ?> record) {
            rejectCancelled();
            JournalRecord written = new JournalRecord(MessageFrames.text(record, "key"), (byte[]) record.get("bytes"));
            executor.journal.append(runId, position, written);
            position++;
            recorded = List.of();
        }
        take(step);
        if (step.get("routing_event") instanceof Map<?, ?> event) {
            executor.listener.modelRouted(ModelRoutingEvent.ofAttributes(event));
        }
    }

    private void rejectCancelled() throws InterruptedException {
        if (future.isDone() || Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("Chat execution interrupted");
        }
    }

    // ---- the actions

    private ModelCaller caller(String name) {
        return executor.models.get(name);
    }

    private void decide() throws Exception {
        String name = MessageFrames.text(action, "model");
        long start = System.nanoTime();
        Map<String, Object> event = new LinkedHashMap<>();
        StructuredOutputDecision decision = null;
        try {
            ModelCaller caller = caller(name);
            ModelCaller.Binding binding =
                    Objects.requireNonNull(caller.binding(), "The model caller's binding is null");
            if (binding == ModelCaller.Binding.BOUND) {
                decision = Objects.requireNonNull(
                        caller.decide(withoutTools(request), schema), "The model caller's decision is null");
                event.put("decision", DecisionFrames.write(decision));
            } else {
                event.put("binding", binding.name().toLowerCase(Locale.ROOT));
                event.put("setup", String.valueOf(caller.setupName()));
            }
        } catch (Throwable e) {
            event.put("failure", failure(e));
        }
        event.put("elapsed_ms", millisSince(start));
        if (decision != null) {
            executor.listener.schemaDecided(name, decision);
        }
        accepted(RunFrames.accept(run, state, event));
    }

    private void route() throws Exception {
        Map<String, Object> event = new LinkedHashMap<>();
        if (!Boolean.TRUE.equals(action.get("decided"))) {
            long start = System.nanoTime();
            try {
                Map<String, Object> decision = routingDecision(start).frame();
                Frames.pack(decision); // what no frame can hold is the strategy's failure
                event.put("route", decision);
            } catch (Throwable e) {
                event.put("failure", failure(e));
            }
            event.put("elapsed_ms", millisSince(start));
        }
        accepted(RunFrames.accept(run, state, event));
    }

    private RoutingDecision routingDecision(long start) throws Exception {
        RoutingStrategy.Custom custom = (RoutingStrategy.Custom) executor.router.strategy();
        RoutingDecision decision = custom.code().decide(executor.router.candidates(), request.messages());
        rejectInterrupted();
        if (decision == null) {
            throw new IllegalStateException("The routing strategy returned null; return a decision, or abstain");
        }
        return decision.decisionMs() == null ? decision.withDecisionMs(millisSince(start)) : decision;
    }

    private void tool() throws Exception {
        String callId = MessageFrames.text(action, "call_id");
        String error = MessageFrames.text(action, "error");
        ToolCallBlock call = answers.get(index(action.get("call"))).toolCalls().stream()
                .filter(block -> block.callId().equals(callId))
                .findFirst()
                .orElseThrow();
        long start = System.nanoTime();
        if (remaining() <= 0) {
            accepted(RunFrames.accept(run, state, RunFrames.failed(deadlinePassed(), 0, false)));
            return;
        }
        ToolResultBlock result = error == null ? runTool(call) : ToolResultBlock.error(callId, error);
        ChatMessage message = ChatMessage.tool(result);
        Map<?, ?> done = action;
        accepted(RunFrames.toolAnswered(run, state, message, millisSince(start)));
        toolAnswered(done, message);
    }

    private ToolResultBlock runTool(ToolCallBlock call) throws Exception {
        if (request.tools().stream().noneMatch(tool -> tool.name().equals(call.name()))) {
            return ToolResultBlock.error(call.callId(), notOffered());
        }
        try {
            ToolResultBlock result = executor.tools.call(call);
            rejectInterrupted();
            if (result == null || !result.callId().equals(call.callId())) {
                throw new IllegalStateException("The tool caller returned "
                        + (result == null ? "null" : "a result for another call") + " for the tool " + call.name());
            }
            MessageFrames.write(new FrameWriter(), ChatMessage.tool(result)); // refuses what no frame can hold
            return result;
        } catch (Throwable e) {
            throwIfNoFailure(e);
            return ToolResultBlock.error(call.callId(), NativeErrors.errorText(e));
        }
    }

    private String notOffered() {
        String offered = request.tools().stream().map(ToolSpec::name).collect(Collectors.joining(", "));
        return "No tool of this name is offered. "
                + (offered.isEmpty() ? "Answer without one." : "Offered: " + offered);
    }

    /** After the last result of a turn the turn becomes history. */
    private void toolAnswered(Map<?, ?> done, ChatMessage message) {
        ChatMessage asked = answers.get(index(done.get("call"))).message();
        toolTurn.add(message);
        if (toolTurn.size() == asked.toolCalls().size()) {
            history.add(asked);
            history.addAll(toolTurn);
            toolTurn = new ArrayList<>();
        }
    }

    /** Waits, calls, and goes on when the answer is there. */
    private void call() {
        long wait = ((Number) action.get("wait_ms")).longValue();
        long remaining = remaining();
        if (remaining <= wait) {
            Map<String, Object> passed = RunFrames.failed(deadlinePassed(), 0, false);
            resume(() -> {
                accepted(RunFrames.accept(run, state, passed));
                advance();
            });
        } else if (wait > 0) {
            waitFor(executor.threads.after(wait, () -> resume(this::send)));
        } else {
            send();
        }
    }

    /** Remembers what to cancel; a cancellation that came before is made up for. */
    private void waitFor(Future<?> pending) {
        waiting = pending;
        if (future.isDone()) {
            pending.cancel(true);
        }
    }

    private void send() {
        String name = MessageFrames.text(action, "model");
        ChatRunListener.Purpose purpose = ChatRunListener.Purpose.valueOf(
                MessageFrames.text(action, "purpose").toUpperCase(Locale.ROOT));
        boolean natively = Boolean.TRUE.equals(action.get("schema"));
        executor.listener.callStarted(name, purpose);
        long start = System.nanoTime();
        CompletableFuture<ChatResult> answer;
        try {
            answer = caller(name).call(callRequest(purpose, natively), natively ? schema : null);
            if (answer == null) {
                throw new IllegalStateException("The model caller returned no future");
            }
        } catch (Throwable e) {
            answer = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<ChatResult> sent = answer;
        AtomicBoolean settled = new AtomicBoolean();
        long remaining = remaining();
        Future<?> alarm = remaining == Long.MAX_VALUE
                ? null
                : executor.threads.after(Math.max(1, remaining), () -> {
                    if (settled.compareAndSet(false, true)) {
                        resume(() -> {
                            cancel(sent);
                            ended(name, purpose, start, null, deadlinePassed());
                        });
                    }
                });
        waitFor(sent);
        sent.whenComplete((result, failure) -> {
            if (!settled.compareAndSet(false, true)) {
                return;
            }
            if (alarm != null) {
                alarm.cancel(false);
            }
            resume(() -> {
                if (failure != null) {
                    ended(name, purpose, start, null, failure(failure));
                } else if (result == null) {
                    String text = IllegalStateException.class.getName() + ": ChatModel returned a null response.";
                    ended(name, purpose, start, null, RunFrames.failure(ErrorKind.EMPTY_RESPONSE, text, Map.of()));
                } else {
                    ended(name, purpose, start, result, null);
                }
            });
        });
    }

    private void ended(
            String model, ChatRunListener.Purpose purpose, long start, ChatResult result, Map<String, Object> failure)
            throws Exception {
        long elapsed = millisSince(start);
        ErrorKind kind = failure == null ? null : ErrorKind.of((String) failure.get("kind"));
        executor.listener.callEnded(model, purpose, Duration.ofMillis(elapsed), result, kind);
        Map<String, Object> step = null;
        Map<String, Object> failed = failure;
        if (result != null) {
            try {
                step = RunFrames.answered(run, state, result, redacted(result), elapsed);
                answers.add(result);
            } catch (IllegalArgumentException e) { // a caller of the user's own made an answer that no frame can hold
                failed = failure(e);
            }
        }
        accepted(step == null ? RunFrames.accept(run, state, RunFrames.failed(failed, elapsed, true)) : step);
        advance();
    }

    /** What the journal gets to see; null where that is the answer itself. */
    private ChatResult redacted(ChatResult result) {
        if (executor.redaction == null) {
            return null;
        }
        ChatResult redacted = executor.redaction.apply(result);
        if (redacted == null) {
            throw new IllegalStateException("redactRecords returned null; it returns the answer that may be recorded");
        }
        return redacted;
    }

    /** The request of the call that the action asks for. */
    private ChatRequest callRequest(ChatRunListener.Purpose purpose, boolean natively) {
        List<ChatMessage> messages = new ArrayList<>();
        for (Object item : MessageFrames.list(action.get("messages"))) {
            Map<?, ?> part = (Map<?, ?>) item;
            if (part.get("history") instanceof List<?> range) {
                messages.addAll(history.subList(index(range.get(0)), index(range.get(1))));
            } else if (part.get("answer") != null) {
                messages.add(answers.get(index(part.get("answer"))).message());
            } else {
                messages.add(MessageFrames.message((Map<?, ?>) part.get("message")));
            }
        }
        boolean tools = Boolean.TRUE.equals(action.get("tools"));
        ChatRequest plain = tools ? request : withoutTools(request);
        return new ChatRequest(
                messages,
                plain.tools(),
                purpose == ChatRunListener.Purpose.JUDGE ? Map.of() : plain.parameters(),
                natively ? StructuredOutputStrategy.NATIVE : StructuredOutputStrategy.AUTO,
                WhenInfeasible.FAIL,
                plain.timeout());
    }

    private static ChatRequest withoutTools(ChatRequest request) {
        if (request.tools().isEmpty()) {
            return request;
        }
        Map<String, Object> parameters = new LinkedHashMap<>(request.parameters());
        parameters.keySet().removeAll(TOOL_PARAMETERS);
        return new ChatRequest(
                request.messages(),
                List.of(),
                parameters,
                request.strategy(),
                request.whenInfeasible(),
                request.timeout());
    }

    /** Turns the checked answer into the caller's type. */
    private void read() throws Exception {
        Map<String, Object> event = Map.of();
        try {
            Answer answer = Answer.of(MessageFrames.object(action.get("answer")));
            value = schema.read(answer);
            jsonValue = ChatModel.jsonValue(answer, schema);
        } catch (ChatModelException | RuntimeException e) {
            event = Map.of("failure", failure(e));
        }
        accepted(RunFrames.accept(run, state, event));
    }

    private void finish() {
        Map<?, ?> parts = (Map<?, ?>) action.get("outcome");
        ChatResult response = action.get("call") == null ? null : answers.get(index(action.get("call")));
        ChatOutcome<T> outcome = ChatOutcome.ofRun(parts, response, value, jsonValue);
        if (!future.isDone()) {
            executor.listener.runEnded(outcome);
            future.complete(outcome);
        }
    }

    // ---- failures

    /** The failure as data; what is no failure of a call is thrown on. */
    private static Map<String, Object> failure(Throwable failure) throws Exception {
        throwIfNoFailure(failure);
        Throwable cause = NativeErrors.unwrap(failure);
        return RunFrames.failure(kindOf(cause), NativeErrors.errorText(cause), NativeErrors.detailsOf(cause));
    }

    /** A caller of the user's own may throw anything; the library's own exceptions name their kind. */
    private static ErrorKind kindOf(Throwable cause) {
        ErrorKind kind = NativeErrors.kindOf(cause);
        if (kind != ErrorKind.FRAME) {
            return kind;
        } else if (cause instanceof TimeoutException || cause instanceof InterruptedIOException) {
            return ErrorKind.TIMEOUT;
        }
        return cause instanceof IOException ? ErrorKind.TRANSPORT : ErrorKind.PROVIDER_ERROR;
    }

    /** Throws what ends a run without an outcome: cancellation, errors of the JVM, a failed journal, a closed client. */
    private static void throwIfNoFailure(Throwable failure) throws Exception {
        Throwable cause = NativeErrors.unwrap(failure);
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            boolean cancelled = cause instanceof InterruptedException
                    || cause instanceof CancellationException
                    || cause instanceof ClosedByInterruptException;
            if (cancelled || cause instanceof JournalException) {
                throw (Exception) cause;
            } else if (depth == 0 && cause instanceof Error error) {
                throw error;
            } else if (cause instanceof ChatModelException expected
                    && (expected.kind() == ErrorKind.CLOSED || expected.kind() == ErrorKind.CANCELLED)) {
                throw expected.kind() == ErrorKind.CANCELLED
                        ? (Exception) new CancellationException(expected.getMessage())
                        : new IllegalStateException(expected.getMessage(), expected);
            }
            cause = cause.getCause();
        }
        rejectInterrupted();
    }

    private static void rejectInterrupted() throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("Chat execution interrupted");
        }
    }

    // ---- time

    /** Milliseconds until the run's deadline; {@link Long#MAX_VALUE} without one. */
    private long remaining() {
        return executor.deadline == null ? Long.MAX_VALUE : executor.deadline.toMillis() - millisSince(started);
    }

    private Map<String, Object> deadlinePassed() {
        long limit = executor.deadline.toMillis();
        String text = TimeoutException.class.getName() + ": The run's deadline of " + limit
                + " ms has passed, or would pass while waiting for the next attempt. Raise deadline, or ask for fewer retries.";
        return RunFrames.failure(ErrorKind.TIMEOUT, text, Map.of("phase", "run", "timeout_ms", limit));
    }

    private static long millisSince(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }

    private static int index(Object number) {
        return Math.toIntExact(((Number) number).longValue());
    }
}
