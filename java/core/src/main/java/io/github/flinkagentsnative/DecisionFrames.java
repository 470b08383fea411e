package io.github.flinkagentsnative;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decisions as maps of a frame: {@code DECISION} and {@code REASON} of docs/boundary.md. */
final class DecisionFrames {

    private DecisionFrames() {}

    /** Null gives null. */
    static StructuredOutputDecision read(Object value) {
        if (!(value instanceof Map<?, ?> decision)) {
            return null;
        }
        return new StructuredOutputDecision(
                NativeStructuredOutputSupport.valueOf(MessageFrames.text(decision, "support")),
                StructuredOutputStrategy.valueOf(MessageFrames.text(decision, "strategy")),
                Boolean.TRUE.equals(decision.get("native")),
                readReasons(decision.get("reasons")),
                MessageFrames.text(decision, "table"),
                MessageFrames.text(decision, "name"),
                MessageFrames.text(decision, "wrapper"));
    }

    /** Null gives an empty list. */
    static List<Reason> readReasons(Object value) {
        List<Reason> reasons = new ArrayList<>();
        for (Object reason : MessageFrames.list(value)) {
            reasons.add(readReason((Map<?, ?>) reason));
        }
        return reasons;
    }

    private static Reason readReason(Map<?, ?> reason) {
        return new Reason(
                ReasonCode.of(MessageFrames.text(reason, "code")),
                MessageFrames.text(reason, "message"),
                MessageFrames.text(reason, "pointer"),
                MessageFrames.object(reason.get("details")));
    }

    static Map<String, Object> write(StructuredOutputDecision decision) {
        List<Object> reasons = new ArrayList<>();
        for (Reason reason : decision.reasons()) {
            Map<String, Object> written = new LinkedHashMap<>();
            written.put("code", reason.code().wireName());
            written.put("message", reason.message());
            putIfKnown(written, "pointer", reason.pointer());
            written.put("details", reason.details());
            reasons.add(written);
        }
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("support", decision.support().name());
        written.put("strategy", decision.strategy().name());
        written.put("native", decision.isNative());
        written.put("reasons", reasons);
        written.put("table", decision.table());
        written.put("name", decision.name());
        putIfKnown(written, "wrapper", decision.wrapper());
        return written;
    }

    private static void putIfKnown(Map<String, Object> map, String key, Object value) {
        if (value != null) {
            map.put(key, value);
        }
    }
}
