package io.github.flinkagentsnative;

/** What a request of a model can do with an output schema (upstream #1129). */
public enum NativeStructuredOutputSupport {
    /** No request can carry the schema; no strategy overrides this. */
    INFEASIBLE,
    /** The request can carry it, but the model is not known to honour it. */
    FEASIBLE,
    /** The request can carry it and the model is known to honour it. */
    NATIVE_RECOMMENDED
}
