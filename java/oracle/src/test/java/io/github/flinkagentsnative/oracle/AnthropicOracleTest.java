package io.github.flinkagentsnative.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Anthropic Messages, thinking, media and schemas included: what anthropic-java would send, but for the stated differences. */
class AnthropicOracleTest {
    static List<Input> inputs() {
        return AnthropicMessages.inputs();
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void theRequestIsTheSdksButForStatedDifferences(Input input) {
        assertThat(Comparison.of(input).unexplained()).isEmpty();
    }

    @Test
    void thereAreAtLeastFifteenInputs() {
        assertThat(inputs().stream().map(Input::name).distinct()).hasSizeGreaterThanOrEqualTo(15);
    }
}
