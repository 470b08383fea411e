package io.github.flinkagentsnative.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of stated differences holds what is needed, and docs/differences.md says the same. */
class StatedDifferenceTest {
    private static List<Input> inputs() {
        return Stream.of(ChatCompletionsOracleTest.inputs(), ResponsesOracleTest.inputs(), AnthropicOracleTest.inputs())
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void eachRuleIsNeededByAnInput() {
        Set<StatedDifference> used = EnumSet.noneOf(StatedDifference.class);
        inputs().forEach(input -> used.addAll(Comparison.of(input).used()));
        assertThat(EnumSet.complementOf(EnumSet.copyOf(used))).isEmpty();
    }

    @Test
    void theDocumentListsExactlyTheseDifferences() throws IOException {
        Path document = Path.of(System.getProperty("project.root"), "docs", "differences.md");
        List<String> rows;
        try (Stream<String> lines = Files.lines(document)) {
            rows = lines.filter(line -> line.startsWith("| `")).toList();
        }
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(StatedDifference.values())
                        .map(StatedDifference::row)
                        .toList());
    }

    @Test
    void aDifferenceThatNoRuleStatesIsReported() {
        Input changed = new Input(
                "changed",
                () -> Json.read("{\"body\":{\"a\":1.0,\"b\":[1,2],\"c\":true,\"e\":{\"x\":1}}}"),
                () -> Json.read("{\"body\":{\"a\":1,\"b\":[2,1],\"d\":true,\"e\":{\"x\":\"1\"}}}"));
        assertThat(Comparison.of(changed).used()).isEmpty();
        assertThat(Comparison.of(changed).unexplained())
                .hasSize(5)
                .anySatisfy(text -> assertThat(text).startsWith("/body/b/0"))
                .anySatisfy(text -> assertThat(text).startsWith("/body/b/1"))
                .contains("/body/c only from the SDK: true", "/body/d only ours: true")
                .anySatisfy(text -> assertThat(text).startsWith("/body/e/x"));
    }
}
