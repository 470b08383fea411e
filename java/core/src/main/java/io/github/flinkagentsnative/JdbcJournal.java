package io.github.flinkagentsnative;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * A journal in a database: H2 in a file for one host ({@link #inFile}), PostgreSQL for a cluster ({@link #of}).
 *
 * <p>The tables are made when they are absent: {@code chat_journal} with the columns
 *
 * <table>
 * <caption>columns</caption>
 * <tr><td>{@code run_id}</td><td>{@code UUID}, first part of the primary key</td></tr>
 * <tr><td>{@code position}</td><td>{@code INTEGER} from 0 without gaps, second part of the primary key</td></tr>
 * <tr><td>{@code record_key}</td><td>{@code VARCHAR(1000)}</td></tr>
 * <tr><td>{@code record}</td><td>{@code BYTEA}, in H2 {@code BLOB}: opaque bytes</td></tr>
 * <tr><td>{@code append_id}</td><td>{@code UUID} of the {@link #append} that wrote it</td></tr>
 * <tr><td>{@code written_at}</td><td>{@code TIMESTAMP WITH TIME ZONE} by the writer's clock</td></tr>
 * </table>
 *
 * and {@code chat_journal_version} with the one number {@value #TABLE_VERSION}. Where the user may not create tables, create them so.
 *
 * <p>Each method is one transaction, {@link #purge} one for each {@value #PURGE_BATCH} runs. A lost connection is replaced once, and
 * a transaction that others undid is repeated once. An append that may have been committed before the connection broke is
 * recognized by its {@code append_id}, so it is neither written twice nor taken for somebody else's.
 *
 * <p>No driver is registered, and no thread outlives {@link #close}. Which records may go, and when, is said at {@link Journal}.
 */
public final class JdbcJournal implements Journal {

    /** The only version of the tables so far. */
    static final int TABLE_VERSION = 1;

    private static final int PURGE_BATCH = 200;
    private static final int TRIES = 2;
    private static final String UNIQUE_VIOLATION = "23505";
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private final JournalTransactions transactions;
    private final InstantSource clock;
    private volatile boolean closed;

    private JdbcJournal(JournalTransactions transactions, InstantSource clock) {
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * A journal in the database of a data source: PostgreSQL, or an H2 server that you run. One connection is taken for each
     * operation and given back; {@link #close} leaves the data source open.
     *
     * @throws JournalException when the database cannot be reached, or its tables are not a journal's
     */
    public static JdbcJournal of(DataSource dataSource) {
        return of(dataSource, InstantSource.system());
    }

    static JdbcJournal of(DataSource dataSource, InstantSource clock) {
        Objects.requireNonNull(dataSource, "dataSource");
        return open(JournalTransactions.on(dataSource), clock);
    }

    /**
     * A journal in a file, in an embedded H2. Objects, class loaders and JVMs of one host may use the same file at the same time:
     * the first one serves the others over a local TCP port, behind a random key that only the file's owner can read; when it ends or is killed,
     * another takes over. All files belong to their owner alone (0600 on POSIX file systems), and so does the folder when it is made here
     * (0700).
     *
     * @param file where, without extension: {@code /var/lib/job/journal} makes {@code journal.mv.db} there
     * @throws ChatConfigurationException when H2 is not on the class path, or others may write to the folder
     * @throws JournalException when the file cannot be opened or is not a journal's
     */
    public static JdbcJournal inFile(Path file) {
        return inFile(file, InstantSource.system());
    }

    static JdbcJournal inFile(Path file, InstantSource clock) {
        Objects.requireNonNull(file, "file");
        try {
            return open(JournalFile.open(file), clock);
        } catch (LinkageError e) {
            throw new ChatConfigurationException(
                    "The journal in a file needs H2: add com.h2database:h2, 2.3 or newer, to the class path.", e);
        }
    }

    private static JdbcJournal open(JournalTransactions transactions, InstantSource clock) {
        JdbcJournal journal = new JdbcJournal(transactions, clock);
        try {
            journal.prepareTables();
            return journal;
        } catch (RuntimeException | Error e) {
            journal.close();
            throw e;
        }
    }

    @Override
    public List<JournalRecord> read(UUID runId) {
        Objects.requireNonNull(runId, "runId");
        return transact("read run " + runId, false, connection -> readRun(connection, runId));
    }

    @Override
    public void append(UUID runId, int position, JournalRecord record) {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(record, "record");
        JournalErrors.requirePosition(position);
        UUID appendId = UUID.randomUUID();
        String what = "append record " + position + " of run " + runId;
        boolean written =
                transact(what, true, connection -> appendIfFree(connection, runId, position, record, appendId));
        // The position was taken: by an earlier try of this very append, or by somebody else.
        if (!written && !transact(what, true, connection -> isWrittenBy(connection, runId, position, appendId))) {
            throw JournalErrors.taken(runId, position);
        }
    }

    @Override
    public void discard(UUID runId, int fromPosition) {
        Objects.requireNonNull(runId, "runId");
        JournalErrors.requirePosition(fromPosition);
        transact("discard records of run " + runId, true, connection -> {
            lockRun(connection, runId);
            try (PreparedStatement delete =
                    connection.prepareStatement("DELETE FROM chat_journal WHERE run_id = ? AND position >= ?")) {
                delete.setObject(1, runId);
                delete.setInt(2, fromPosition);
                return delete.executeUpdate();
            }
        });
    }

    @Override
    public void forget(UUID runId) {
        discard(runId, 0);
    }

    @Override
    public int purge(Instant before) {
        Objects.requireNonNull(before, "before");
        OffsetDateTime limit = timestamp(before);
        int purged = 0;
        List<UUID> batch;
        UUID after = null;
        do {
            UUID start = after;
            batch = transact("look for old runs", false, connection -> runsBefore(connection, limit, start));
            List<UUID> old = batch;
            purged += transact("purge old runs", true, connection -> purgeRuns(connection, old, limit));
            after = batch.isEmpty() ? null : batch.get(batch.size() - 1);
        } while (batch.size() == PURGE_BATCH);
        return purged;
    }

    @Override
    public void close() {
        closed = true;
        transactions.close();
    }

    private static List<JournalRecord> readRun(Connection connection, UUID runId) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT position, record_key, record FROM chat_journal WHERE run_id = ? ORDER BY position")) {
            select.setObject(1, runId);
            List<JournalRecord> records = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    if (rows.getInt(1) != records.size()) {
                        throw JournalErrors.missingRecord(runId, records.size());
                    }
                    records.add(record(rows, runId));
                }
            }
            return List.copyOf(records);
        }
    }

    private static JournalRecord record(ResultSet rows, UUID runId) throws SQLException {
        try {
            return new JournalRecord(rows.getString(2), rows.getBytes(3));
        } catch (IllegalArgumentException | NullPointerException e) {
            throw JournalErrors.foreignRecord(runId, rows.getInt(1));
        }
    }

    /** False when the position is taken. */
    private boolean appendIfFree(Connection connection, UUID runId, int position, JournalRecord record, UUID appendId)
            throws SQLException {
        lockRun(connection, runId);
        int next = nextPosition(connection, runId);
        if (position > next) {
            throw JournalErrors.gap(runId, position, next);
        }
        if (position < next) {
            return false;
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO chat_journal (run_id, position, record_key, record, append_id, written_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?)")) {
            insert.setObject(1, runId);
            insert.setInt(2, position);
            insert.setString(3, record.key());
            insert.setBytes(4, record.bytes());
            insert.setObject(5, appendId);
            insert.setObject(6, timestamp(clock.instant()));
            insert.executeUpdate();
            return true;
        } catch (SQLException e) {
            if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
                connection.rollback();
                return false;
            }
            throw e;
        }
    }

    /** Makes appends and removals of one run wait for each other, so that none leaves a gap; a run without records has no need. */
    private static void lockRun(Connection connection, UUID runId) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT position FROM chat_journal WHERE run_id = ? AND position = 0 FOR UPDATE")) {
            select.setObject(1, runId);
            select.executeQuery().close();
        }
    }

    private static int nextPosition(Connection connection, UUID runId) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT COALESCE(MAX(position) + 1, 0) FROM chat_journal WHERE run_id = ?")) {
            select.setObject(1, runId);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    private static boolean isWrittenBy(Connection connection, UUID runId, int position, UUID appendId)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT position FROM chat_journal WHERE run_id = ? AND position = ? AND append_id = ?")) {
            select.setObject(1, runId);
            select.setInt(2, position);
            select.setObject(3, appendId);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next();
            }
        }
    }

    private static List<UUID> runsBefore(Connection connection, OffsetDateTime limit, UUID after) throws SQLException {
        String sql = "SELECT run_id FROM chat_journal" + (after == null ? "" : " WHERE run_id > ?")
                + " GROUP BY run_id HAVING MAX(written_at) < ? ORDER BY run_id FETCH FIRST " + PURGE_BATCH
                + " ROWS ONLY";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            int parameter = 1;
            if (after != null) {
                select.setObject(parameter++, after);
            }
            select.setObject(parameter, limit);
            List<UUID> runs = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    runs.add(rows.getObject(1, UUID.class));
                }
            }
            return runs;
        }
    }

    private static int purgeRuns(Connection connection, List<UUID> runs, OffsetDateTime limit) throws SQLException {
        int purged = 0;
        try (PreparedStatement delete = connection.prepareStatement(
                "DELETE FROM chat_journal WHERE run_id = ?"
                        + " AND NOT EXISTS (SELECT 1 FROM chat_journal later WHERE later.run_id = ? AND later.written_at >= ?)")) {
            for (UUID run : runs) {
                lockRun(connection, run);
                delete.setObject(1, run);
                delete.setObject(2, run);
                delete.setObject(3, limit);
                purged += delete.executeUpdate() > 0 ? 1 : 0;
            }
        }
        return purged;
    }

    /** Finds the tables or makes them; another process may be doing the same. */
    private void prepareTables() {
        for (int attempt = 0; !tablesExist(); attempt++) {
            if (attempt == TRIES) {
                throw JournalErrors.tableVersion("no version");
            }
            createTables();
        }
    }

    private boolean tablesExist() {
        return transact("open its tables", false, connection -> {
            try (Statement statement = connection.createStatement()) {
                List<Integer> versions = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery("SELECT version FROM chat_journal_version")) {
                    while (rows.next()) {
                        versions.add(rows.getInt(1));
                    }
                }
                if (!versions.isEmpty() && !versions.equals(List.of(TABLE_VERSION))) {
                    throw JournalErrors.tableVersion(
                            "version " + versions.toString().replaceAll("[\\[\\]]", ""));
                }
                statement
                        .executeQuery("SELECT run_id, position, record_key, record, append_id, written_at"
                                + " FROM chat_journal WHERE 1 = 0")
                        .close();
                return !versions.isEmpty();
            } catch (SQLException e) {
                if (isUnknownTable(e)) {
                    return false;
                }
                if (isUnknownColumn(e)) {
                    throw JournalErrors.foreignTable(e);
                }
                throw e;
            }
        });
    }

    private void createTables() {
        transact("create its tables", true, connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE IF NOT EXISTS chat_journal (run_id UUID NOT NULL,"
                        + " position INTEGER NOT NULL, record_key VARCHAR(" + JournalRecord.MAX_KEY_LENGTH
                        + ") NOT NULL,"
                        + " record " + bytesType(connection) + " NOT NULL, append_id UUID NOT NULL,"
                        + " written_at TIMESTAMP(6) WITH TIME ZONE NOT NULL, PRIMARY KEY (run_id, position))");
                statement.execute(
                        "CREATE TABLE IF NOT EXISTS chat_journal_version (version INTEGER NOT NULL PRIMARY KEY)");
                statement.execute("INSERT INTO chat_journal_version (version) SELECT " + TABLE_VERSION
                        + " WHERE NOT EXISTS (SELECT 1 FROM chat_journal_version)");
                return null;
            } catch (SQLException e) {
                if (isMadeByAnother(e)) {
                    connection.rollback();
                    return null;
                }
                throw e;
            }
        });
    }

    private static String bytesType(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> "BYTEA";
            case "H2" -> "BLOB";
            default ->
                throw new JournalException(
                        "A journal cannot be kept in " + product + "; use PostgreSQL or H2, or implement Journal.");
        };
    }

    private static boolean isUnknownTable(SQLException failure) {
        return List.of("42P01", "42S02", "42S03", "42S04").contains(String.valueOf(failure.getSQLState()));
    }

    private static boolean isUnknownColumn(SQLException failure) {
        return List.of("42703", "42S22").contains(String.valueOf(failure.getSQLState()));
    }

    private static boolean isMadeByAnother(SQLException failure) {
        return List.of(UNIQUE_VIOLATION, "42P07", "42710", "42S01").contains(String.valueOf(failure.getSQLState()));
    }

    private <T> T transact(String what, boolean writes, JournalTransactions.Work<T> work) {
        for (int attempt = 1; ; attempt++) {
            if (closed) {
                throw JournalErrors.closed();
            }
            try {
                return transactions.run(writes, work);
            } catch (SQLException e) {
                boolean again = JournalErrors.connectionLost(e) || JournalErrors.conflict(e);
                if (!again || attempt == TRIES) {
                    throw JournalErrors.database(what, e);
                }
            }
        }
    }

    private static OffsetDateTime timestamp(Instant instant) {
        Instant kept = instant.isBefore(EARLIEST) ? EARLIEST : instant.isAfter(LATEST) ? LATEST : instant;
        return kept.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
