package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal in a file that another has: a job with a class loader of its own, which serves it over TCP. */
class JdbcJournalServedFileTest extends JournalContract {

    @TempDir
    Path folder;

    private URLClassLoader otherJob;
    private AutoCloseable owner;
    private Journal journal;

    @BeforeEach
    void openJournal() throws Exception {
        Path file = folder.resolve("own").resolve("journal");
        otherJob = new URLClassLoader(
                new URL[] {place(Journal.class), place(JdbcConnection.class)}, ClassLoader.getPlatformClassLoader());
        owner = (AutoCloseable) otherJob.loadClass(JdbcJournal.class.getName())
                .getMethod("inFile", Path.class)
                .invoke(null, file);
        journal = JdbcJournal.inFile(file, clock);
    }

    private static URL place(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @AfterEach
    void closeJournal() throws Exception {
        journal.close();
        owner.close();
        otherJob.close();
    }

    @Override
    Journal journal() {
        return journal;
    }

    @Test
    void the_journal_goes_on_when_its_owner_leaves() throws Exception {
        append(run, 2);
        owner.close();
        journal.append(run, 2, record(2));
        assertThat(journal.read(run)).containsExactly(record(0), record(1), record(2));
    }
}
