package io.github.flinkagentsnative.example;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One run of the program in this process: its exit code, what it printed, what it wrote. */
record JobRun(int code, String out, String err, List<JsonNode> outcomes) {

    static JobRun of(Path outcomeFile, Map<String, String> environment, String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--out", outcomeFile.toString()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(all, environment, print(out), print(err));
        return new JobRun(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), read(outcomeFile));
    }

    static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    static List<JsonNode> read(Path outcomeFile) throws IOException {
        List<JsonNode> outcomes = new ArrayList<>();
        if (Files.exists(outcomeFile)) {
            for (String line : Files.readAllLines(outcomeFile)) {
                outcomes.add(Json.MAPPER.readTree(line));
            }
        }
        return outcomes;
    }

    Map<String, JsonNode> byId() {
        Map<String, JsonNode> byId = new LinkedHashMap<>();
        outcomes.forEach(outcome -> byId.put(outcome.path("id").asText(), outcome));
        return byId;
    }

    /** Outcome counts by status or kind: {@code SUCCESS}, or the kind of a failure. */
    Map<String, Integer> counts() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (JsonNode outcome : outcomes) {
            boolean success = outcome.path("status").asText().equals("SUCCESS");
            counts.merge(success ? "SUCCESS" : outcome.path("kind").asText(), 1, Integer::sum);
        }
        return counts;
    }
}
