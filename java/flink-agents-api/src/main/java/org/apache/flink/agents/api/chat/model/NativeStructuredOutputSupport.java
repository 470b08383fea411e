package org.apache.flink.agents.api.chat.model;

/** A connection's answer about a schema (#1129). */
public enum NativeStructuredOutputSupport {
    INFEASIBLE,
    FEASIBLE,
    NATIVE_RECOMMENDED
}
