package io.github.flinkagentsnative;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.h2.jdbc.JdbcConnection;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * An H2 database in a file: one connection and one thread for all journals of this class loader on the same file.
 *
 * <p>The thread is there because H2 closes the whole database when a thread is interrupted while it writes, and Flink interrupts the
 * threads of a task that it cancels. A caller therefore waits for its own work to end, interrupted or not, and keeps its interrupt.
 */
final class JournalFile implements JournalTransactions {

    /** How long others may take to let go of the file. A killed owner's lock is given up after some seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(50);

    /** The shutdown hook that H2 sets goes when the database closes; H2 cannot share a file without it. */
    private static final String SETTINGS =
            ";AUTO_SERVER=TRUE;WRITE_DELAY=0;LOCK_TIMEOUT=20000;TRACE_LEVEL_FILE=0;TRACE_LEVEL_SYSTEM_OUT=0";

    private static final Map<Path, JournalFile> OPEN = new HashMap<>();

    private final Path file;
    private final ExecutorService thread;
    /** The one thread of {@link #thread}, once it has started. */
    private volatile Thread running;

    private int users;
    private JdbcConnection connection;

    private JournalFile(Path file) {
        this.file = file;
        this.thread = Executors.newSingleThreadExecutor(work -> {
            Thread made = new Thread(work, "flink-agents-native journal");
            made.setDaemon(true);
            // H2's own: a thread that H2 starts from here inherits it, and must not hold on to a job.
            made.setContextClassLoader(FilePath.class.getClassLoader());
            running = made;
            return made;
        });
    }

    /** Transactions on the file, to be closed by each who opened them. */
    static JournalTransactions open(Path file) {
        Path place = privatePlace(file);
        synchronized (OPEN) {
            if (OPEN.isEmpty()) {
                FilePath.register(new PrivateFiles());
            }
            JournalFile shared = OPEN.computeIfAbsent(place, JournalFile::new);
            shared.users++;
            return shared.new Use();
        }
    }

    @Override
    public <T> T run(boolean writes, Work<T> work) throws SQLException {
        Future<T> future;
        try {
            future = thread.submit(() -> transact(writes, work));
        } catch (RejectedExecutionException e) {
            throw JournalErrors.closed();
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw rethrow(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static SQLException rethrow(Throwable failure) {
        if (failure instanceof SQLException e) {
            return e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        throw new IllegalStateException(failure);
    }

    private <T> T transact(boolean writes, Work<T> work) throws SQLException {
        if (connection == null) {
            connection = connect();
        }
        try {
            T result = JournalTransactions.commit(connection, work);
            if (writes) {
                force();
            }
            return result;
        } catch (SQLException e) {
            if (JournalErrors.connectionLost(e) || connection.isClosed()) {
                JournalTransactions.closeQuietly(connection);
                connection = null;
            }
            throw e;
        }
    }

    /** A commit is with the operating system; this brings it to the disk. */
    private void force() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CHECKPOINT SYNC");
        }
    }

    private JdbcConnection connect() throws SQLException {
        String url = "jdbc:h2:" + PrivateFiles.SCHEME + ":" + file + SETTINGS;
        long start = System.nanoTime();
        while (true) {
            try {
                // Neither DriverManager nor JdbcDataSource, which registers H2's driver.
                JdbcConnection opened = new JdbcConnection(url, new Properties(), "journal", "", false);
                opened.setAutoCommit(false);
                return opened;
            } catch (SQLException e) {
                if (!isChangingHands(e) || System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw e;
                }
                pause();
            }
        }
    }

    /** Whether one owner has just gone and another is about to take over. */
    private static boolean isChangingHands(SQLException failure) {
        return switch (failure.getErrorCode()) {
            case 8000, 90020, 90067, 90098, 90121, 90135 -> true;
            default -> false;
        };
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            // Nobody has this thread but us.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        synchronized (OPEN) {
            users--;
            if (users > 0) {
                return;
            }
            OPEN.remove(file);
            thread.execute(this::disconnect);
            thread.shutdown();
            awaitEnd();
            if (OPEN.isEmpty()) {
                FilePath.unregister(new PrivateFiles());
            }
        }
    }

    /** The owner closes the database even when others use it through us: they go on without us, and none of our threads stays. */
    private void disconnect() {
        if (connection == null) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            if (!connection.getSession().isRemote()) {
                statement.execute("SHUTDOWN");
            }
        } catch (SQLException e) {
            // What was appended is on the disk; whoever opens the file next cleans up.
        }
        JournalTransactions.closeQuietly(connection);
        connection = null;
    }

