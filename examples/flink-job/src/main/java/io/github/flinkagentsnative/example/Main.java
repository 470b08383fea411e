package io.github.flinkagentsnative.example;

import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.OutputSchema;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

/** Sorts support messages with a chat model, on Flink's mini cluster: see {@link Arguments#USAGE}. */
public final class Main {
    /** Every record has its outcome, be it SUCCESS or FAILED. */
    static final int OK = 0;
    /** The job broke, or a record is without its outcome. */
    static final int BROKEN = 1;
    /** The command line, a file or a setting is wrong; nothing was done. */
    static final int WRONG_INPUT = 2;
    /** The provider cannot be had on this host. */
    static final int UNAVAILABLE = 3;

    private static final String BUNDLED = "messages.jsonl";

    private Main() {}

    public static void main(String[] args) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        int code = run(List.of(args), System.getenv(), out, err);
        out.flush();
        System.exit(code);
    }

    /** The whole program but for the exit; one line on {@code err} says why when the result is not {@link #OK}. */
    static int run(List<String> args, Map<String, String> environment, PrintStream out, PrintStream err) {
        if (args.contains("--help") || args.contains("-h")) {
            out.println(Arguments.USAGE);
            return OK;
        }
        try {
            return run(Arguments.parse(args, environment, defaultOut()), environment, out);
        } catch (Backend.Unavailable e) {
            err.println("skipped: " + e.getMessage());
            return UNAVAILABLE;
        } catch (IllegalArgumentException e) {
            err.println("error: " + e.getMessage());
            return WRONG_INPUT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("error: interrupted");
            return BROKEN;
        } catch (Exception e) {
            err.println("error: the job broke: " + rootCause(e));
            return BROKEN;
        }
    }

    private static int run(Arguments arguments, Map<String, String> environment, PrintStream out) throws Exception {
        Path folder = Files.createTempDirectory("support-messages-");
        try {
            Path messages = arguments.file() == null ? bundled(folder) : checked(arguments.file());
            try (Backend backend = Backend.open(arguments.provider(), environment)) {
                return run(messages, arguments, backend, out);
            }
        } finally {
            Files.deleteIfExists(folder.resolve(BUNDLED));
            Files.deleteIfExists(folder);
        }
    }

    /** Runs the job against a provider that is there already. */
    static int run(Path messages, Arguments arguments, Backend backend, PrintStream out) throws Exception {
        long records = countLines(messages);
        out.println(messages.getFileName() + ": " + records + " records");
        out.println("provider: " + backend.name());
        out.println("schema:   " + decision(backend));
        out.println("starting Flink's mini cluster ...");
        try (OutcomeFile outcomes = prepared(arguments.out(), messages)) {
            AtomicReference<JobClient> job = new AtomicReference<>();
            Thread rescue = new Thread(() -> rescue(outcomes, job.get()), "rescue-outcomes");
            Runtime.getRuntime().addShutdownHook(rescue);
            try {
                return run(messages, records, arguments, backend, outcomes, job, out);
            } finally {
                forget(rescue);
            }
        }
    }

    private static int run(
            Path messages,
            long records,
            Arguments arguments,
            Backend backend,
            OutcomeFile outcomes,
            AtomicReference<JobClient> started,
            PrintStream out)
            throws Exception {
        String name = outcomes.parts().toString();
        CallCounts counts = CallCounts.of(name);
        JobClient job = SupportJob.start(messages, outcomes, backend, arguments, name);
        started.set(job);
        long start = System.nanoTime();
        try {
            await(job, records, out);
        } finally {
            CallCounts.forget(name);
        }
        outcomes.join();
        Report report = Report.of(outcomes.target());
        report.print(out, records, Duration.ofNanos(System.nanoTime() - start), outcomes.target());
        if (!report.complete(records)) {
            throw new IllegalStateException(records + " records, but " + report.outcomes() + " outcomes");
        }
        if (arguments.killAfter() != null) {
            RestartReport restart = RestartReport.of(messages, outcomes.killed(), backend.asked(), counts);
            restart.print(out);
            if (restart.repeated() > 0) {
                throw new IllegalStateException(restart.repeated() + " recorded calls were made again");
            }
        }
        return OK;
    }

    /** Runs when the process is told to end in the middle of the job. */
    private static void rescue(OutcomeFile outcomes, JobClient job) {
        try {
            Path rescued = outcomes.rescue();
            if (job != null) {
                cancel(job);
            }
            outcomes.close();
            if (rescued != null) {
                System.err.println("interrupted: the outcomes so far are in " + rescued);
            }
        } catch (IOException e) {
            System.err.println("interrupted: the outcomes so far could not be saved: " + e);
        }
    }

    /** Closes the journal, which would write its lock again. */
    private static void cancel(JobClient job) {
        try {
            job.cancel().get(5, TimeUnit.SECONDS);
            job.getJobExecutionResult().get(5, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException cancelled) {
            // A cancelled job has no result; one that does not end in time leaves a file behind.
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook does the work.
        }
    }

    /** Builds the model here, too, so that a wrong setting is told at once and not by a task manager. */
    private static String decision(Backend backend) {
        ChatModel model = backend.model().get();
        return model.decide(ChatRequest.of(ChatMessage.user("x")), OutputSchema.of(Verdict.class))
                .explain();
    }

    private static void await(JobClient job, long records, PrintStream out) throws Exception {
        CompletableFuture<JobExecutionResult> result = job.getJobExecutionResult();
        long start = System.nanoTime();
        long shown = 0;
        while (true) {
            try {
                result.get(500, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException running) {
                long outcomes = outcomesSoFar(job);
                if (outcomes > shown) {
                    shown = outcomes;
                    out.printf(
                            Locale.ROOT,
                            "%5.1f s  %d of %d outcomes%n",
                            (System.nanoTime() - start) / 1e9,
                            outcomes,
                            records);
                }
            }
        }
    }

    private static long outcomesSoFar(JobClient job) throws InterruptedException {
        try {
            return job.getAccumulators().get(5, TimeUnit.SECONDS).get(CountOutcomes.OUTCOMES) instanceof Long count
                    ? count
                    : 0;
        } catch (ExecutionException | TimeoutException | IllegalStateException notNow) {
            return 0; // the job is starting or has just ended; only a progress line is missed
        }
    }

    private static long countLines(Path messages) throws IOException {
        try (InputStream in = Files.newInputStream(messages)) {
            LineReader lines = new LineReader(in, "");
            long count = 0;
            while (lines.next() != null) {
                count++;
            }
            return count;
        }
    }

    /** The file as given, once it is certain that it can be read. */
    private static Path checked(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("no such file: " + file);
        }
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("not a file: " + file);
        }
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            in.read();
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
        }
        return file.toAbsolutePath();
    }

    private static OutcomeFile prepared(Path out, Path messages) {
        try {
            OutcomeFile outcomes = OutcomeFile.prepare(out);
            if (Files.exists(outcomes.target()) && Files.isSameFile(outcomes.target(), messages)) {
                outcomes.close();
                throw new IllegalArgumentException(
                        "the outcomes would overwrite the messages: give --out another file than " + out);
            }
            return outcomes;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "cannot write " + out + " (" + e.getClass().getSimpleName() + ")", e);
        }
    }

    private static Path bundled(Path folder) throws IOException {
        Path file = folder.resolve(BUNDLED);
        try (InputStream in = Main.class.getResourceAsStream("/" + BUNDLED)) {
            Files.copy(in, file);
        }
        return file;
    }

    private static Path defaultOut() {
        String home = System.getProperty("example.home");
        return home == null ? Path.of("outcomes.jsonl") : Path.of(home, "target", "outcomes.jsonl");
    }

    private static String rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause.toString();
    }
}
