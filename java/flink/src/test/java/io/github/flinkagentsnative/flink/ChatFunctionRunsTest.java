package io.github.flinkagentsnative.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.ChatExecutor;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.Finalization;
import io.github.flinkagentsnative.Journal;
import io.github.flinkagentsnative.JournalException;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.Provider;
import io.github.flinkagentsnative.RetryOn;
import io.github.flinkagentsnative.testkit.LocalChatServer;
import io.github.flinkagentsnative.testkit.Reply;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.async.AsyncRetryStrategy;
import org.apache.flink.streaming.util.retryable.AsyncRetryStrategies;
import org.apache.flink.streaming.util.retryable.RetryPredicates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Retries, time-outs, journal, metrics and limits of the function in jobs on the mini cluster, against the local server. */
@Timeout(120)
class ChatFunctionRunsTest {
    /** An element that holds the input open for a while. */
    private static final String PAUSE = "pause";

    record Count(long count) {}

    private final LocalChatServer server = LocalChatServer.start();
    private final String journal = UUID.randomUUID().toString();

    @AfterEach
    void close() {
        server.close();
    }

    private ChatFunction<String, Count, String> function() {
        String url = server.baseUrl();
        String key = server.apiKey();
        return ChatFunction.of(
                () -> ChatModel.builder(Provider.OPENAI)
                        .apiBaseUrl(url)
                        .apiKey(key)
                        .model("gpt-4o-mini")
                        .build(),
                text -> ChatRequest.of(ChatMessage.user(text)),
                () -> OutputSchema.of(Count.class),
                (text, outcome) -> text + " -> "
                        + (outcome.isSuccess() ? outcome.value().count() : outcome.kind()) + " after "
                        + outcome.retryCount(),
                Types.STRING);
    }

    private ChatFunction<String, Count, String> withJournal(ChatFunction<String, Count, String> function) {
        String name = journal;
        return function.withJournal(() -> new SharedJournal(name), text -> text);
    }

    private SharedJournal.Seen journalSeen() {
        return new SharedJournal(journal).seen();
    }

    private static StreamExecutionEnvironment environment(Map<String, String> settings) {
        return StreamExecutionEnvironment.createLocalEnvironment(2, Configuration.fromMap(settings));
    }

    /** The texts; a pause holds the input open in a task of its own. */
    private static DataStream<String> input(StreamExecutionEnvironment env, List<String> texts) {
        return env.fromData(texts)
                .map(text -> {
                    if (text.equals(PAUSE)) {
                        Thread.sleep(2_000);
                    }
                    return text;
                })
                .setParallelism(1)
                .rebalance()
                .filter(text -> !text.equals(PAUSE))
                .rebalance();
    }

    private static List<String> run(List<String> texts, ChatFunction<String, Count, String> function, Duration timeout)
            throws Exception {
        StreamExecutionEnvironment env = environment(Map.of());
        return AsyncDataStream.unorderedWait(input(env, texts), function, timeout.toMillis(), TimeUnit.MILLISECONDS, 4)
                .executeAndCollect(100);
    }

    private static List<String> items(int count) {
        return IntStream.range(0, count).mapToObj(i -> "item " + i).toList();
    }

    private Map<String, Long> asked() {
        return server.requests().stream()
                .collect(Collectors.groupingBy(request -> request.lastUserText(), Collectors.counting()));
    }

