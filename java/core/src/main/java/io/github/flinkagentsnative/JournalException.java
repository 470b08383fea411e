package io.github.flinkagentsnative;

/**
 * The journal failed: the run that needed it ends without an outcome, and is started again from what stands in the journal. The
 * message says what was tried and what to do; it holds no record and no secret.
 */
public class JournalException extends RuntimeException {

    /** @param message what failed, in which run, and what to do; never a record's bytes or a secret */
    public JournalException(String message) {
        super(message);
    }

    /** As above, with a cause, whose text has to be as clean as the message. */
    public JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
