package io.github.flinkagentsnative;

/** What becomes of a schema that is asked for natively ({@link StructuredOutputStrategy#NATIVE}) and that no request can carry. */
public enum WhenInfeasible {
    /** Building the request raises {@link IllegalArgumentException} with the reasons. */
    FAIL,
    /** The schema and its instruction are left off; for callers that have put the schema into the prompt themselves. */
    OMIT
}