    @Test
    void aRetriedElementHasOneRecordWithItsRetries() throws Exception {
        server.enqueue(Reply.serverError(), Reply.serverError());
        List<String> found = run(
                List.of("item 7"),
                function()
                        .withRuns(runs ->
                                runs.maxRetries(3).retryOn(RetryOn.RETRYABLE).retryWaitInterval(Duration.ofMillis(10))),
                Duration.ofSeconds(30));
        assertThat(found).containsExactly("item 7 -> 7 after 2");
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void oneCallIsTheDefaultAndFinalizationAsUpstreamMakesItASetting() throws Exception {
        assertThat(run(List.of("item 1"), function(), Duration.ofSeconds(30))).hasSize(1);
        assertThat(server.requests()).hasSize(1);
        server.reset();
        assertThat(run(
                        List.of("item 1"),
                        function().withRuns(runs -> runs.finalization(Finalization.ALWAYS)),
                        Duration.ofSeconds(30)))
                .hasSize(1);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void flinksTimeoutDuringARetryWaitIsOneTimeoutOutcomeAndNoFurtherCall() throws Exception {
        server.respondWith(request -> Reply.serverError());
        long start = System.nanoTime();
        List<String> found = run(
                List.of("item 1"),
                function().withRuns(runs -> runs.maxRetries(5).retryWaitInterval(Duration.ofSeconds(3))),
                Duration.ofMillis(1_500));
        assertThat(found).containsExactly("item 1 -> TIMEOUT after 0");
        Thread.sleep(Math.max(0, 3_500 - (System.nanoTime() - start) / 1_000_000)); // the retry would be due by now
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void noMoreThanTheCapacityIsInFlight() throws Exception {
        server.respondWith(request -> Reply.text("{\"count\":1}").after(Duration.ofMillis(60)));
        assertThat(run(items(60), function(), Duration.ofSeconds(30))).hasSize(60);
        assertThat(server.maxInFlight()).isBetween(3, 8); // two subtasks of 4
    }

    private static List<String> runWithFlinksRetry(
            ChatFunction<String, Count, String> function, long delay, Duration timeout) throws Exception {
        AsyncRetryStrategy<String> strategy = new AsyncRetryStrategies.FixedDelayRetryStrategyBuilder<String>(3, delay)
                .ifResult((Predicate<Collection<String>> & Serializable)
                        results -> results.stream().anyMatch(line -> line.contains("PROVIDER_ERROR")))
                .ifException(RetryPredicates.HAS_EXCEPTION_PREDICATE)
                .build();
        StreamExecutionEnvironment env = environment(Map.of());
        return AsyncDataStream.unorderedWaitWithRetry(
                        input(env, List.of("item 1", PAUSE)),
                        function,
                        timeout.toMillis(),
                        TimeUnit.MILLISECONDS,
                        4,
                        strategy)
                .executeAndCollect(100);
    }

    @Test
    void flinksRetryStrategyIsAWholeNewRunThatIsPaidForAgain() throws Exception {
        server.enqueue(Reply.serverError(), Reply.serverError());
        assertThat(runWithFlinksRetry(function(), 10, Duration.ofSeconds(30))).containsExactly("item 1 -> 1 after 0");
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void withAJournalFlinksRetryStrategyGetsTheSameOutcomeWithoutACall() throws Exception {
        server.enqueue(Reply.serverError(), Reply.serverError());
        assertThat(runWithFlinksRetry(withJournal(function()), 10, Duration.ofSeconds(30)))
                .containsExactly("item 1 -> PROVIDER_ERROR after 0");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void flinksTimeoutDuringItsOwnRetryWaitIsOneTimeoutOutcome() throws Exception {
        server.respondWith(request -> Reply.serverError());
        assertThat(runWithFlinksRetry(function(), 60_000, Duration.ofMillis(1_000)))
                .containsExactly("item 1 -> TIMEOUT after 0");
        assertThat(server.requests()).hasSize(1);
    }

    /** Fails the job once, and keeps what came before. */
    private static final class FailOnce extends RichMapFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private static final Map<String, Set<String>> BEFORE = new ConcurrentHashMap<>();

        private final String name;
        private final int after;

        FailOnce(String name, int after) {
            this.name = name;
            this.after = after;
        }

        @Override
        public void open(OpenContext context) {
            BEFORE.putIfAbsent(name, ConcurrentHashMap.newKeySet());
        }

        @Override
        public String map(String outcome) {
            if (getRuntimeContext().getTaskInfo().getAttemptNumber() == 0) {
                if (BEFORE.get(name).size() == after) {
                    throw new IllegalStateException("once");
                }
                BEFORE.get(name).add(outcome);
            }
            return outcome;
        }
    }

    @Test
    void afterARestartWhatWasRecordedIsNotCalledAgain() throws Exception {
        server.respondWith(
                request -> Reply.text("{\"count\":" + request.lastUserText().substring(5) + "}")
                        .after(Duration.ofMillis(50)));
        StreamExecutionEnvironment env = environment(Map.of(
                "restart-strategy.type", "fixed-delay",
                "restart-strategy.fixed-delay.attempts", "1",
                "restart-strategy.fixed-delay.delay", "10 ms"));
        env.enableCheckpointing(100);
        List<String> found = AsyncDataStream.orderedWait(
                        input(env, items(40)), withJournal(function()), 30, TimeUnit.SECONDS, 4)
                .map(new FailOnce(journal, 15))
                .setParallelism(1)
                .executeAndCollect(100);
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 40)
                        .mapToObj(i -> "item " + i + " -> " + i + " after 0")
                        .toList());
        Map<String, Long> asked = asked();
        assertThat(FailOnce.BEFORE.get(journal))
                .hasSize(15)
                .allSatisfy(outcome -> assertThat(asked.get(outcome.substring(0, outcome.indexOf(" ->"))))
                        .isEqualTo(1));
        assertThat(asked.values().stream().mapToLong(Long::longValue).sum()).isBetween(40L, 48L); // 8 were in flight
        assertThat(journalSeen().threads())
                .filteredOn(name -> !name.equals(Thread.currentThread().getName()))
                .allMatch(name -> name.startsWith("flink-agents-native-"));
    }

    @Test
    void recordsGoAfterACheckpointAndOldOnesWhenTheFunctionIsOpened() throws Exception {
        StreamExecutionEnvironment env = environment(Map.of());
        env.enableCheckpointing(100);
        ChatFunction<String, Count, String> function =
                withJournal(function()).withRetention(Duration.ZERO, Duration.ofDays(2));
        assertThat(AsyncDataStream.unorderedWait(
                                input(env, List.of("item 1", "item 2", PAUSE)), function, 30, TimeUnit.SECONDS, 4)
                        .executeAndCollect(100))
                .hasSize(2);
        Set<UUID> runs = new HashSet<>(Set.of(ChatExecutor.runId("item 1"), ChatExecutor.runId("item 2")));
        assertThat(journalSeen().written()).isEqualTo(runs);
        assertThat(journalSeen().forgotten()).isEqualTo(runs);
        assertThat(journalSeen().records().read(ChatExecutor.runId("item 1"))).isEmpty();
        assertThat(journalSeen().purged())
                .hasSize(1)
                .allSatisfy(before -> assertThat(before)
                        .isBetween(
                                Instant.now().minus(Duration.ofDays(2)).minusSeconds(60),
                                Instant.now().minus(Duration.ofDays(2))));
    }

    @Test
    void recordsStayWithinTheRetentionTime() throws Exception {
        StreamExecutionEnvironment env = environment(Map.of());
        env.enableCheckpointing(100);
        AsyncDataStream.unorderedWait(
                        input(env, List.of("item 1", PAUSE)), withJournal(function()), 30, TimeUnit.SECONDS, 4)
                .executeAndCollect(100);
        assertThat(journalSeen().forgotten()).isEmpty();
        assertThat(journalSeen().records().read(ChatExecutor.runId("item 1"))).isNotEmpty();
    }

    @Test
    void aRunKeyThatIsMissingRefusedOrInUseIsTheElementsFailedOutcome() throws Exception {
        String name = journal;
        server.respondWith(request -> Reply.text("{\"count\":1}").after(Duration.ofMillis(500)));
        ChatFunction<String, Count, String> function = function()
                .withJournal(() -> new SharedJournal(name), text -> switch (text) {
                    case "null" -> null;
                    case "empty" -> "";
                    case "refused" -> throw new IllegalArgumentException("no key");
                    default -> text;
                });
        StreamExecutionEnvironment env = environment(Map.of());
        env.setParallelism(1);
        List<String> found = AsyncDataStream.unorderedWait(
                        input(env, List.of("null", "empty", "refused", "same", "same")),
                        function,
                        30,
                        TimeUnit.SECONDS,
                        4)
                .executeAndCollect(100);
        assertThat(found)
                .hasSize(5)
                .contains(
                        "null -> INVALID_ARGUMENT after 0",
                        "empty -> INVALID_ARGUMENT after 0",
                        "refused -> INVALID_ARGUMENT after 0",
                        "same -> INVALID_ARGUMENT after 0")
                .contains("same -> 1 after 0");
    }

    @Test
    void aJournalThatFailsFailsTheJobAndMakesNoCall() {
        ChatFunction<String, Count, String> function = function()
                .withJournal(
                        () -> (Journal) Proxy.newProxyInstance(
                                Journal.class.getClassLoader(),
                                new Class<?>[] {Journal.class},
                                (self, method, args) -> {
                                    if (method.getName().equals("read")) {
                                        throw new JournalException("no database");
                                    }
                                    return method.getReturnType() == int.class ? 0 : null;
                                }),
                        text -> text);
        assertThatThrownBy(() -> run(List.of("item 1"), function, Duration.ofSeconds(30)))
                .hasStackTraceContaining("no database");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void theMetricsCountWhatHappened() throws Exception {
        MetricsSeen.clear();
        server.enqueue(Reply.serverError());
        server.when(request -> request.body().contains("bad"), Reply.text("{\"count\":\"many\"}"));
        server.respondWith(request -> Reply.text("{\"count\":1}"));
        StreamExecutionEnvironment env = environment(Map.of(
                "metrics.reporters",
                "seen",
                "metrics.reporter.seen.factory.class",
                MetricsSeen.Factory.class.getName()));
        env.setParallelism(1);
        ChatFunction<String, Count, String> function = withJournal(function())
                .withRuns(runs -> runs.maxRetries(1)
                        .retryOn(RetryOn.RETRYABLE)
                        .retryWaitInterval(Duration.ofMillis(1_500))
                        .finalization(Finalization.ALWAYS));
        // One after the other: the first has the error.
        List<String> found = AsyncDataStream.orderedWait(
                        input(env, List.of("item 1", "item 1", "bad")), function, 30, TimeUnit.SECONDS, 1)
                .executeAndCollect(100);
        assertThat(found)
                .containsExactly("item 1 -> 1 after 1", "item 1 -> 1 after 1", "bad -> INVALID_OUTPUT after 0");
        Map<String, Long> values = MetricsSeen.values();
        assertThat(values)
                .containsEntry("calls", 5L)
                .containsEntry("finalCalls", 2L)
                .containsEntry("reaskCalls", 0L)
                .containsEntry("replayed", 4L) // decide, failed chat, chat, chat:final
                .containsEntry("callsInFlight", 0L)
                .containsEntry("callLatencyMs", 5L)
                .containsEntry("status.SUCCESS.outcomes", 2L)
                .containsEntry("status.FAILED.outcomes", 1L)
                .containsEntry("kind.invalid_output.failures", 1L)
                .containsEntry("model.openai.retryCount", 2L)
                .containsEntry("model.openai.retryWaitSec", 4L);
        assertThat(values.entrySet())
                .filteredOn(entry -> entry.getKey().matches("model\\.gpt-4o-mini.*\\.(prompt|completion)Tokens"))
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry.getValue()).isPositive());
    }

    @Test
    void theRateLimitIsSharedByTheSubtasksAndCountsWithinFlinksTimeout() throws Exception {
        ChatFunction<String, Count, String> function = function()
                .withRateLimit(RateLimit.requestsPerMinute(UUID.randomUUID().toString(), 20)); // two at once
        List<String> found = run(items(4), function, Duration.ofMillis(1_500));
        assertThat(found.stream().filter(line -> line.contains("TIMEOUT"))).hasSize(2);
        assertThat(found).hasSize(4);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void theRateLimitDelaysCallsThatItDoesNotRefuse() throws Exception {
        ChatFunction<String, Count, String> function = function()
                .withRateLimit(RateLimit.requestsPerMinute(UUID.randomUUID().toString(), 60)); // six at once
        long start = System.nanoTime();
        List<String> found = run(items(8), function, Duration.ofSeconds(30));
        assertThat(found).hasSize(8).noneMatch(line -> line.contains("TIMEOUT"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1_900));
    }

    @Test
    void listenersAndTheDeadlineOfTheRunAreTheUsers() throws Exception {
        String name = journal;
        server.respondWith(request -> Reply.text("{}").after(Duration.ofSeconds(30)));
        List<String> found = run(
                List.of("item 1"),
                function()
                        .withRuns(runs -> runs.deadline(Duration.ofMillis(300)).listener(new CountEnds(name))),
                Duration.ofSeconds(30));
        assertThat(found).containsExactly("item 1 -> TIMEOUT after 0");
        assertThat(CountEnds.ENDS.get(name)).hasValue(1);
    }

    private record CountEnds(String name) implements io.github.flinkagentsnative.ChatRunListener {
        private static final Map<String, AtomicInteger> ENDS = new ConcurrentHashMap<>();

        @Override
        public void runEnded(io.github.flinkagentsnative.ChatOutcome<?> outcome) {
            ENDS.computeIfAbsent(name, key -> new AtomicInteger()).incrementAndGet();
        }
    }
}
