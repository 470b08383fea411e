package io.github.flinkagentsnative.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ChatResult;
import io.github.flinkagentsnative.ModelCaller;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.StructuredOutputDecision;
import io.github.flinkagentsnative.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private static final ChatRequest ASK = ChatRequest.of(ChatMessage.user("x"));

    /** Time that passes when the test says so. */
    private static final class HandClock implements RateGate.Clock {
        private record Task(long at, Runnable work) {}

        private final PriorityQueue<Task> tasks = new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));
        private long now = 17;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void after(long nanos, Runnable task) {
            tasks.add(new Task(now + nanos, task));
        }

        void pass(long seconds) {
            long end = now + TimeUnit.SECONDS.toNanos(seconds);
            while (!tasks.isEmpty() && tasks.peek().at <= end) {
                Task next = tasks.remove();
                now = Math.max(now, next.at);
                next.work.run();
            }
            now = end;
        }
    }

    private final HandClock clock = new HandClock();
    private final List<CompletableFuture<ChatResult>> sent = new ArrayList<>();

    private ModelCaller caller(RateLimit limit) {
        return RateLimit.limiting(
                new ModelCaller() {
                    @Override
                    public StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) {
                        return null;
                    }

                    @Override
                    public CompletableFuture<ChatResult> call(ChatRequest request, OutputSchema<?> schema) {
                        CompletableFuture<ChatResult> answer = new CompletableFuture<>();
                        sent.add(answer);
                        return answer;
                    }
                },
                new RateGate(limit, clock));
    }

    private static ChatResult answer(long prompt, long completion) {
        return new ChatResult(
                ChatMessage.assistant("a"), "m", null, new TokenUsage(prompt, completion), "stop", Map.of());
    }

    @Test
    void aTenthOfTheMinuteGoesAtOnceAndTheRestEvenly() throws Exception {
        ModelCaller caller = caller(RateLimit.requestsPerMinute("r", 60));
        for (int i = 0; i < 100; i++) {
            caller.call(ASK, null);
        }
        assertThat(sent).hasSize(6);
        clock.pass(1);
        assertThat(sent).hasSize(7);
        clock.pass(53);
        assertThat(sent).hasSize(60);
        clock.pass(3600);
        assertThat(sent).hasSize(100);
    }

    @Test
    void afterAPauseNoMoreThanATenthIsSaved() throws Exception {
        ModelCaller caller = caller(RateLimit.requestsPerMinute("r", 60));
        clock.pass(3600);
        for (int i = 0; i < 20; i++) {
            caller.call(ASK, null);
        }
        assertThat(sent).hasSize(6);
    }

    @Test
    void tokensAreCountedFromAnswersAndADebtIsMadeUpFor() throws Exception {
        ModelCaller caller = caller(RateLimit.perMinute("t", 60_000, 600)); // 10 tokens a second, 60 at once
        CompletableFuture<ChatResult> first = caller.call(ASK, null);
        CompletableFuture<ChatResult> second = caller.call(ASK, null);
        assertThat(sent).hasSize(2); // nothing is known of their size yet
        sent.get(0).complete(answer(100, 20));
        sent.get(1).complete(answer(30, 10));
        assertThat(first).isCompletedWithValue(answer(100, 20));
        assertThat(second).isCompleted();
        caller.call(ASK, null);
        clock.pass(10); // 60 - 160 + 100
        assertThat(sent).hasSize(2);
        clock.pass(1);
        assertThat(sent).hasSize(3);
    }

    @Test
    void anAnswerWithoutUsageCountsNoTokens() throws Exception {
        ModelCaller caller = caller(RateLimit.perMinute("t", 60_000, 10));
        caller.call(ASK, null);
        sent.get(0).complete(new ChatResult(ChatMessage.assistant("a")));
        caller.call(ASK, null);
        assertThat(sent).hasSize(2);
    }

    @Test
    void aCancelledWaitIsNeverSentAndGivesItsPlaceAway() throws Exception {
        ModelCaller caller = caller(RateLimit.requestsPerMinute("r", 1));
        caller.call(ASK, null);
        CompletableFuture<ChatResult> waiting = caller.call(ASK, null);
        CompletableFuture<ChatResult> next = caller.call(ASK, null);
        assertThat(waiting.cancel(true)).isTrue();
        clock.pass(61);
        assertThat(sent).hasSize(2);
        sent.get(1).complete(answer(1, 1));
        assertThat(next).isCompleted();
    }

    @Test
    void cancellingASentCallCancelsItAndAFailureIsPassedOn() throws Exception {
        ModelCaller caller = caller(RateLimit.requestsPerMinute("r", 100));
        CompletableFuture<ChatResult> cancelled = caller.call(ASK, null);
        CompletableFuture<ChatResult> failed = caller.call(ASK, null);
        cancelled.cancel(true);
        assertThat(sent.get(0)).isCancelled();
        sent.get(1).completeExceptionally(new java.io.IOException("reset"));
        assertThatThrownBy(failed::get).hasRootCauseMessage("reset");
    }

    @Test
    void aLimitThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> RateLimit.perMinute("", 1, 1)).hasMessageContaining("name");
        assertThatThrownBy(() -> RateLimit.perMinute("a", 0, 1)).hasMessageContaining("requests");
        assertThatThrownBy(() -> RateLimit.perMinute("a", 1, Long.MAX_VALUE)).hasMessageContaining("tokens");
    }

    @Test
    void functionsShareTheLimitOfTheSameName() throws Exception {
        RateLimit limit = RateLimit.requestsPerMinute("shared by two", 1);
        List<String> called = new ArrayList<>();
        for (String name : List.of("first", "second")) {
            limit.limiting(new ModelCaller() {
                        @Override
                        public StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) {
                            return null;
                        }

                        @Override
                        public CompletableFuture<ChatResult> call(ChatRequest request, OutputSchema<?> schema) {
                            called.add(name);
                            return CompletableFuture.completedFuture(answer(1, 1));
                        }
                    })
                    .call(ASK, null);
        }
        assertThat(called).containsExactly("first");
    }
}
