package io.github.flinkagentsnative;

import static io.github.flinkagentsnative.NativeStructuredOutputSupport.FEASIBLE;
import static io.github.flinkagentsnative.NativeStructuredOutputSupport.INFEASIBLE;
import static io.github.flinkagentsnative.NativeStructuredOutputSupport.NATIVE_RECOMMENDED;
import static io.github.flinkagentsnative.StructuredOutputStrategy.AUTO;
import static io.github.flinkagentsnative.StructuredOutputStrategy.NATIVE;
import static io.github.flinkagentsnative.StructuredOutputStrategy.PROMPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StructuredOutputStrategyTest {

    @Test
    void pr1215_decision_table() {
        assertThat(PROMPT.resolvesToNative(NATIVE_RECOMMENDED)).isFalse();
        assertThat(PROMPT.resolvesToNative(INFEASIBLE)).isFalse();
        assertThat(AUTO.resolvesToNative(NATIVE_RECOMMENDED)).isTrue();
        assertThat(AUTO.resolvesToNative(FEASIBLE)).isFalse();
        assertThat(AUTO.resolvesToNative(INFEASIBLE)).isFalse();
        assertThat(NATIVE.resolvesToNative(NATIVE_RECOMMENDED)).isTrue();
        assertThat(NATIVE.resolvesToNative(FEASIBLE)).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NATIVE.resolvesToNative(INFEASIBLE))
                .withMessageStartingWith("Structured output strategy NATIVE was requested, but ");
    }

    @Test
    void pr843_a_setting_is_a_strategy_or_its_name_in_any_case() {
        assertThat(StructuredOutputStrategy.fromArgument(null, PROMPT)).isEqualTo(PROMPT);
        assertThat(StructuredOutputStrategy.fromArgument(NATIVE, AUTO)).isEqualTo(NATIVE);
        assertThat(StructuredOutputStrategy.fromArgument("native", AUTO)).isEqualTo(NATIVE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StructuredOutputStrategy.fromArgument("json", AUTO))
                .withMessage("Unknown structured output strategy 'json'. Expected one of: AUTO, NATIVE, PROMPT.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StructuredOutputStrategy.fromArgument(1, AUTO))
                .withMessageStartingWith("Unsupported structured output strategy type 'java.lang.Integer'. ");
    }

    @Test
    void a_decision_explains_itself() {
        StructuredOutputDecision decision = new StructuredOutputDecision(
                FEASIBLE,
                AUTO,
                false,
                List.of(
                        new Reason(ReasonCode.MODEL_NOT_LISTED, "m is not listed.", null, Map.of()),
                        new Reason(ReasonCode.LIMIT_EXCEEDED, "too deep.", "/properties/a", Map.of("limit", 10))),
                "2026-11-30",
                "Parcel",
                "values");
        assertThat(decision.explain()).isEqualTo("""
                        Schema Parcel does not travel natively (strategy AUTO, support FEASIBLE, tables of 2026-11-30).
                          - model_not_listed: m is not listed.
                          - limit_exceeded at /properties/a: too deep.
                          The answer travels in the property values.""");
        assertThat(decision.has(ReasonCode.LIMIT_EXCEEDED)).isTrue();
        assertThat(decision.has(ReasonCode.ROW_TYPE)).isFalse();
        assertThat(DecisionFrames.read(DecisionFrames.write(decision))).isEqualTo(decision);
    }
}
