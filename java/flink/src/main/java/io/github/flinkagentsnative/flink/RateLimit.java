package io.github.flinkagentsnative.flink;

import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ChatResult;
import io.github.flinkagentsnative.ModelCaller;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.StructuredOutputDecision;
import io.github.flinkagentsnative.TokenUsage;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many requests and tokens a task manager may use in a minute. All functions with a limit of the same name in one JVM and class
 * loader share it, so on a cluster each task manager has this much: divide the provider's quota by their number, and stay below it.
 *
 * <p>Every call of a run takes part, retries and finalization calls too. A call waits for its turn in the order of arrival, without a
 * thread; its own time-out starts when it is sent, while the run's deadline and Flink's time-out for the element include the wait.
 * Cancelling ends the wait at once.
 *
 * <p>After a pause a tenth of the minute's amount may go at once, the rest evenly. Tokens, prompt and completion together, are known
 * only from an answer's usage, and are counted then: the calls in flight may overdraw the amount, and the next ones wait until it is made
 * up for. An answer without usage counts no tokens.
 *
 * @param name of what is limited, for example the provider's account
 * @param requests in a minute, or null for no limit
 * @param tokens in a minute, or null for no limit
 */
public record RateLimit(String name, Long requests, Long tokens) implements Serializable {
    private static final long MOST = 1_000_000_000_000L;

    private static final Map<String, RateGate> GATES = new ConcurrentHashMap<>();

    /**
     * @throws IllegalArgumentException for an empty name, or a number outside of 1 to a million million
     */
    public RateLimit {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("A rate limit needs a name: functions with the same name share it.");
        }
        check("requests", requests);
        check("tokens", tokens);
    }

    public static RateLimit perMinute(String name, long requests, long tokens) {
        return new RateLimit(name, requests, tokens);
    }

    public static RateLimit requestsPerMinute(String name, long requests) {
        return new RateLimit(name, requests, null);
    }

    private static void check(String what, Long count) {
        if (count != null && (count < 1 || count > MOST)) {
            throw new IllegalArgumentException(
                    "A rate limit's " + what + " per minute must be from 1 to " + MOST + ", not " + count + ".");
        }
    }

    /** A caller that waits its turn. The latest limit that is opened under a name replaces another one. */
    ModelCaller limiting(ModelCaller inner) {
        return limiting(
                inner,
                GATES.compute(
                        name,
                        (sameName, gate) -> gate != null && gate.limit().equals(this)
                                ? gate
                                : new RateGate(this, RateGate.Clock.SYSTEM)));
    }

    static ModelCaller limiting(ModelCaller inner, RateGate gate) {
        return new ModelCaller() {
            @Override
            public StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) throws Exception {
                return inner.decide(request, schema);
            }

            @Override
            public CompletableFuture<ChatResult> call(ChatRequest request, OutputSchema<?> schema) {
                return LimitedCall.start(gate, () -> inner.call(request, schema));
            }

            @Override
            public String toString() {
                return inner + " within " + gate.limit();
            }
        };
    }

    /** The future of a call that has its turn before it; cancelling it ends whichever of the two there is. */
    private static final class LimitedCall extends CompletableFuture<ChatResult> {
        interface Call {
            CompletableFuture<ChatResult> send() throws Exception;
        }

        private volatile CompletableFuture<?> step;

        static LimitedCall start(RateGate gate, Call call) {
            LimitedCall limited = new LimitedCall();
            limited.whenComplete((result, failure) -> limited.cancelStep());
            CompletableFuture<Void> turn = gate.enter();
            limited.follow(turn);
            turn.thenRun(() -> limited.send(gate, call));
            return limited;
        }

        private void send(RateGate gate, Call call) {
            if (isDone()) {
                return;
            }
            try {
                CompletableFuture<ChatResult> sent = call.send();
                follow(sent);
                sent.whenComplete((result, failure) -> {
                    if (failure != null) {
                        completeExceptionally(failure);
                        return;
                    }
                    gate.used(tokens(result));
                    complete(result);
                });
            } catch (Throwable e) {
                completeExceptionally(e);
            }
        }

        private void follow(CompletableFuture<?> next) {
            step = next;
            if (isDone()) {
                next.cancel(true);
            }
        }

        private void cancelStep() {
            CompletableFuture<?> current = step;
            if (current != null) {
                current.cancel(true);
            }
        }

        private static long tokens(ChatResult result) {
            TokenUsage usage = result == null ? null : result.usage();
            if (usage == null) {
                return 0;
            }
            return (usage.promptTokens() == null ? 0 : usage.promptTokens())
                    + (usage.completionTokens() == null ? 0 : usage.completionTokens());
        }
    }
}