    private void awaitEnd() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (thread.awaitTermination(1, TimeUnit.SECONDS)) {
                        // The pool says so a moment before its thread has ended.
                        running.join();
                        return;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The file's one name, in a folder to which nobody else may write. */
    private static Path privatePlace(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        if (absolute.getFileName() == null || absolute.toString().chars().anyMatch(c -> c == ';' || c < ' ')) {
            throw new ChatConfigurationException(
                    "The journal's file " + file + " needs a name without semicolons and control characters.");
        }
        Path folder = absolute.getParent();
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, PrivateFiles.ownerOnly("rwx------"));
            }
            if (PrivateFiles.POSIX) {
                requireOwnFolder(folder);
            }
            // H2 would wait for a folder or file that nobody may write to as for one that another process holds.
            Files.delete(Files.createTempFile(folder, ".journal", null, PrivateFiles.ownerOnly("rw-------")));
            Path database = folder.resolve(absolute.getFileName() + ".mv.db");
            if (Files.exists(database) && !Files.isWritable(database)) {
                throw new JournalException(
                        "The journal's file " + database + " may not be written. Check its owner and rights.");
            }
            return folder.toRealPath().resolve(absolute.getFileName());
        } catch (IOException e) {
            throw new JournalException(
                    "The journal's folder " + folder + " cannot be made or written: "
                            + e.getClass().getSimpleName() + ". Check the path and its rights.",
                    e);
        }
    }

    private static void requireOwnFolder(Path folder) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new ChatConfigurationException("Others may write to the journal's folder " + folder
                    + " and could put files of theirs there; use a folder of its own (chmod 700).");
        }
    }

    /** One journal's part of the shared file; closing it twice counts once. */
    private final class Use implements JournalTransactions {
        private boolean closed;

        @Override
        public <T> T run(boolean writes, Work<T> work) throws SQLException {
            return JournalFile.this.run(writes, work);
        }

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                JournalFile.this.close();
            }
        }
    }

    /** H2's files, each made with the rights of its owner alone. Public because H2 makes objects of it. */
    public static final class PrivateFiles extends FilePathWrapper {

        /** Of this class loader: an H2 that several share keeps them apart. */
        static final String SCHEME = "private" + Integer.toHexString(System.identityHashCode(PrivateFiles.class));

        static final boolean POSIX =
                FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public boolean createFile() {
            try {
                return create();
            } catch (IOException e) {
                // H2's own answer where a file cannot be made.
                return false;
            }
        }

        @Override
        public FileChannel open(String mode) throws IOException {
            if (!mode.equals("r")) {
                create();
            }
            return super.open(mode);
        }

        @Override
        public OutputStream newOutputStream(boolean append) throws IOException {
            create();
            return super.newOutputStream(append);
        }

        /** Beside the database, also where H2 would use the system's folder. */
        @Override
        public FilePath createTempFile(String suffix, boolean inTempFolder) throws IOException {
            Path base = path();
            Path made =
                    Files.createTempFile(base.getParent(), base.getFileName() + ".", suffix, ownerOnly("rw-------"));
            return getPath(SCHEME + ":" + made);
        }

        private boolean create() throws IOException {
            try {
                Files.createFile(path(), ownerOnly("rw-------"));
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            }
        }

        private Path path() {
            return Path.of(getBase().toString());
        }

        static FileAttribute<?>[] ownerOnly(String permissions) {
            return POSIX
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                    }
                    : new FileAttribute<?>[0];
        }
    }
}
