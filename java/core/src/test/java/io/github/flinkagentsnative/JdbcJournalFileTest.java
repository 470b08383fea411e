package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
import org.h2.jdbc.JdbcConnection;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The journal in a file: one or many objects, class loaders and processes on it, some of which are killed. */
class JdbcJournalFileTest extends JournalContract {

    @TempDir
    Path folder;

    private Path file;
    private Journal journal;

    @BeforeEach
    void openJournal() {
        file = folder.resolve("own").resolve("journal");
        journal = JdbcJournal.inFile(file, clock);
    }

    @AfterEach
    void closeJournal() {
        journal.close();
    }

    @Override
    Journal journal() {
        return journal;
    }

    private void reopen() {
        journal.close();
        journal = JdbcJournal.inFile(file, clock);
    }

    /** Past the journal, as somebody else would. */
    private void execute(String sql) throws Exception {
        String url = "jdbc:h2:" + file + ";AUTO_SERVER=TRUE";
        try (Connection connection = new JdbcConnection(url, new Properties(), "journal", "", false);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void records_are_there_when_the_file_is_opened_again() {
        append(run, 3);
        reopen();
        assertThat(journal.read(run)).containsExactly(record(0), record(1), record(2));
        journal.append(run, 3, record(3));
    }

    @Test
    void several_journals_in_one_jvm_share_a_file() throws Exception {
        Path same = file.resolveSibling("..").resolve("own").resolve("journal");
        try (Journal other = JdbcJournal.inFile(same, clock)) {
            append(run, 1);
            assertThat(other.read(run)).containsExactly(record(0));
            journal.close();
            other.append(run, 1, record(1));
            assertThatThrownBy(() -> other.append(run, 1, record(2))).isInstanceOf(JournalException.class);
        }
        reopen();
        assertThat(journal.read(run)).hasSize(2);
        inThreads(8, number -> {
            try (Journal own = JdbcJournal.inFile(file)) {
                own.append(UUID.randomUUID(), 0, record(number));
            }
            return null;
        });
    }

    @Test
    void two_files_in_one_folder_are_two_journals() {
        try (Journal other = JdbcJournal.inFile(file.resolveSibling("other"))) {
            append(run, 1);
            assertThat(other.read(run)).isEmpty();
        }
    }

    @Test
    void folder_and_files_belong_to_their_owner_alone() throws Exception {
        assumeTrue(
                FileSystems.getDefault().supportedFileAttributeViews().contains("posix"),
                "skipped: no POSIX file system");
        for (int i = 0; i < 3; i++) {
            journal.append(run, i, record(i, 3 << 20));
        }
        assertThat(rights()).containsExactly("journal.lock.db rw-------", "journal.mv.db rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
        journal.close();
        assertThat(rights()).containsExactly("journal.mv.db rw-------");
    }

    private List<String> rights() throws IOException {
        List<String> rights = new ArrayList<>();
        try (Stream<Path> files = Files.list(file.getParent())) {
            for (Path one : files.sorted().toList()) {
                rights.add(one.getFileName() + " " + PosixFilePermissions.toString(Files.getPosixFilePermissions(one)));
            }
        }
        return rights;
    }

    @Test
    void files_that_h2_makes_on_the_side_are_private_too() throws Exception {
        assumeTrue(JournalFile.PrivateFiles.POSIX, "skipped: no POSIX file system");
        JournalFile.PrivateFiles files = new JournalFile.PrivateFiles();
        String place = JournalFile.PrivateFiles.SCHEME + ":" + file;
        files.getPath(place + ".trace.db").newOutputStream(true).close();
        files.getPath(place + ".mv.db.newFile").open("rw").close();
        files.getPath(place + ".mv.db.tempFile").createFile();
        files.getPath(place).createTempFile(".temp.db", true);
        assertThat(rights()).hasSize(6).allMatch(right -> right.endsWith(" rw-------"));
    }

    @Test
    void a_folder_to_which_others_may_write_is_refused() throws Exception {
        assumeTrue(JournalFile.PrivateFiles.POSIX, "skipped: no POSIX file system");
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> JdbcJournal.inFile(open.resolve("journal")))
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContainingAll(open.toString(), "chmod 700");
        assertThat(open).isEmptyDirectory();
    }

    @Test
    void bad_paths_are_refused() {
        assertThatThrownBy(() -> JdbcJournal.inFile(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> JdbcJournal.inFile(folder.resolve("a;INIT=x")))
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("semicolons");
        assertThatThrownBy(() -> JdbcJournal.inFile(Path.of("/")))
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("needs a name");
        Path underFile = file.resolveSibling("journal.mv.db").resolve("deeper").resolve("journal");
        assertThatThrownBy(() -> JdbcJournal.inFile(underFile))
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("cannot be made", underFile.getParent().toString());
    }

    @Test
    void odd_paths_work() {
        for (String name : List.of("with blank", "a:b", "\u00e4\u6f22", "~", "100%20", "x.mv.db", "Upper")) {
            try (Journal odd = JdbcJournal.inFile(file.resolveSibling(name))) {
                odd.append(run, 0, record(0));
                assertThat(file.resolveSibling(name + ".mv.db")).exists();
            }
        }
    }

    @Test
    void a_file_that_is_no_journal_is_refused_and_left_as_it_is() throws Exception {
        Path foreign = file.resolveSibling("foreign.mv.db");
        String text = "no database at all\n".repeat(1000);
        Files.writeString(foreign, text);
        assertThatThrownBy(() -> JdbcJournal.inFile(file.resolveSibling("foreign")))
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("SQL state 90030", "damaged or not H2's");
        assertThat(foreign).hasContent(text);
    }

    @Test
    void tables_of_another_version_and_of_somebody_else_are_refused() throws Exception {
        execute("UPDATE chat_journal_version SET version = 2");
        assertThatThrownBy(this::reopen)
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("chat_journal_version says version 2", "knows version 1");
        execute("UPDATE chat_journal_version SET version = 1");
        execute("DROP TABLE chat_journal");
        execute("CREATE TABLE chat_journal (id INTEGER)");
        assertThatThrownBy(this::reopen).isInstanceOf(JournalException.class).hasMessageContaining("other columns");
    }

    @Test
    void rows_of_somebody_else_are_named() throws Exception {
        append(run, 3);
        execute("UPDATE chat_journal SET record_key = '' WHERE position = 1");
        assertThatThrownBy(() -> journal.read(run))
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("Record 1 of run " + run, "not written by a journal");
    }

    @Test
    void a_database_that_somebody_shut_down_is_opened_again() throws Exception {
        append(run, 1);
        assertThatThrownBy(() -> execute("SHUTDOWN IMMEDIATELY")).hasMessageContaining("session closed");
        journal.append(run, 1, record(1));
        assertThat(journal.read(run)).hasSize(2);
    }

    @Test
    void a_process_that_is_killed_loses_nothing_that_was_appended() throws Exception {
        journal.close();
        for (int round = 0; round < 3; round++) {
            int printed = appendInChildUntilKilled(20 * (round + 1));
            reopen();
            assertThat(journal.read(run)).hasSizeGreaterThan(printed).startsWith(record(0));
            journal.close();
        }
    }

    /** The last position that the child reported before it was killed. */
    private int appendInChildUntilKilled(int appends) throws Exception {
        Process child = child();
        try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
            int last = -1;
            for (int i = 0; i < appends; i++) {
                last = position(out);
            }
            // Not through Process, which throws away what was printed.
            child.toHandle().destroyForcibly();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = Integer.parseInt(line);
            }
            return last;
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    private static int position(BufferedReader out) throws IOException {
        String line = out.readLine();
        assertThat(line).as("a position from the child").isNotNull();
        return Integer.parseInt(line);
    }

    private Process child() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        ChildJvm.classPath(false),
                        Appends.class.getName(),
                        file.toString(),
                        run.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void two_processes_use_the_file_at_once_and_either_may_go() throws Exception {
        UUID mine = UUID.randomUUID();
        append(mine, 1);
        Process child = child();
        try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
            int last = position(out);
            journal.append(mine, 1, record(1));
            assertThat(journal.read(run)).hasSizeGreaterThan(last);

            // We were there first and served the child; it goes on when we leave, and serves us when we come back.
            journal.close();
            for (int i = 0; i < 50; i++) {
                last = position(out);
            }
            reopen();
            journal.append(mine, 2, record(2));
            assertThat(journal.read(run)).hasSizeGreaterThan(last);

            // Now the child is the owner; killed, it is followed by us.
            child.destroyForcibly().waitFor();
            journal.append(mine, 3, record(3));
            assertThat(journal.read(mine)).containsExactly(record(0), record(1), record(2), record(3));
            assertThat(journal.read(run)).hasSizeGreaterThan(last);
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    /** Appends to a run for ever, and prints each position afterwards. */
    static final class Appends {
        public static void main(String[] arguments) {
            UUID run = UUID.fromString(arguments[1]);
            try (Journal journal = JdbcJournal.inFile(Path.of(arguments[0]))) {
                for (int position = journal.read(run).size(); ; position++) {
                    journal.append(run, position, record(position));
                    System.out.println(position);
                }
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_folder_that_cannot_be_written_is_told_at_once() {
        long start = System.nanoTime();
        assertThatThrownBy(() -> JdbcJournal.inFile(Path.of("/proc/journal")))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("/proc")
                .hasMessageContaining("Check the path and its rights");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void a_closed_journal_leaves_no_thread() throws Exception {
        assertThat(journalThreads()).isNotEmpty();
        try (Journal other = JdbcJournal.inFile(file.resolveSibling("other"))) {
            other.append(run, 0, record(0));
        }
        journal.close();
        assertThat(journalThreads()).isEmpty();
    }

    private static List<String> journalThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains("H2") || name.contains("MVStore") || name.contains("journal"))
                .toList();
    }

    @Test
    void jobs_with_class_loaders_of_their_own_share_the_file_and_leave_nothing_behind() throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            loaders.add(runJob(i, ClassLoader.getPlatformClassLoader(), place(JdbcConnection.class)));
        }
        assertThat(journal.read(run)).containsExactly(record(0), record(1), record(2));
        assertGone(loaders);
    }

    /** H2 keeps the first job that uses it, so it is better in the job's own jar; those that follow go. */
    @Test
    void jobs_that_share_the_clusters_h2_leave_no_more_than_the_first_behind() throws Exception {
        try (URLClassLoader cluster =
                new URLClassLoader(new URL[] {place(JdbcConnection.class)}, ClassLoader.getPlatformClassLoader())) {
            runJob(0, cluster);
            assertGone(List.of(runJob(1, cluster), runJob(2, cluster)));
            assertThat(cluster.loadClass(JdbcConnection.class.getName())).isNotNull();
        }
        assertThat(journal.read(run)).containsExactly(record(0), record(1), record(2));
    }

    private static void assertGone(List<WeakReference<ClassLoader>> loaders) throws InterruptedException {
        long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (loaders.stream().anyMatch(loader -> loader.get() != null) && System.nanoTime() < patience) {
            System.gc();
            Thread.sleep(50);
        }
        assertThat(loaders).allMatch(loader -> loader.get() == null);
    }

    private WeakReference<ClassLoader> runJob(int position, ClassLoader parent, URL... more) throws Exception {
        List<URL> places = new ArrayList<>(List.of(place(Journal.class), place(JdbcJournalFileTest.class)));
        places.addAll(List.of(more));
        try (URLClassLoader loader = new URLClassLoader(places.toArray(URL[]::new), parent)) {
            var append = Class.forName(AppendOne.class.getName(), true, loader)
                    .getDeclaredMethod("append", Path.class, UUID.class, int.class);
            append.setAccessible(true);
            append.invoke(null, file, run, position);
            return new WeakReference<>(loader);
        }
    }

    private static URL place(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    static final class AppendOne {
        static void append(Path file, UUID run, int position) {
            try (Journal journal = JdbcJournal.inFile(file)) {
                byte[] bytes = ("record " + position).getBytes(StandardCharsets.UTF_8);
                journal.append(run, position, new JournalRecord("chat", bytes));
            }
        }
    }

    @Test
    void an_h2_of_ones_own_is_a_data_source_like_any_other() throws Exception {
        JdbcDataSource memory = new JdbcDataSource();
        memory.setURL("jdbc:h2:mem:" + run);
        try (Connection keepsItThere = memory.getConnection();
                Journal own = JdbcJournal.of(memory)) {
            JournalRecord large = record(1, 3 << 20);
            own.append(run, 0, large);
            own.append(run, 1, record(1));
            own.discard(run, 1);
            assertThatThrownBy(() -> own.append(run, 0, large)).isInstanceOf(JournalException.class);
            assertThat(own.read(run).equals(List.of(large))).isTrue();
            assertThat(keepsItThere.isClosed()).isFalse();
        }
    }

    @Test
    void without_h2_the_message_names_the_artifact() throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {place(Journal.class)}, ClassLoader.getPlatformClassLoader())) {
            var inFile =
                    Class.forName(JdbcJournal.class.getName(), true, loader).getMethod("inFile", Path.class);
            assertThatThrownBy(() -> inFile.invoke(null, file))
                    .cause()
                    .hasMessageContaining("com.h2database:h2")
                    .extracting(failure -> failure.getClass().getName())
                    .isEqualTo(ChatConfigurationException.class.getName());
        }
    }
}
