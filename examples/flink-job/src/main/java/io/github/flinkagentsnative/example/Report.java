package io.github.flinkagentsnative.example;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the outcome file holds, counted. It is read back from the file, so that the table tells what was written. */
final class Report {
    private static final int MESSAGE_WIDTH = 160;

    private final Map<String, Integer> topics = new TreeMap<>();
    private final Map<String, Integer> urgent = new TreeMap<>();
    private final Map<String, Integer> failures = new TreeMap<>();
    private final Map<String, String> examples = new TreeMap<>();
    private final List<String> repeats = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private final Set<String> repeatedIds = new HashSet<>();
    private final List<Long> latencies = new ArrayList<>();
    private int outcomes;
    private int successes;
    private long promptTokens;
    private long completionTokens;

    static Report of(Path file) throws IOException {
        Report report = new Report();
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line; (line = lines.readLine()) != null; ) {
                report.count(Json.MAPPER.readTree(line));
            }
        }
        report.latencies.sort(null);
        return report;
    }

    int outcomes() {
        return outcomes;
    }

    /** Whether each of so many records has exactly one outcome. */
    boolean complete(long records) {
        return outcomes == records && repeatedIds.isEmpty();
    }

    private void count(JsonNode line) {
        outcomes++;
        String id = line.path("id").asText();
        if (!ids.add(id)) {
            repeatedIds.add(id);
        }
        if (line.has("duplicate_of")) {
            repeats.add(line.path("duplicate_of").asText() + " again at "
                    + line.path("place").asText());
        }
        JsonNode usage = line.path("usage");
        promptTokens += usage.path("prompt_tokens").asLong();
        completionTokens += usage.path("completion_tokens").asLong();
        if (line.path("status").asText().equals("SUCCESS")) {
            successes++;
            String topic = line.path("value").path("topic").asText();
            topics.merge(topic, 1, Integer::sum);
            urgent.merge(topic, line.path("value").path("urgency").asText().equals("HIGH") ? 1 : 0, Integer::sum);
        } else {
            String kind = line.path("kind").asText();
            failures.merge(kind, 1, Integer::sum);
            examples.putIfAbsent(kind, line.path("error").asText());
        }
        if (!line.path("kind").asText().equals("invalid_argument")) {
            latencies.add(line.path("elapsed_ms").asLong()); // a line that is no message made no call
        }
    }

    void print(PrintStream out, long records, Duration took, Path file) {
        out.printf(
                Locale.ROOT,
                "%n%d records, %d outcomes in %.1f s: %d SUCCESS, %d FAILED%n",
                records,
                outcomes,
                took.toMillis() / 1000.0,
                successes,
                outcomes - successes);
        if (!topics.isEmpty()) {
            out.printf(Locale.ROOT, "%n%-16s %6s %8s%n", "topic", "count", "urgent");
            topics.forEach(
                    (topic, count) -> out.printf(Locale.ROOT, "%-16s %6d %8d%n", topic, count, urgent.get(topic)));
        }
        if (!failures.isEmpty()) {
            out.printf(Locale.ROOT, "%n%-16s %6s   %s%n", "failure", "count", "for example");
            failures.forEach((kind, count) ->
                    out.printf(Locale.ROOT, "%-16s %6d   %s%n", kind, count, oneLine(examples.get(kind))));
        }
        out.printf(Locale.ROOT, "%n%-16s %d prompt, %d completion%n", "tokens", promptTokens, completionTokens);
        out.printf(Locale.ROOT, "%-16s p50 %d ms, p95 %d ms%n", "latency", percentile(50), percentile(95));
        if (!repeats.isEmpty()) {
            out.printf(
                    Locale.ROOT,
                    "%-16s %d (%s)%n",
                    "repeated ids",
                    repeats.size(),
                    oneLine(String.join(", ", repeats)));
        }
        out.printf(Locale.ROOT, "%-16s %s%n", "outcomes", file);
    }

    /** The nearest-rank percentile, in milliseconds. */
    long percentile(int percent) {
        if (latencies.isEmpty()) {
            return 0;
        }
        int rank = (int) Math.ceil(latencies.size() * percent / 100.0);
        return latencies.get(Math.max(rank, 1) - 1);
    }

    private static String oneLine(String text) {
        String line = text.replaceFirst("^[\\w.$]+Exception: ", "").replaceAll("\\p{Cntrl}+", " ");
        return line.codePointCount(0, line.length()) <= MESSAGE_WIDTH
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MESSAGE_WIDTH - 1)) + "…";
    }
}
