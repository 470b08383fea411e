package io.github.flinkagentsnative.example;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Gives a message whose id came before an id of its own, so that every record of the file has its own outcome. Keyed by id. */
final class MarkRepeats extends KeyedProcessFunction<String, SupportMessage, SupportMessage> {
    private static final long serialVersionUID = 1L;

    private transient ValueState<Boolean> seen;

    @Override
    public void open(OpenContext context) {
        seen = getRuntimeContext().getState(new ValueStateDescriptor<>("seen", Types.BOOLEAN));
    }

    @Override
    public void processElement(SupportMessage message, Context context, Collector<SupportMessage> out)
            throws Exception {
        if (seen.value() != null) {
            out.collect(message.asRepeat());
        } else {
            seen.update(true);
            out.collect(message);
        }
    }
}
