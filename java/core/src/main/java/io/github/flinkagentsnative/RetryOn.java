package io.github.flinkagentsnative;

import java.util.Locale;

/** Which failed attempts are repeated while there is budget. What fails before anything is sent is never repeated. */
public enum RetryOn {
    /** Every failed attempt: provider errors of any status, refusals, cut, filtered and invalid answers (upstream #1149). */
    ALL,
    /**
     * Only what may pass by itself: status 408, 409, 429 and 5xx, also inside a 200, transport failures, time-outs and empty answers;
     * never an exhausted quota.
     */
    RETRYABLE;

    /** The name in frames and settings. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
