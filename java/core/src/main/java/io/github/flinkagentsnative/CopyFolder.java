package io.github.flinkagentsnative;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * The folder of one copy of the library. Nobody else may enter it, its name is its own, and it is gone when it is closed. While it
 * is open it holds a locked file; so a folder that nobody has locked was left by a process that was killed, or by Windows, which
 * keeps a loaded library until the process ends.
 */
final class CopyFolder implements AutoCloseable {

    private static final String PREFIX = "flink-agents-native-";
    private static final String LOCK = "lock";
    /** Between the making of a folder and its lock lie microseconds. */
    private static final Duration ORPHAN_AGE = Duration.ofMinutes(1);
    /** For file systems that know no locks. A copy is needed for milliseconds. */
    private static final Duration ORPHAN_AGE_WITHOUT_LOCKS = Duration.ofHours(1);

    /** Names this process, also among containers that share a folder and where each JVM is process 1. */
    private static final String OWNER = ProcessHandle.current().pid() + "-"
            + ProcessHandle.current()
                    .info()
                    .startInstant()
                    .map(Instant::toEpochMilli)
                    .orElse(0L);

    private final Path folder;
    private final FileChannel lock;

    private CopyFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Makes one below {@code parent}, which is made too when it is not there. */
    static CopyFolder in(Path parent) throws IOException {
        if (!Files.isDirectory(parent)) {
            Files.createDirectories(parent);
        }
        Path folder = Files.createTempDirectory(parent, PREFIX + OWNER + "-", ownerOnly());
        FileChannel lock = null;
        try {
            lock = FileChannel.open(
                    folder.resolve(LOCK), Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly());
            takeIfPossible(lock);
            return new CopyFolder(folder, lock);
        } catch (IOException e) {
            remove(folder, lock);
            throw e;
        }
    }

    private static void takeIfPossible(FileChannel lock) {
        try {
            take(lock);
        } catch (IOException e) {
            return; // this file system knows no locks; its age protects the folder
        }
    }

    /** Locks the file unless another process has done so. */
    private static boolean take(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** The copy. */
    Path write(byte[] library) throws IOException {
        Path file = Files.createFile(library(folder), ownerOnly());
        // No channel: an interrupt, with which Flink cancels tasks, would close it.
        try (OutputStream out = new FileOutputStream(file.toFile())) {
            out.write(library);
        }
        return file;
    }

    @Override
    public void close() {
        try {
            remove(folder, lock);
        } catch (IOException e) {
            // Windows keeps a loaded library; the folder goes first because deletion on exit runs backwards.
            folder.toFile().deleteOnExit();
            library(folder).toFile().deleteOnExit();
        }
    }

    private static Path library(Path folder) {
        return folder.resolve(System.mapLibraryName(NativeLibrary.NAME));
    }

    /** Deletes what a copy consists of; a folder with anything else in it stays. The lock goes after what it guards. */
    private static void remove(Path folder, FileChannel lock) throws IOException {
        try {
            Files.deleteIfExists(library(folder));
        } finally {
            if (lock != null) {
                lock.close();
            }
            Files.deleteIfExists(folder.resolve(LOCK));
        }
        Files.deleteIfExists(folder);
    }

    private static FileAttribute<?>[] ownerOnly() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    // ---- what others left

    /** Removes what has no owner any more, as far as this user may. */
    static void sweep(Path parent) {
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : candidates) {
                sweepOne(folder);
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // the folder cannot be listed, which its use does not need
        }
    }

    private static void sweepOne(Path folder) {
        try {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || !isOlderThan(ORPHAN_AGE, folder)) {
                return;
            }
            if (!Files.exists(folder.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
                remove(folder, null);
            } else if (!isOurs(folder)) {
                sweepLocked(folder);
            }
        } catch (IOException e) {
            return; // another user's, in use, or just swept by another process: not ours to remove
        }
    }

    /** Another class loader of this process is at work in it. To open its lock file, and close it, would unlock it. */
    private static boolean isOurs(Path folder) {
        return folder.getFileName().toString().startsWith(PREFIX + OWNER + "-");
    }

    private static void sweepLocked(Path folder) throws IOException {
        try (FileChannel lock =
                FileChannel.open(folder.resolve(LOCK), Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            boolean orphan;
            try {
                orphan = take(lock);
            } catch (IOException e) {
                orphan = isOlderThan(ORPHAN_AGE_WITHOUT_LOCKS, folder);
            }
            if (orphan) {
                remove(folder, lock);
            }
        }
    }

    private static boolean isOlderThan(Duration age, Path folder) throws IOException {
        Instant modified =
                Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toInstant();
        return modified.isBefore(Instant.now().minus(age));
    }
}
