package io.github.flinkagentsnative.flink;

import io.github.flinkagentsnative.ChatOutcome;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ChatResult;
import io.github.flinkagentsnative.ChatRunListener;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.ModelCaller;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.StructuredOutputDecision;
import io.github.flinkagentsnative.TokenUsage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.HistogramStatistics;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/** The function's metrics; {@code docs/flink.md} has the table of names. Safe for threads. */
final class ChatMetrics implements ChatRunListener {
    /** Models by the names that providers report; more than that are counted as {@value #OTHER}. */
    private static final int MAX_MODELS = 50;

    private static final String OTHER = "other";
    private static final int LATENCIES = 1_000;

    private final MetricGroup group;
    private final Counter calls;
    private final Counter finalCalls;
    private final Counter reaskCalls;
    private final Counter replayed;
    private final Counter retryCount;
    private final Counter retryWaitSec;
    private final Histogram latency;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Map<ChatOutcome.Status, Counter> outcomes = new ConcurrentHashMap<>();
    private final Map<ErrorKind, Counter> failures = new ConcurrentHashMap<>();
    private final Map<String, Tokens> models = new ConcurrentHashMap<>();

    private record Tokens(Counter prompt, Counter completion) {}

    /**
     * @param operator the operator's group
     * @param connection what retries are counted under, the provider's name
     */
    ChatMetrics(MetricGroup operator, String connection) {
        group = operator.addGroup("chat");
        calls = counter(group, "calls");
        finalCalls = counter(group, "finalCalls");
        reaskCalls = counter(group, "reaskCalls");
        replayed = counter(group, "replayed");
        MetricGroup retries = group.addGroup("model", connection);
        retryCount = counter(retries, "retryCount");
        retryWaitSec = counter(retries, "retryWaitSec");
        latency = group.histogram("callLatencyMs", new SharedHistogram());
        group.gauge("callsInFlight", (Gauge<Integer>) inFlight::get);
        for (ChatOutcome.Status status : ChatOutcome.Status.values()) {
            outcomes.put(status, counter(group.addGroup("status", status.name()), "outcomes"));
        }
    }

    private static Counter counter(MetricGroup group, String name) {
        return group.counter(name, new ThreadSafeSimpleCounter());
    }

    /** Counts calls that are really sent: behind a rate limit, and also those that are cancelled. */
    ModelCaller counting(ModelCaller inner) {
        return new ModelCaller() {
            @Override
            public StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) throws Exception {
                return inner.decide(request, schema);
            }

            @Override
            public CompletableFuture<ChatResult> call(ChatRequest request, OutputSchema<?> schema) throws Exception {
                long start = System.nanoTime();
                CompletableFuture<ChatResult> answer = inner.call(request, schema);
                calls.inc();
                inFlight.incrementAndGet();
                answer.whenComplete((result, failure) -> {
                    inFlight.decrementAndGet();
                    latency.update((System.nanoTime() - start) / 1_000_000);
                });
                return answer;
            }

            @Override
            public String toString() {
                return inner.toString();
            }
        };
    }

    @Override
    public void callStarted(String model, Purpose purpose) {
        if (purpose == Purpose.FINAL) {
            finalCalls.inc();
        } else if (purpose == Purpose.REASK) {
            reaskCalls.inc();
        }
    }

    @Override
    public void callEnded(String model, Purpose purpose, Duration elapsed, ChatResult result, ErrorKind kind) {
        TokenUsage usage = result == null ? null : result.usage();
        if (usage != null) {
            Tokens tokens = tokens(result.model() == null ? OTHER : result.model());
            tokens.prompt.inc(usage.promptTokens() == null ? 0 : usage.promptTokens());
            tokens.completion.inc(usage.completionTokens() == null ? 0 : usage.completionTokens());
        }
    }

    private Tokens tokens(String model) {
        String name = models.size() < MAX_MODELS || models.containsKey(model) ? model : OTHER;
        return models.computeIfAbsent(name, reported -> {
            MetricGroup counted = group.addGroup("model", reported);
            return new Tokens(counter(counted, "promptTokens"), counter(counted, "completionTokens"));
        });
    }

    @Override
    public void callReplayed(String key) {
        replayed.inc();
    }

    /** An outcome is given to Flink, whether it comes from a run or takes the place of one. */
    void outcome(ChatOutcome<?> outcome) {
        outcomes.get(outcome.status()).inc();
        if (outcome.kind() != null) {
            failures.computeIfAbsent(
                            outcome.kind(), kind -> counter(group.addGroup("kind", kind.wireName()), "failures"))
                    .inc();
        }
        retryCount.inc(outcome.retryCount());
        retryWaitSec.inc(outcome.totalRetryWaitSec());
    }

    /** Flink's histogram, for the threads that end calls and those that report. */
    private static final class SharedHistogram extends DescriptiveStatisticsHistogram {
        private static final long serialVersionUID = 1L;

        SharedHistogram() {
            super(LATENCIES);
        }

        @Override
        public synchronized void update(long value) {
            super.update(value);
        }

        @Override
        public synchronized HistogramStatistics getStatistics() {
            return super.getStatistics();
        }
    }
}
