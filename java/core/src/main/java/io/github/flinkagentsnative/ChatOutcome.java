package io.github.flinkagentsnative;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What became of one request: SUCCESS with a result, or FAILED with an error, never both (upstream #1149). Immutable.
 *
 * @param <T> type of the typed answer
 */
public final class ChatOutcome<T> {

    /** How a request can end. */
    public enum Status {
        SUCCESS,
        FAILED
    }

    private final ChatResult response;
    private final T value;
    private final Supplier<Object> jsonValue;
    private final String error;
    private final ErrorKind kind;
    private final Map<String, Object> details;
    private final int retryCount;
    private final int totalRetryWaitSec;
    private final Duration elapsed;
    private final StructuredOutputDecision decision;
    private final List<ChatAttempt> attempts;
    private final TokenUsage usage;
    private final Map<String, Object> modelRouting;

    private ChatOutcome(Builder<T> parts) {
        response = parts.response;
        value = parts.value;
        jsonValue = parts.jsonValue;
        error = parts.error;
        kind = parts.kind;
        details = parts.details;
        retryCount = parts.retryCount;
        totalRetryWaitSec = parts.totalRetryWaitSec;
        elapsed = parts.elapsed;
        decision = parts.decision;
        attempts = parts.attempts;
        usage = parts.usage;
        modelRouting = parts.modelRouting;
    }

    /** A success without native calls, for tests and for callers with a model of their own; {@code value} as JSON holds it. */
    public static <T> ChatOutcome<T> success(ChatResult result, T value) {
        Builder<T> parts = new Builder<>();
        parts.response = Objects.requireNonNull(result, "result");
        parts.value = value;
        parts.jsonValue = () -> JsonValues.copy(value, "");
        return parts.build();
    }

    /**
     * A failure.
     *
     * @param kind what kind, for programs
     * @param error what happened, for people; cut to 4,096 characters
     */
    public static <T> ChatOutcome<T> failed(ErrorKind kind, String error) {
        return failed(kind, error, Map.of());
    }

    static <T> ChatOutcome<T> failed(ErrorKind kind, String error, Map<String, Object> details) {
        if (error == null || error.isEmpty()) {
            throw new IllegalArgumentException("A failed outcome requires an error text.");
        }
        Builder<T> parts = new Builder<>();
        parts.error = NativeErrors.cut(error);
        parts.kind = Objects.requireNonNull(kind, "kind");
        parts.details = JsonValues.copyObject(details, "/details");
        return parts.build();
    }

    /** A failure from what a direct call would throw: its text names that class. */
    static <T> ChatOutcome<T> failed(Throwable failure) {
        return failed(NativeErrors.kindOf(failure), NativeErrors.errorText(failure), NativeErrors.detailsOf(failure));
    }

    /** A success whose typed answer is {@code value}; {@code jsonValue} gives it as JSON when somebody asks. */
    static <T> ChatOutcome<T> success(ChatResult result, T value, Supplier<Object> jsonValue) {
        Builder<T> parts = new Builder<>();
        parts.response = result;
        parts.value = value;
        parts.jsonValue = jsonValue;
        return parts.build();
    }

    public Status status() {
        return error == null ? Status.SUCCESS : Status.FAILED;
    }

    public boolean isSuccess() {
        return error == null;
    }

    /**
     * The provider's answer.
     *
     * @throws IllegalStateException on FAILED, with the error
     */
    public ChatResult result() {
        requireSuccess();
        return response;
    }

    /**
     * The typed answer; null when no schema was given, when the answer has tool calls, or when null is the answer.
     *
     * @throws IllegalStateException on FAILED, with the error
     */
    public T value() {
        requireSuccess();
        return value;
    }

    private void requireSuccess() {
        if (error != null) {
            throw new IllegalStateException("The chat request failed: " + error);
        }
    }

    /** The typed answer as JSON values, or null. */
    Object valueAsJson() {
        return error == null ? jsonValue.get() : null;
    }

    /** The provider's answer, also the one that a FAILED outcome is about (a refusal, a cut answer); null when none arrived. */
    public ChatResult response() {
        return response;
    }

    /** The error text, {@code class: message}, or null on SUCCESS. */
    public String error() {
        return error;
    }

    /** What kind of failure, or null on SUCCESS. */
    public ErrorKind kind() {
        return kind;
    }

    /** Facts about the failure; {@link ErrorKind} says which. Empty on SUCCESS. */
    public Map<String, Object> details() {
        return details;
    }

    /** Retries that were started. */
    public int retryCount() {
        return retryCount;
    }

    /** Seconds that were waited before retries. */
    public int totalRetryWaitSec() {
        return totalRetryWaitSec;
    }

    /** From the call to its end; zero when nothing was called. */
    public Duration elapsed() {
        return elapsed;
    }

    /** Which way the schema travelled, or null without one. */
    public StructuredOutputDecision decision() {
        return decision;
    }

    /** Every call of a model that a run made, in order; empty for a single {@link ChatClient#ask}. */
    public List<ChatAttempt> attempts() {
        return attempts;
    }

    /** Tokens of all calls of the run together, or of the one response; null when unknown. */
    public TokenUsage usage() {
        return usage == null && response != null ? response.usage() : usage;
    }

    /** How a router came to the model (upstream {@code model_routing}); empty without a router. */
    public Map<String, Object> modelRouting() {
        return modelRouting;
    }

    ChatOutcome<T> withElapsed(Duration newElapsed) {
        Builder<T> parts = new Builder<>(this);
        parts.elapsed = newElapsed;
        return parts.build();
    }

    ChatOutcome<T> withDecision(StructuredOutputDecision newDecision) {
        Builder<T> parts = new Builder<>(this);
        parts.decision = newDecision;
        return parts.build();
    }

    ChatOutcome<T> withResponse(ChatResult newResponse) {
        Builder<T> parts = new Builder<>(this);
        parts.response = newResponse;
        return parts.build();
    }

    /** The same outcome with every secret in error and details replaced. */
    ChatOutcome<T> hiding(List<Secret> secrets) {
        if (error == null) {
            return this;
        }
        Builder<T> parts = new Builder<>(this);
        parts.error = NativeErrors.redact(error, secrets);
        parts.details =
                JsonValues.copyObject(MessageFrames.object(NativeErrors.redact((Object) details, secrets)), "/details");
        return parts.build();
    }

    /**
     * The outcome as one JSON object, the same for the same outcome: {@code request_id}, {@code status}, {@code response},
     * {@code value}, {@code error}, {@code kind}, {@code details}, {@code retry_count}, {@code total_retry_wait_sec}, {@code elapsed_ms},
     * {@code decision}, {@code attempts}, {@code usage}, {@code model_routing}; null where one does not apply.
     *
     * @param requestId a UUID that the caller chooses
     * @throws IllegalArgumentException for an id that is no UUID
     */
    public String toJson(String requestId) {
        FrameWriter frame = new FrameWriter(1024);
        frame.map(2)
                .key("type")
                .text("outcome")
                .key("value")
                .map(14)
                .key("request_id")
                .text(requestId);
        frame.key("status").text(status().name()).key("response");
        if (error == null) {
            MessageFrames.write(frame, response);
        } else {
            frame.nil();
        }
        frame.key("value")
                .value(valueAsJson())
                .key("error")
                .text(error)
                .key("kind")
                .text(kind == null ? null : kind.wireName())
                .key("details")
                .value(details)
                .key("retry_count")
                .integer(retryCount)
                .key("total_retry_wait_sec")
                .integer(totalRetryWaitSec)
                .key("elapsed_ms")
                .integer(elapsed.toMillis())
                .key("decision")
                .value(decision == null ? null : DecisionFrames.write(decision))
                .key("attempts");
        RunFrames.write(frame, attempts);
        frame.key("usage");
        MessageFrames.write(frame, usage());
        frame.key("model_routing").value(modelRouting.isEmpty() ? null : modelRouting);
        return MessageFrames.json(frame);
    }

    /** As {@link #toJson(String)}. */
    public String toJson(UUID requestId) {
        return toJson(requestId.toString());
    }

    /**
     * Reads what {@link #toJson} wrote. The typed answer comes as JSON values: Map, List, String, Boolean, exact numbers.
     *
     * @throws IllegalArgumentException for a text that is no such object
     */
    public static ChatOutcome<Object> fromJson(String json) {
        try {
            return fromFrame(MessageFrames.parsed("outcome", json));
        } catch (ArithmeticException | ClassCastException | NullPointerException e) {
            throw new IllegalArgumentException("The JSON of the outcome holds a member of the wrong type or size.", e);
        }
    }

    private static ChatOutcome<Object> fromFrame(Map<?, ?> outcome) {
        Builder<Object> parts = new Builder<>();
        if (outcome.get("response") instanceof Map<?, ?> response) {
            Object value = JsonValues.copy(outcome.get("value"), "/value");
            parts.response = MessageFrames.result(response);
            parts.value = value;
            parts.jsonValue = () -> value;
        }
        parts.error = MessageFrames.text(outcome, "error");
        String kind = MessageFrames.text(outcome, "kind");
        parts.kind = kind == null ? null : ErrorKind.of(kind);
        parts.readCommon(outcome);
        return parts.build();
    }

    /** The outcome of a run from the parts that the native side knows, and what stayed on this one. */
    static <T> ChatOutcome<T> ofRun(Map<?, ?> outcome, ChatResult response, T value, Supplier<Object> jsonValue) {
        Builder<T> parts = new Builder<>();
        parts.response = response;
        parts.error = NativeErrors.cut(MessageFrames.text(outcome, "error"));
        String kind = MessageFrames.text(outcome, "kind");
        parts.kind = kind == null ? null : ErrorKind.of(kind);
        if (kind == null) {
            parts.value = value;
            parts.jsonValue = jsonValue;
        }
        parts.readCommon(outcome);
        return parts.build();
    }

    /** Neither answer nor error text: both may hold what belongs into no log. */
    @Override
    public String toString() {
        return "ChatOutcome[" + status() + (kind == null ? "" : ", " + kind) + ", " + elapsed.toMillis() + " ms]";
    }

    private static final class Builder<T> {
        private ChatResult response;
        private T value;
        private Supplier<Object> jsonValue = () -> null;
        private String error;
        private ErrorKind kind;
        private Map<String, Object> details = Map.of();
        private int retryCount;
        private int totalRetryWaitSec;
        private Duration elapsed = Duration.ZERO;
        private StructuredOutputDecision decision;
        private List<ChatAttempt> attempts = List.of();
        private TokenUsage usage;
        private Map<String, Object> modelRouting = Map.of();

        Builder() {}

        Builder(ChatOutcome<T> outcome) {
            response = outcome.response;
            value = outcome.value;
            jsonValue = outcome.jsonValue;
            error = outcome.error;
            kind = outcome.kind;
            details = outcome.details;
            retryCount = outcome.retryCount;
            totalRetryWaitSec = outcome.totalRetryWaitSec;
            elapsed = outcome.elapsed;
            decision = outcome.decision;
            attempts = outcome.attempts;
            usage = outcome.usage;
            modelRouting = outcome.modelRouting;
        }

        private void readCommon(Map<?, ?> outcome) {
            details = JsonValues.copyObject(MessageFrames.object(outcome.get("details")), "/details");
            retryCount = Math.toIntExact(((Number) outcome.get("retry_count")).longValue());
            totalRetryWaitSec = Math.toIntExact(((Number) outcome.get("total_retry_wait_sec")).longValue());
            elapsed = Duration.ofMillis(((Number) outcome.get("elapsed_ms")).longValue());
            decision = DecisionFrames.read(outcome.get("decision"));
            attempts = RunFrames.attempts(outcome.get("attempts"));
            usage = outcome.get("usage") instanceof Map<?, ?> tokens ? MessageFrames.usage(tokens) : null;
            modelRouting = JsonValues.copyObject(MessageFrames.object(outcome.get("model_routing")), "/model_routing");
        }

        ChatOutcome<T> build() {
            return new ChatOutcome<>(this);
        }
    }
}
