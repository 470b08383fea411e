package io.github.flinkagentsnative.example;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The job against llama.cpp with a random-weight model. Where Python or the wheels cannot be had it is skipped in plain words, unless
 * {@code TOOLS_REQUIRED=true} is set in the environment.
 */
@Timeout(900)
class LlamaTest {
    /** What a random answer may fail for: it was cut, or a value is not what the record can hold. */
    private static final Set<String> EXPECTED = Set.of("SUCCESS", "truncated", "invalid_output", "invalid_argument");

    @TempDir
    Path folder;

    @Test
    void everyOutcomeIsATypedSuccessOrANamedFailure() throws Exception {
        JobRun run = JobRun.of(folder.resolve("out.jsonl"), System.getenv(), "--provider", "llama", "--timeout", "300");
        boolean required = Boolean.parseBoolean(System.getenv("TOOLS_REQUIRED"));
        Assumptions.assumeTrue(required || run.code() != Main.UNAVAILABLE, run.err());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.byId()).hasSize(run.outcomes().size());
        assertThat(EXPECTED).containsAll(run.counts().keySet());
        assertThat(run.counts()).containsKey("SUCCESS");
        for (JsonNode outcome : run.outcomes()) {
            if (outcome.path("kind").asText().equals("invalid_output")) {
                // The grammar makes well-formed JSON: a complete answer fails for a value, at its place, or not at all.
                assertThat(outcome.at("/details/pointer").asText())
                        .as(outcome.path("error").asText())
                        .startsWith("/");
            }
        }
    }

    @Test
    void withoutPythonItIsSkippedInPlainWords() throws Exception {
        for (String tool : List.of("bash", "dirname", "mkdir")) {
            Path script =
                    Files.writeString(folder.resolve(tool), "#!" + find("bash") + "\nexec " + find(tool) + " \"$@\"\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        }
        JobRun run = JobRun.of(
                folder.resolve("out.jsonl"),
                Map.of("PATH", folder.toString(), "HOME", folder.toString()),
                "--provider",
                "llama");
        assertThat(run.code()).isEqualTo(Main.UNAVAILABLE);
        assertThat(run.err())
                .startsWith("skipped: ")
                .contains("python3 is not installed")
                .hasLineCount(1);
    }

    private static Path find(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(directory -> Path.of(directory, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }
}
