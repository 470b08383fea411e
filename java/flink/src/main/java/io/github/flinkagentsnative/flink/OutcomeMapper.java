package io.github.flinkagentsnative.flink;

import io.github.flinkagentsnative.ChatOutcome;
import java.io.Serializable;

/**
 * Makes a record of the stream from an element and its outcome. Called once for each element, by threads of the runs: it must not
 * block, and must not touch Flink state. It may be called once more when Flink's time-out for the element comes together with the outcome, or
 * when a retry strategy of Flink asks again; Flink drops the record that is too much.
 *
 * @param <IN> elements
 * @param <T> the answer's type
 * @param <OUT> records, in a type that Flink can serialize
 */
@FunctionalInterface
public interface OutcomeMapper<IN, T, OUT> extends Serializable {
    /**
     * @param element the element
     * @param outcome its one outcome, SUCCESS or FAILED
     */
    OUT map(IN element, ChatOutcome<T> outcome);
}
