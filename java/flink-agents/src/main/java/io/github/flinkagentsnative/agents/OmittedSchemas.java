package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Reason;
import io.github.flinkagentsnative.ReasonCode;
import io.github.flinkagentsnative.StructuredOutputDecision;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.agents.api.metrics.FlinkAgentsMetricGroup;
import org.apache.flink.metrics.Counter;

/**
 * Counts schemas that no request could carry and that were left off: counter {@code schemaOmitted} under {@code reason} = code. The
 * counters are made when the group is set, on the task's own thread: groups and counters are not made for several threads.
 */
final class OmittedSchemas {

    /** Why a schema cannot be carried; the other codes explain or warn. */
    private static final Set<ReasonCode> CAUSES = EnumSet.of(
            ReasonCode.ROW_TYPE,
            ReasonCode.OPEN_OBJECT,
            ReasonCode.UNTRANSLATABLE,
            ReasonCode.API_VERSION_BELOW_FLOOR,
            ReasonCode.LIMIT_EXCEEDED,
            ReasonCode.TOOLS_BOUND);

    private final Map<FlinkAgentsMetricGroup, Map<ReasonCode, Counter>> known = new HashMap<>();
    private Map<ReasonCode, Counter> counters = Map.of();

    /** @param group of the action that asks from now on; null counts nothing */
    synchronized void bind(FlinkAgentsMetricGroup group) {
        counters = group == null ? Map.of() : known.computeIfAbsent(group, OmittedSchemas::counters);
    }

    private static Map<ReasonCode, Counter> counters(FlinkAgentsMetricGroup group) {
        Map<ReasonCode, Counter> counters = new EnumMap<>(ReasonCode.class);
        for (ReasonCode cause : CAUSES) {
            counters.put(cause, group.getSubGroup("reason", cause.wireName()).getCounter("schemaOmitted"));
        }
        return counters;
    }

    void count(StructuredOutputDecision decision) {
        decision.reasons().stream().map(Reason::code).distinct().forEach(this::count);
    }

    synchronized void count(ReasonCode code) {
        Counter counter = counters.get(code);
        if (counter != null) {
            counter.inc();
        }
    }
}
