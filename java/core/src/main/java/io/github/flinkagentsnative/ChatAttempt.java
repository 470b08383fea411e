package io.github.flinkagentsnative;

import java.time.Duration;

/**
 * One call of a model inside a run.
 *
 * @param key the key of its record, for example {@code chat} or {@code chat:final}
 * @param reask whether it sent an invalid answer back
 * @param model the model that answered, as it calls itself, or null
 * @param waited before it
 * @param elapsed from the call to its end
 * @param finishReason why the model stopped, or null
 * @param usage tokens of this call, or null
 * @param kind why its answer does not count, or null where it does
 * @param error the error text, {@code class: message}, or null
 */
public record ChatAttempt(
        String key,
        boolean reask,
        String model,
        Duration waited,
        Duration elapsed,
        String finishReason,
        TokenUsage usage,
        ErrorKind kind,
        String error) {}
