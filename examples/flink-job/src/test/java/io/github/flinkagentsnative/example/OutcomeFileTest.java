package io.github.flinkagentsnative.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutcomeFileTest {
    @TempDir
    Path folder;

    @Test
    void outcomesNeverOverwriteTheMessages() throws Exception {
        Path messages = folder.resolve("messages.jsonl");
        String line = "{\"id\":\"a\",\"text\":\"hello\"}\n";
        Files.writeString(messages, line);
        JobRun run = JobRun.of(messages, Map.of(), messages.toString());
        assertThat(run.code()).isEqualTo(Main.WRONG_INPUT);
        assertThat(run.err()).contains("would overwrite the messages");
        assertThat(messages).hasContent(line);
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(messages);
        }
    }

    @Test
    void anInterruptedJobKeepsItsOutcomesWithoutTheLineThatWasCut() throws Exception {
        OutcomeFile outcomes = OutcomeFile.prepare(folder.resolve("out.jsonl"));
        Files.createDirectories(outcomes.parts());
        Files.writeString(outcomes.parts().resolve("part-0"), "{\"id\":\"a\"}\n");
        Files.writeString(outcomes.parts().resolve(".part-1.inprogress"), "{\"id\":\"b\"}\n{\"id\":");
        Path rescued = outcomes.rescue();
        outcomes.close();
        assertThat(rescued).isEqualTo(folder.resolve("out.jsonl.partial"));
        assertThat(Files.readAllLines(rescued)).containsExactlyInAnyOrder("{\"id\":\"a\"}", "{\"id\":\"b\"}");
        assertThat(outcomes.rescue()).isNull();
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(rescued);
        }
    }
}
