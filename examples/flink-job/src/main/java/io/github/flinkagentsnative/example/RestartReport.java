package io.github.flinkagentsnative.example;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a job that was killed once has called, beside what it had to call.
 *
 * @param killed whether it was; with fewer outcomes than {@code --kill-after} it was not
 * @param before outcomes before it was
 * @param messages lines of the input that are messages: each needs an answer
 * @param calls made in all, as the provider counts; where it does not tell, as the job counts
 * @param countedBy who counted
 * @param again messages that were asked more than once; -1 when the provider does not tell
 * @param repeated of these, messages with an outcome before the kill: their answer was recorded
 * @param replayed calls that the journal answered
 */
record RestartReport(
        boolean killed,
        int before,
        long messages,
        long calls,
        String countedBy,
        long again,
        long repeated,
        long replayed) {

    /** What is known of one text: lines that have it, and those of them with an outcome before the kill. */
    private static final class Lines {
        private int all;
        private int answered;
    }

    /**
     * @param asked how often the provider was asked each text, or null when it does not tell
     */
    static RestartReport of(Path messages, Path killed, Map<String, Long> asked, CallCounts counts) throws IOException {
        Set<String> before = Files.exists(killed) ? new HashSet<>(Files.readAllLines(killed)) : Set.of();
        Map<String, Lines> texts = new HashMap<>();
        long count = 0;
        try (InputStream in = Files.newInputStream(messages)) {
            LineReader lines = new LineReader(in, messages.getFileName().toString());
            for (Line line; (line = lines.next()) != null; ) {
                SupportMessage message = SupportMessage.of(line);
                if (message.problem() == null) {
                    count++;
                    Lines known = texts.computeIfAbsent(message.text(), text -> new Lines());
                    known.all++;
                    known.answered += before.contains(message.place()) ? 1 : 0;
                }
            }
        }
        long again = 0;
        long repeated = 0;
        if (asked != null) {
            for (Map.Entry<String, Lines> text : texts.entrySet()) {
                long times = asked.getOrDefault(text.getKey(), 0L);
                Lines lines = text.getValue();
                // A line without an outcome before the kill may have been asked then, and once more after it.
                long most = lines.answered + 2L * (lines.all - lines.answered);
                again += Math.max(0, times - lines.all);
                repeated += Math.max(0, times - most);
            }
        }
        return new RestartReport(
                Files.exists(killed),
                before.size(),
                count,
                asked == null
                        ? counts.calls()
                        : asked.values().stream().mapToLong(Long::longValue).sum(),
                asked == null ? "the job" : "the provider",
                asked == null ? -1 : again,
                repeated,
                counts.replayed());
    }

    void print(PrintStream out) {
        if (!killed) {
            out.printf(Locale.ROOT, "%-16s no: the job ended before so many outcomes%n", "killed");
            return;
        }
        out.printf(
                Locale.ROOT, "%-16s once, after %d outcomes; restarted from the last checkpoint%n", "killed", before);
        out.printf(
                Locale.ROOT,
                "%-16s %d made for %d messages, counted by %s; %d more answered by the journal%n",
                "calls",
                calls,
                messages,
                countedBy,
                replayed);
        if (again >= 0) {
            out.printf(
                    Locale.ROOT,
                    "%-16s %d messages, under way when the job was killed; %d of those with an outcome before%n",
                    "asked again",
                    again,
                    repeated);
        }
    }
}
