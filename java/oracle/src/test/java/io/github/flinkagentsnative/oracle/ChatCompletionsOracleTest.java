package io.github.flinkagentsnative.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chat Completions, also on Azure: what openai-java would send is what this library sends, but for the stated differences. */
class ChatCompletionsOracleTest {
    static List<Input> inputs() {
        return Stream.of(Schemas.inputs(), Conversations.inputs(), Calls.inputs())
                .flatMap(List::stream)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void theRequestIsTheSdksButForStatedDifferences(Input input) {
        assertThat(Comparison.of(input).unexplained()).isEmpty();
    }

    @Test
    void thereAreAtLeastFortyInputs() {
        assertThat(inputs().stream().map(Input::name).distinct()).hasSizeGreaterThanOrEqualTo(40);
    }
}
