package io.github.flinkagentsnative;

/**
 * Runs the tools that a model asks for. Called on a thread of the executor, one call after the other; it may block.
 *
 * <p>A result that was recorded is not asked for again after a crash.
 */
@FunctionalInterface
public interface ToolCaller {

    /**
     * Answers one call.
     *
     * @return the result; its id must be the call's
     * @throws Exception becomes an error result that the model gets to see: class and message. Cancellation, an {@link Error} and a
     *     {@link JournalException} end the run without an outcome
     */
    ToolResultBlock call(ToolCallBlock call) throws Exception;
}
