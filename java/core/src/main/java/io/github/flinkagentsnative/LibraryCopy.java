package io.github.flinkagentsnative;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A private copy of the library: one for each class loader, because the JVM lets only one of them have a given file. It lies in a
 * folder of its own that nobody else may enter, and is gone as soon as it is loaded, where the system allows that.
 */
final class LibraryCopy {

    private static final String PREFIX = "flink-agents-native-";
    /** A copy is needed for milliseconds; only a killed process, or Windows, leaves one behind. */
    private static final Duration ORPHAN_AGE = Duration.ofHours(1);

    /** Where the bytes come from. */
    interface Source {
        InputStream open() throws IOException;
    }

    private LibraryCopy() {}

    /** Folders to try, best first. */
    static Set<Path> folders() {
        List<String> names = new ArrayList<>();
        names.add(System.getProperty(NativeLibrary.TMPDIR_PROPERTY));
        names.add(System.getProperty("java.io.tmpdir"));
        String home = System.getProperty("user.home");
        names.add(home == null || home.equals("?") ? null : home + "/.cache");
        names.add("/var/tmp");
        names.add(System.getProperty("user.dir"));
        Set<Path> folders = new LinkedHashSet<>();
        for (String name : names) {
            if (name != null && !name.isBlank()) {
                folders.add(Path.of(name).toAbsolutePath().normalize());
            }
        }
        return folders;
    }

    /**
     * Copies the library into the first folder that will have it and execute it, and loads it.
     *
     * @param tried gets a line for each folder that failed
     * @return the folder that worked
     * @throws UnsatisfiedLinkError if none worked
     */
    static Path load(Source source, LibraryPlatform platform, List<String> tried) {
        UnsatisfiedLinkError last = new ExplainedLinkError("no folder takes a copy of it; see above");
        for (Path folder : folders()) {
            try {
                loadFrom(folder, source, platform);
                return folder;
            } catch (IOException | UnsupportedOperationException | SecurityException e) {
                tried.add("copy in " + folder + ": " + e + "; set system property " + NativeLibrary.TMPDIR_PROPERTY
                        + " to a folder that can be written");
                last.addSuppressed(e);
            } catch (UnsatisfiedLinkError e) {
                if (LinkFailure.of(e) != LinkFailure.NO_EXECUTION) {
                    throw e; // another folder cannot help
                }
                tried.add(
                        "copy in " + folder + ": " + LinkFailure.NO_EXECUTION.explain() + " [" + e.getMessage() + "]");
                last.addSuppressed(e);
            }
        }
        throw last;
    }

    private static void loadFrom(Path parent, Source source, LibraryPlatform platform) throws IOException {
        Files.createDirectories(parent);
        sweep(parent);
        Path folder = Files.createTempDirectory(parent, PREFIX, ownerOnly("rwx------"));
        Path file = folder.resolve(System.mapLibraryName(NativeLibrary.NAME));
        try {
            write(source, file);
            String problem = platform.os().equals("linux") ? ElfFile.problem(file, platform.architecture()) : null;
            if (problem != null) {
                throw new ExplainedLinkError(problem);
            }
            System.load(file.toString());
        } finally {
            delete(folder, file);
        }
    }

    /** Its message already says why, and what to do. */
    static final class ExplainedLinkError extends UnsatisfiedLinkError {
        ExplainedLinkError(String message) {
            super(message);
        }
    }

    /** Reads twice if need be: a redeploy of another job may close the shared jar file under us. */
    private static void write(Source source, Path file) throws IOException {
        Files.createFile(file, ownerOnly("rwx------"));
        try {
            transfer(source, file);
        } catch (IOException first) {
            try {
                transfer(source, file);
            } catch (IOException second) {
                second.addSuppressed(first);
                throw second;
            }
        }
    }

    private static void transfer(Source source, Path file) throws IOException {
        // No channel: an interrupt, with which Flink cancels tasks, would close it.
        try (InputStream in = source.open();
                OutputStream out = new FileOutputStream(file.toFile())) {
            in.transferTo(out);
        }
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static void delete(Path folder, Path file) {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // Windows keeps a loaded library; the folder goes first because deletion on exit runs backwards.
            folder.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
        }
    }

    /** Removes what killed processes have left. A library that is in use cannot be deleted, so nothing else is lost. */
    private static void sweep(Path parent) throws IOException {
        Instant limit = Instant.now().minus(ORPHAN_AGE);
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : candidates) {
                deleteOrphan(folder, limit);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void deleteOrphan(Path folder, Instant limit) {
        try {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS)
                            .toInstant()
                            .isBefore(limit)) {
                Files.deleteIfExists(folder.resolve(System.mapLibraryName(NativeLibrary.NAME)));
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            // Another user's, in use, or just swept by another process: not ours to remove.
            return;
        }
    }
}
