package io.github.flinkagentsnative;

import java.sql.SQLException;
import java.util.UUID;

/** What journals say when something is wrong: the same texts in each of them. */
final class JournalErrors {

    private JournalErrors() {}

    static void requirePosition(int position) {
        if (position < 0) {
            throw new IllegalArgumentException(
                    "The journal position " + position + " is negative; pass the number of records before it.");
        }
    }

    static JournalException taken(UUID runId, int position) {
        return new JournalException(
                "Position " + position + " of run " + runId
                        + " is taken: another attempt writes the same run. Let one attempt go on alone; it recovers from the journal.");
    }

    static JournalException gap(UUID runId, int position, int next) {
        return new JournalException("Position " + position + " of run " + runId + " leaves a gap: the next one is "
                + next + ". Its records were discarded or purged meanwhile; start the run again.");
    }

    static JournalException closed() {
        return new JournalException("The journal is closed; close it after the last run.");
    }

    static JournalException foreignRecord(UUID runId, int position) {
        return new JournalException("Record " + position + " of run " + runId
                + " was not written by a journal; something else writes the table. Discard the run's records from "
                + position
                + " on, or forget the run.");
    }

    static JournalException missingRecord(UUID runId, int position) {
        return new JournalException("Record " + position + " of run " + runId
                + " is missing, but later ones are there; something else deletes from the table. Discard the run's records from "
                + position + " on, or forget the run.");
    }

    static JournalException foreignTable(SQLException failure) {
        return new JournalException(
                "The table chat_journal has other columns than a journal's. Use another schema or database for the journal.",
                withoutText(failure));
    }

    static JournalException tableVersion(String found) {
        return new JournalException("The table chat_journal_version says " + found + "; this library knows version "
                + JdbcJournal.TABLE_VERSION
                + ". Use the version of the library that made the tables, or another schema or database.");
    }

    /** @param what what was tried, for example {@code read run ...} */
    static JournalException database(String what, SQLException failure) {
        return new JournalException(
                "The journal could not " + what + ": " + code(failure) + ". " + advice(failure), withoutText(failure));
    }

    private static String code(SQLException failure) {
        String state = failure.getSQLState();
        String type = failure.getClass().getSimpleName();
        return (state == null ? type + " without SQL state" : type + " with SQL state " + state)
                + (failure.getErrorCode() == 0 ? "" : ", code " + failure.getErrorCode());
    }

    /** A driver's text can hold a row, an address or a password: class, codes and place are kept. */
    static SQLException withoutText(SQLException failure) {
        SQLException kept = new SQLException(
                "(" + failure.getClass().getName() + "; text left out: it can hold records and addresses)",
                failure.getSQLState(),
                failure.getErrorCode());
        kept.setStackTrace(failure.getStackTrace());
        return kept;
    }

    private static String advice(SQLException failure) {
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        return switch (state) {
            case "90020" -> "Another process has the file and does not share it; end it, or wait until it has ended.";
            case "90030", "90048", "90049" ->
                "The file is damaged or not H2's, or of another H2 version: move it away"
                        + " (the runs in it start anew), or use the H2 version that wrote it.";
            case "90028", "90031" ->
                "The file cannot be read or written; check disk space and the rights of its folder.";
            case "50200", "HYT00", "55P03", "57014" ->
                "Something holds the run's rows for too long; look for long transactions.";
            case "42501" -> "Grant the user SELECT, INSERT, UPDATE and DELETE on the journal's tables.";
            case "42P01", "42S02", "42S03", "42S04" -> "The tables are gone; open a new journal to create them.";
            case "22021", "22P05" -> "The database needs the encoding UTF8.";
            case "25006" -> "The database is read-only; point the journal to the primary server.";
            default -> classAdvice(state, failure);
        };
    }

    private static String classAdvice(String state, SQLException failure) {
        if (connectionLost(failure)) {
            return "Check that the database runs and can be reached, then let the run start again.";
        }
        return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
            case "28" -> "Check user and password of the data source.";
            case "3D", "3F" -> "Check the name of database and schema in the data source.";
            case "40" -> "Other transactions were in the way twice; let the run start again.";
            case "53" -> "The database is out of disk, memory or connections.";
            case "" -> "Check the data source: pool size, address, user.";
            default -> "Look up the SQL state in the database's manual and log.";
        };
    }

    /** Whether another connection may do better. */
    static boolean connectionLost(SQLException failure) {
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        return state.startsWith("08")
                || switch (state) {
                    // PostgreSQL: shut down, crashed, starting, idle for too long. H2: broken, closed, closed by
                    // another, shut down, about to be shut down.
                    case "57P01", "57P02", "57P03", "57P05", "90067", "90007", "90098", "90121", "90135" -> true;
                    default -> false;
                };
    }

    /** Whether the transaction was undone because of others, so that it may be repeated. */
    static boolean conflict(SQLException failure) {
        return failure.getSQLState() != null && failure.getSQLState().startsWith("40");
    }
}
