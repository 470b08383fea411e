package io.github.flinkagentsnative.example;

import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.JdbcJournal;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.flink.ChatFunction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.enumerate.NonSplittingRecursiveEnumerator;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * The job: lines of a file, one chat call for each, one outcome for each. Answers are recorded in a journal, so that a restart never
 * pays for one twice.
 */
final class SupportJob {
    private static final String INSTRUCTION =
            "You sort the messages that reach the support of an online shop. Judge only what the message says.";
    /** Calls in flight for each subtask. */
    private static final int CAPACITY = 8;
    /** What Flink waits beyond the call's own deadline, which says better what was slow. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private SupportJob() {}

    /**
     * Starts the job on a mini cluster in this process.
     *
     * @param outcomes whose folder gets the journal, and part files with one outcome a line
     * @param job the name under which {@link CallCounts} counts
     */
    static JobClient start(Path messages, OutcomeFile outcomes, Backend backend, Arguments arguments, String job)
            throws Exception {
        Duration timeout = arguments.timeout();
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(arguments.parallelism(), configuration());
        env.enableCheckpointing(500);

        FileSource<Line> lines = FileSource.forBulkFileFormat(
                        new LineFormat(), org.apache.flink.core.fs.Path.fromLocalFile(messages.toFile()))
                // Flink's default leaves out files whose names start with a dot or an underscore.
                .setFileEnumerator(() -> new NonSplittingRecursiveEnumerator(path -> true))
                .build();
        DataStream<SupportMessage> records = env.fromSource(lines, WatermarkStrategy.noWatermarks(), "lines")
                .map(SupportMessage::of)
                .keyBy(SupportMessage::id)
                .process(new MarkRepeats());

        DataStream<String> answered = AsyncDataStream.unorderedWait(
                records,
                chat(backend, timeout, outcomes.journal(), job),
                timeout.plus(GRACE).toMillis(),
                TimeUnit.MILLISECONDS,
                CAPACITY);
        if (arguments.killAfter() != null) {
            answered = answered.map(new KillOnce(arguments.killAfter(), outcomes.killed()))
                    .setParallelism(1);
        }

        answered.map(new CountOutcomes())
                .sinkTo(FileSink.forRowFormat(
                                org.apache.flink.core.fs.Path.fromLocalFile(
                                        outcomes.parts().toFile()),
                                new SimpleStringEncoder<String>())
                        .withRollingPolicy(OnCheckpointRollingPolicy.build())
                        .withBucketAssigner(new BasePathBucketAssigner<>())
                        .build())
                .setParallelism(1);
        return env.executeAsync("support messages");
    }

    private static ChatFunction<SupportMessage, Verdict, String> chat(
            Backend backend, Duration timeout, Path journal, String job) {
        SerializableSupplier<ChatModel> model = backend.model();
        Integer maxTokens = backend.maxTokens();
        String file = journal.toString();
        return ChatFunction.of(
                        model,
                        message -> request(message, maxTokens, timeout),
                        () -> OutputSchema.of(Verdict.class),
                        OutcomeLine::of,
                        Types.STRING)
                .withRuns(runs -> runs.listener(CallCounts.of(job)))
                .withJournal(() -> JdbcJournal.inFile(Path.of(file)), SupportJob::runKey);
    }

    /** The same for the same line after a restart, and no other line has it. */
    private static String runKey(SupportMessage message) {
        return message.place() + " " + message.id();
    }

    /** A line that is no message is refused here, and so ends in a FAILED outcome like any other failure. */
    private static ChatRequest request(SupportMessage message, Integer maxTokens, Duration timeout) {
        if (message.problem() != null) {
            throw new IllegalArgumentException(message.place() + ": " + message.problem());
        }
        ChatRequest.Builder request = ChatRequest.builder()
                .message(ChatMessage.system(INSTRUCTION))
                .message(ChatMessage.user(message.text()))
                .timeout(timeout);
        return (maxTokens == null ? request : request.parameter("max_tokens", maxTokens)).build();
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.setString("restart-strategy.type", "fixed-delay");
        configuration.setString("restart-strategy.fixed-delay.attempts", "2");
        configuration.setString("restart-strategy.fixed-delay.delay", "1 s");
        configuration.setString("pipeline.generic-types", "false");
        // Accumulators travel with heartbeats; the progress lines read them.
        configuration.setString("heartbeat.interval", "500 ms");
        configuration.setString("heartbeat.timeout", "60 s");
        return configuration;
    }
}
