package io.github.flinkagentsnative;

import java.time.Duration;

/**
 * How often an invalid answer is sent back with what is wrong with it: pointer, what the schema wants there, what kind of value was
 * found. A cut answer is never sent back: the same limit would cut it again.
 *
 * @param attempts re-asks of a whole run, from 1 to 100
 * @param maxTokens no re-ask once the run has used this many tokens; null for no limit
 * @param maxElapsed no re-ask once the run's calls have taken this long; null for no limit
 */
public record ReaskBudget(int attempts, Long maxTokens, Duration maxElapsed) {

    /**
     * @throws IllegalArgumentException for a value out of its range
     */
    public ReaskBudget {
        if (attempts < 1 || attempts > 100) {
            throw new IllegalArgumentException("A re-ask budget has from 1 to 100 attempts, not " + attempts + ".");
        }
        if (maxTokens != null && maxTokens < 1) {
            throw new IllegalArgumentException("A re-ask budget's tokens must be positive, not " + maxTokens + ".");
        }
        if (maxElapsed != null
                && (maxElapsed.compareTo(Duration.ofMillis(1)) < 0 || maxElapsed.compareTo(Duration.ofDays(365)) > 0)) {
            throw new IllegalArgumentException(
                    "A re-ask budget's time must be from a millisecond to 365 days, not " + maxElapsed + ".");
        }
    }

    public static ReaskBudget of(int attempts) {
        return new ReaskBudget(attempts, null, null);
    }
}
