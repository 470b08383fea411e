package io.github.flinkagentsnative.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkagentsnative.ChatRunListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartReportTest {
    @TempDir
    Path folder;

    private RestartReport report(Map<String, Long> asked, String... before) throws IOException {
        Path messages = Files.write(
                folder.resolve("in.jsonl"),
                List.of(
                        "{\"text\":\"a\"}",
                        "{\"text\":\"b\"}",
                        "broken",
                        "{\"text\":\"same\"}",
                        "{\"text\":\"same\"}"));
        Path killed = Files.write(folder.resolve("killed"), List.of(before));
        CallCounts counts = CallCounts.of(folder.toString());
        counts.callStarted("model", ChatRunListener.Purpose.CHAT);
        counts.callReplayed("decide");
        counts.callReplayed("chat");
        CallCounts.forget(folder.toString());
        return RestartReport.of(messages, killed, asked, counts);
    }

    private static String print(RestartReport report) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        report.print(JobRun.print(printed));
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aMessageUnderWayMayBeAskedTwice() throws IOException {
        RestartReport report = report(Map.of("a", 1L, "b", 2L, "same", 2L), "in.jsonl:1", "in.jsonl:3");
        assertThat(report.messages()).isEqualTo(4);
        assertThat(report.calls()).isEqualTo(5);
        assertThat(report.again()).isEqualTo(1);
        assertThat(report.repeated()).isZero();
        assertThat(report.replayed()).isEqualTo(1);
        assertThat(print(report)).contains("5 made for 4 messages, counted by the provider; 1 more");
    }

    @Test
    void aMessageWithAnOutcomeBeforeTheKillThatIsAskedTwiceIsRepeated() throws IOException {
        assertThat(report(Map.of("a", 2L, "b", 1L, "same", 2L), "in.jsonl:1").repeated())
                .isEqualTo(1);
    }

    @Test
    void linesWithTheSameTextAreCountedTogether() throws IOException {
        Map<String, Long> three = Map.of("a", 1L, "b", 1L, "same", 3L);
        assertThat(report(three, "in.jsonl:4").repeated()).isZero();
        assertThat(report(three, "in.jsonl:4", "in.jsonl:5").repeated()).isEqualTo(1);
    }

    @Test
    void withoutTheProvidersCountTheJobsOwnIsTold() throws IOException {
        String printed = print(report(null, "in.jsonl:1"));
        assertThat(printed)
                .contains("once, after 1 outcomes")
                .contains("1 made for 4 messages, counted by the job; 1 more")
                .doesNotContain("asked again");
    }
}
