package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.Reason;
import io.github.flinkagentsnative.ReasonCode;
import io.github.flinkagentsnative.StructuredOutputDecision;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** Counts schemas that no request could carry and that were left off: counter {@code schemaOmitted} under {@code reason} = code. */
final class OmittedSchemas {

    /** Why a schema cannot be carried; the other codes explain or warn. */
    private static final Set<ReasonCode> CAUSES = EnumSet.of(
            ReasonCode.ROW_TYPE,
            ReasonCode.OPEN_OBJECT,
            ReasonCode.UNTRANSLATABLE,
            ReasonCode.API_VERSION_BELOW_FLOOR,
            ReasonCode.LIMIT_EXCEEDED,
            ReasonCode.TOOLS_BOUND);

    private record Place(MetricGroup group, ReasonCode code) {}

    private final Map<Place, Counter> counters = new ConcurrentHashMap<>();

    /** @param group null counts nothing */
    void count(MetricGroup group, StructuredOutputDecision decision) {
        decision.reasons().stream()
                .map(Reason::code)
                .filter(CAUSES::contains)
                .distinct()
                .forEach(code -> count(group, code));
    }

    void count(MetricGroup group, ReasonCode code) {
        if (group != null) {
            counters.computeIfAbsent(
                            new Place(group, code),
                            place -> group.addGroup("reason", code.wireName()).counter("schemaOmitted"))
                    .inc();
        }
    }
}
