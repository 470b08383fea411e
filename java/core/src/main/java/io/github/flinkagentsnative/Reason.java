package io.github.flinkagentsnative;

import java.util.Map;

/**
 * One reason of a {@link StructuredOutputDecision}.
 *
 * @param code for programs
 * @param message one sentence for people
 * @param pointer JSON Pointer into the user's schema, or null
 * @param details further facts as JSON values
 */
public record Reason(ReasonCode code, String message, String pointer, Map<String, Object> details) {

    public Reason {
        details = JsonValues.copyObject(details, "/details");
    }

    @Override
    public String toString() {
        return code.wireName() + (pointer == null ? "" : " at " + (pointer.isEmpty() ? "the root" : pointer)) + ": "
                + message;
    }
}
