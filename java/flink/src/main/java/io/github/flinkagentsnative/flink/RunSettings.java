package io.github.flinkagentsnative.flink;

import io.github.flinkagentsnative.ChatExecutor;
import java.io.Serializable;

/** Sets how runs are driven: retries, re-asks, tools, deadline, listeners. Called when a task opens the function. */
@FunctionalInterface
public interface RunSettings extends Serializable {
    /**
     * @param runs to be changed; its journal is set by {@link ChatFunction#withJournal} alone
     */
    void apply(ChatExecutor.Builder runs);
}
