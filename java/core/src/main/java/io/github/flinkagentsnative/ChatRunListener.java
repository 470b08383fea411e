package io.github.flinkagentsnative;

import java.time.Duration;

/**
 * Told what a {@link ChatExecutor} does, for metrics and logs. Called on the executor's threads; what a method throws ends the
 * run without an outcome. Calls that a journal answers are told as {@link #callReplayed} only.
 */
public interface ChatRunListener {

    /** What a call is for. */
    enum Purpose {
        /** The conversation's next answer. */
        CHAT,
        /** The same answer once more, in the form of the schema (upstream #1215). */
        FINAL,
        /** A correction of an invalid answer. */
        REASK,
        /** The choice of a model by a model. */
        JUDGE
    }

    /** A schema's way was decided for a model. */
    default void schemaDecided(String model, StructuredOutputDecision decision) {}

    /** A call starts, after its wait. */
    default void callStarted(String model, Purpose purpose) {}

    /**
     * A call has ended.
     *
     * @param result the answer, or null when it failed
     * @param kind what kind of failure, or null
     */
    default void callEnded(String model, Purpose purpose, Duration elapsed, ChatResult result, ErrorKind kind) {}

    /** The journal answered in place of a model, a tool or a router. */
    default void callReplayed(String key) {}

    /** A router has chosen; told once more when another candidate has answered. */
    default void modelRouted(ModelRoutingEvent event) {}

    /** The end of a run. */
    default void runEnded(ChatOutcome<?> outcome) {}
}
