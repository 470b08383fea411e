package io.github.flinkagentsnative.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong from the start is told in one line, and nothing runs. */
class BadInputTest {
    @TempDir
    Path folder;

    private void isRefused(String reason, Map<String, String> environment, String... args) throws IOException {
        JobRun run = JobRun.of(folder.resolve("out.jsonl"), environment, args);
        assertThat(run.code()).isEqualTo(Main.WRONG_INPUT);
        assertThat(run.err()).startsWith("error: ").contains(reason).hasLineCount(1);
        assertThat(run.outcomes()).isEmpty();
    }

    @Test
    void aMissingFileOrAFolder() throws IOException {
        isRefused(
                "no such file: " + folder.resolve("absent.jsonl"),
                Map.of(),
                folder.resolve("absent.jsonl").toString());
        isRefused("not a file: " + folder, Map.of(), folder.toString());
    }

    @Test
    void aWrongCommandLine() throws IOException {
        isRefused("unknown option --files", Map.of(), "--files", "x");
        isRefused("unknown provider gemini", Map.of(), "--provider", "gemini");
        isRefused("--parallelism takes a number from 1 to 128, not 0", Map.of(), "--parallelism", "0");
        isRefused("--kill-after takes a number from 1 to 100000, not 0", Map.of(), "--kill-after", "0");
        isRefused("more than one file", Map.of(), "a", "b");
        assertThat(JobRun.of(folder.resolve("out.jsonl"), Map.of(), "--help").out())
                .startsWith("usage: run");
    }

    @Test
    void anOutcomeFileThatCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("in.jsonl"), "{\"text\":\"x\"}\n");
        JobRun run = JobRun.of(file.resolve("out.jsonl"), Map.of(), file.toString());
        assertThat(run.code()).isEqualTo(Main.WRONG_INPUT);
        assertThat(run.err()).contains("cannot write").hasLineCount(1);
    }

    @Test
    void aMissingSettingIsNamed() throws IOException {
        isRefused("OPENAI_API_KEY is not set", Map.of(), "--provider", "openai");
        isRefused("AZURE_OPENAI_ENDPOINT is not set", Map.of("AZURE_OPENAI_API_KEY", "k"));
    }

    @Test
    void b078_aKeyThatCannotBeSentIsAConfigurationErrorBeforeAnyCall() throws IOException {
        isRefused("OPENAI_API_KEY is not set", Map.of("OPENAI_API_KEY", "   "));
        isRefused("", Map.of("OPENAI_API_KEY", "sk-ü", "OPENAI_BASE_URL", "http://127.0.0.1:9/v1"));
    }

    @Test
    void aBaseUrlThatIsNone() throws IOException {
        isRefused("", Map.of("OPENAI_API_KEY", "sk-x", "OPENAI_BASE_URL", "ftp://example.com"));
    }
}
