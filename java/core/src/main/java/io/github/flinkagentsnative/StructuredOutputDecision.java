package io.github.flinkagentsnative;

import java.util.List;

/**
 * Which way an output schema travels, and why.
 *
 * @param support what a request can do with the schema
 * @param strategy what was asked for
 * @param isNative whether the schema travels natively
 * @param reasons why, in the order in which they were found
 * @param table date of the tables of models and limits that were read
 * @param name the schema's name on the wire
 * @param wrapper the property that carries a root that is no object, or null
 */
public record StructuredOutputDecision(
        NativeStructuredOutputSupport support,
        StructuredOutputStrategy strategy,
        boolean isNative,
        List<Reason> reasons,
        String table,
        String name,
        String wrapper) {

    public StructuredOutputDecision {
        reasons = List.copyOf(reasons);
    }

    /** Whether a reason of this code is among the reasons. */
    public boolean has(ReasonCode code) {
        return reasons.stream().anyMatch(reason -> reason.code() == code);
    }

    /** The decision as text for people, one line for the result and one for each reason. */
    public String explain() {
        StringBuilder text = new StringBuilder();
        text.append("Schema ").append(name).append(isNative ? " travels natively" : " does not travel natively");
        text.append(" (strategy ").append(strategy).append(", support ").append(support);
        text.append(", tables of ").append(table).append(").");
        for (Reason reason : reasons) {
            text.append("\n  - ").append(reason);
        }
        if (wrapper != null) {
            text.append("\n  The answer travels in the property ")
                    .append(wrapper)
                    .append(".");
        }
        return text.toString();
    }
}
