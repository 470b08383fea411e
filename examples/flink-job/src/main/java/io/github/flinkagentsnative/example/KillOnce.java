package io.github.flinkagentsnative.example;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * Fails the job once, after so many outcomes, and writes down whose they were. Parallelism 1.
 */
final class KillOnce extends RichMapFunction<String, String> {
    private static final long serialVersionUID = 1L;

    /** What is thrown. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Killed(int after) {
            super("killed after " + after + " outcomes, as --kill-after says", null, false, false);
        }
    }

    private final int after;
    private final String file;
    private final List<String> places = new ArrayList<>();

    KillOnce(int after, Path file) {
        this.after = after;
        this.file = file.toString();
    }

    @Override
    public String map(String outcome) throws IOException {
        if (getRuntimeContext().getTaskInfo().getAttemptNumber() > 0) {
            return outcome;
        }
        if (places.size() == after) {
            Files.write(Path.of(file), places);
            throw new Killed(after);
        }
        places.add(place(outcome));
        return outcome;
    }

    private static String place(String outcome) throws JsonProcessingException {
        return Json.MAPPER.readTree(outcome).path("place").asText();
    }
}
