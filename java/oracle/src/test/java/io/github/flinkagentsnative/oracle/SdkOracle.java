package io.github.flinkagentsnative.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an SDK sends is what this library sends, but for the differences that a page of docs states. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SdkOracle<D extends Enum<D> & SdkDifference> {
    private final Class<D> differences;
    private final String page;

    SdkOracle(Class<D> differences, String page) {
        this.differences = differences;
        this.page = page;
    }

    abstract List<SdkCase<D>> cases();

    /** The request in a form in which equal ones are equal; as it is unless a service wraps JSON in a text. */
    JsonNode readable(JsonNode request) {
        return request;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theRequestIsTheSdksButForStatedDifferences(SdkCase<D> input) {
        JsonNode sdk = input.sdk();
        for (D difference : input.differences()) {
            JsonNode rewritten = difference.inOurForm(sdk);
            assertThat(rewritten).as("%s is a difference here", difference).isNotEqualTo(sdk);
            sdk = rewritten;
        }
        JsonNode expected = readable(sdk);
        JsonNode found = readable(input.ours());
        assertThat(Json.same(expected, found))
                .as(() -> "SDK:  " + expected + "\nours: " + found)
                .isTrue();
    }

    @Test
    void thereAreAtLeastFifteenInputsAndEachDifferenceIsNeeded() {
        List<SdkCase<D>> cases = cases();
        assertThat(cases.stream().map(SdkCase::name).distinct()).hasSizeGreaterThanOrEqualTo(15);
        Set<D> used = EnumSet.noneOf(differences);
        cases.forEach(input -> used.addAll(input.differences()));
        assertThat(used).isEqualTo(EnumSet.allOf(differences));
    }

    @Test
    void theDocumentListsExactlyTheseDifferences() throws IOException {
        Path document = Path.of(System.getProperty("project.root"), "docs", page);
        List<String> rows;
        try (Stream<String> lines = Files.lines(document)) {
            rows = lines.filter(line -> line.startsWith("| `")).toList();
        }
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(differences.getEnumConstants())
                        .map(SdkDifference::row)
                        .toList());
    }
}
