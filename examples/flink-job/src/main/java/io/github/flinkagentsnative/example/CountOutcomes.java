package io.github.flinkagentsnative.example;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/** Counts outcomes for the progress lines; passes them on unchanged. */
final class CountOutcomes extends RichMapFunction<String, String> {
    static final String OUTCOMES = "outcomes";
    private static final long serialVersionUID = 1L;

    private transient LongCounter outcomes;

    @Override
    public void open(OpenContext context) {
        outcomes = getRuntimeContext().getLongCounter(OUTCOMES);
    }

    @Override
    public String map(String outcome) {
        outcomes.add(1);
        return outcome;
    }
}
