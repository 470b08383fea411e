package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The journal in a real PostgreSQL. */
class JdbcJournalPostgresTest extends JournalContract {

    private static EmbeddedPostgres server;
    private static DataSource database;

    private Journal journal;

    /** As root the server's programs run in a user name space of their own, since PostgreSQL refuses to run as root. */
    @BeforeAll
    static void startServer() throws Exception {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        assumeTrue(system.equals("Linux amd64"), "skipped: no PostgreSQL programs for " + system);
        assumeTrue(
                !isRoot() || succeeds("unshare", "-U", "id", "-un"),
                "skipped: PostgreSQL refuses to run as root, and root may not make user name spaces here");
        server = EmbeddedPostgres.start();
        database = server.getPostgresDatabase();
    }

    private static boolean isRoot() throws Exception {
        return succeeds("sh", "-c", "test \"$(id -u)\" = 0");
    }

    private static boolean succeeds(String... command) throws Exception {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @AfterAll
    static void stopServer() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void openJournal() throws SQLException {
        execute("DROP TABLE IF EXISTS chat_journal, chat_journal_version");
        journal = JdbcJournal.of(database, clock);
    }

    @AfterEach
    void closeJournal() {
        journal.close();
    }

    @Override
    Journal journal() {
        return journal;
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void another_journal_reads_what_one_wrote() {
        append(run, 3);
        try (Journal other = JdbcJournal.of(database)) {
            assertThat(other.read(run)).containsExactly(record(0), record(1), record(2));
        }
    }

    @Test
    void many_journals_make_the_tables_at_once() throws Exception {
        for (int round = 0; round < 5; round++) {
            execute("DROP TABLE IF EXISTS chat_journal, chat_journal_version");
            inThreads(8, number -> {
                try (Journal own = JdbcJournal.of(database)) {
                    own.append(UUID.randomUUID(), 0, record(number));
                }
                return null;
            });
        }
    }

    @Test
    void tables_of_another_version_are_refused() throws SQLException {
        execute("UPDATE chat_journal_version SET version = 2");
        assertThatThrownBy(() -> JdbcJournal.of(database))
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("chat_journal_version says version 2", "knows version 1");
    }

    @Test
    void a_table_of_somebody_else_is_refused() throws SQLException {
        execute("DROP TABLE chat_journal");
        execute("CREATE TABLE chat_journal (id INTEGER)");
        assertThatThrownBy(() -> JdbcJournal.of(database))
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("chat_journal", "other columns");
    }

    @Test
    void rows_of_somebody_else_are_named() throws SQLException {
        append(run, 3);
        execute("UPDATE chat_journal SET record_key = '' WHERE position = 1");
        assertThatThrownBy(() -> journal.read(run))
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("Record 1 of run " + run, "not written by a journal");
        execute("DELETE FROM chat_journal WHERE position = 1");
        assertThatThrownBy(() -> journal.read(run))
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("Record 1 of run " + run, "missing");
    }

    @Test
    void a_user_who_may_not_write_is_told_so() throws SQLException {
        execute("CREATE USER reader");
        execute("GRANT SELECT ON chat_journal, chat_journal_version TO reader");
        try (Journal reading = JdbcJournal.of(server.getDatabase("reader", "postgres"))) {
            assertThat(reading.read(run)).isEmpty();
            assertThatThrownBy(() -> reading.append(run, 0, record(0)))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContainingAll("SQL state 42501", "Grant");
        } finally {
            execute("DROP OWNED BY reader");
            execute("DROP USER reader");
        }
    }

    @Test
    void a_database_that_is_not_there_is_named_without_its_password() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/db?user=u&password=topsecret");
        assertThatThrownBy(() -> JdbcJournal.of(nowhere))
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("08001", "can be reached")
                .satisfies(failure -> assertThat(printed(failure)).doesNotContain("topsecret"));
    }

    private static String printed(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void a_database_error_shows_no_record() throws SQLException {
        execute("ALTER TABLE chat_journal ADD CHECK (length(record) < 4)");
        JournalRecord secret = record("chat", "topsecret");
        assertThatThrownBy(() -> journal.append(run, 0, secret))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("23514")
                .satisfies(failure -> assertThat(printed(failure)).doesNotContain("topsecret", "746f70736563726574"));
    }

    @Test
    void a_connection_that_the_server_ended_is_replaced() throws Exception {
        Connection kept = database.getConnection();
        AtomicInteger handed = new AtomicInteger();
        DataSource pool = dataSource(() -> handed.getAndIncrement() == 4 ? kept : database.getConnection());
        try (Journal pooled = JdbcJournal.of(pool)) {
            handed.set(4);
            execute("SELECT pg_terminate_backend(" + backend(kept) + ")");
            pooled.append(run, 0, record(0));
            assertThat(handed).as("the dead one and a new one").hasValue(6);
        }
        assertThat(journal.read(run)).containsExactly(record(0));
    }

    private static int backend(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void an_append_whose_commit_got_lost_on_the_way_back_is_written_once() {
        try (Journal shaky = JdbcJournal.of(losingCommits(1, true), clock)) {
            shaky.append(run, 0, record(0));
        }
        assertThat(journal.read(run)).containsExactly(record(0));
    }

    @Test
    void an_append_whose_commit_did_not_arrive_is_written_again() {
        try (Journal shaky = JdbcJournal.of(losingCommits(1, false), clock)) {
            shaky.append(run, 0, record(0));
        }
        assertThat(journal.read(run)).containsExactly(record(0));
    }

    @Test
    void an_append_that_fails_twice_is_an_error() {
        try (Journal shaky = JdbcJournal.of(losingCommits(2, false), clock)) {
            assertThatThrownBy(() -> shaky.append(run, 0, record(0)))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContainingAll("append record 0 of run " + run, "08006");
        }
        assertThat(journal.read(run)).isEmpty();
    }

    /** Breaks the first commits that come after the tables were found: with or without the commit having arrived. */
    private static DataSource losingCommits(int count, boolean arrived) {
        AtomicInteger commits = new AtomicInteger();
        return dataSource(() -> {
            Connection real = database.getConnection();
            return proxy(Connection.class, real, name -> {
                if (!name.equals("commit")) {
                    return;
                }
                int number = commits.getAndIncrement();
                if (number >= 1 && number <= count) {
                    if (arrived) {
                        real.commit();
                    }
                    real.close();
                    throw new SQLException("lost", "08006");
                }
            });
        });
    }

    @Test
    void connections_are_given_back_as_they_were() throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            AtomicInteger closed = new AtomicInteger();
            DataSource single = dataSource(() -> proxyKeepingOpen(connection, closed));
            try (Journal own = JdbcJournal.of(single)) {
                own.append(run, 0, record(0));
                assertThatThrownBy(() -> own.append(run, 0, record(0))).isInstanceOf(JournalException.class);
            }
            assertThat(closed).hasValueGreaterThanOrEqualTo(3);
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    private static Connection proxyKeepingOpen(Connection connection, AtomicInteger closed) {
        return (Connection) Proxy.newProxyInstance(
                JdbcJournalPostgresTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.incrementAndGet();
                        return null;
                    }
                    return method.invoke(connection, arguments);
                });
    }

    @Test
    void a_data_source_without_connections_is_named() {
        assertThatThrownBy(() -> JdbcJournal.of(dataSource(() -> null)))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("null");
        assertThatThrownBy(() -> JdbcJournal.of(dataSource(() -> {
                    throw new IllegalStateException("topsecret");
                })))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("IllegalStateException")
                .satisfies(failure -> assertThat(printed(failure)).doesNotContain("topsecret"));
    }

    private interface Opener {
        Connection open() throws SQLException;
    }

    private static DataSource dataSource(Opener opener) {
        return (DataSource) Proxy.newProxyInstance(
                JdbcJournalPostgresTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> opener.open());
    }

    private interface Before {
        void call(String method) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T real, Before before) {
        return type.cast(Proxy.newProxyInstance(
                JdbcJournalPostgresTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    before.call(method.getName());
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
