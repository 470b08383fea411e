package io.github.flinkagentsnative;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Keeps the records of runs, so that a run that is started again makes no finished call twice. A run writes one record after each
 * finished call, in order; started again under the same id it reads them first.
 *
 * <p>Safe for threads. Failures are {@link JournalException}: the run ends without an outcome. Null is a
 * {@link NullPointerException}, a negative position an {@link IllegalArgumentException}, with nothing written.
 *
 * <p><b>Which records may go, and when.</b> A run's records are needed as long as the run may be started again: until a checkpoint
 * has completed that no longer holds the run's element. Then {@link #forget} removes them; {@link #purge} by age removes what is left
 * over by jobs that never came back. The age must be longer than the oldest checkpoint or savepoint that may still be restored.
 *
 * <p><b>Encryption.</b> The bytes hold prompts and answers as they are. A journal that wraps another one can encrypt or redact them:
 * map the records in {@link #read} and {@link #append}, and pass on the rest. It must give back in {@code read} exactly the bytes
 * that it was given, because they carry a checksum. {@code docs/journal.md} has an example.
 */
public interface Journal extends AutoCloseable {

    /** The records of a run in the order they were written; empty for a run that is not known. */
    List<JournalRecord> read(UUID runId);

    /**
     * Adds a record; it is durable when this returns.
     *
     * @param position the number of records before it
     * @throws JournalException when the position is taken, which means that another attempt writes the same run, or leaves a gap
     */
    void append(UUID runId, int position, JournalRecord record);

    /** Removes the records of a run from {@code fromPosition} on: they belong to calls that will not be repeated in this way. */
    void discard(UUID runId, int fromPosition);

    /** Removes all records of a run; an unknown run is no error. */
    void forget(UUID runId);

    /**
     * Removes each run whose last record was written before {@code before}.
     *
     * @return how many runs
     */
    int purge(Instant before);

    /** Frees what the journal holds; the records stay. Closing twice is no error; any other use afterwards is a {@link JournalException}. */
    @Override
    void close();
}
