package io.github.flinkagentsnative.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses, tool results with media (#1364) included: what openai-java would send, but for the stated differences. */
class ResponsesOracleTest {
    static List<Input> inputs() {
        return Responses.inputs();
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void theRequestIsTheSdksButForStatedDifferences(Input input) {
        assertThat(Comparison.of(input).unexplained()).isEmpty();
    }

    @Test
    void thereAreAtLeastTwelveInputs() {
        assertThat(inputs().stream().map(Input::name).distinct()).hasSizeGreaterThanOrEqualTo(12);
    }
}
