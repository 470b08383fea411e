package io.github.flinkagentsnative;

import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A private copy of the library: one for each class loader, because the JVM lets only one of them have a given file. It is gone as
 * soon as it is loaded, where the system allows that.
 */
final class LibraryCopy {

    private LibraryCopy() {}

    /** Folders to try, best first. */
    static List<String> folders() {
        String home = System.getProperty("user.home");
        return Stream.of(
                        System.getProperty(NativeLibrary.TMPDIR_PROPERTY),
                        System.getProperty("java.io.tmpdir"),
                        home == null || home.equals("?") ? null : home + "/.cache",
                        File.separatorChar == '/' ? "/var/tmp" : null,
                        System.getProperty("user.dir"))
                .filter(name -> name != null && !name.isBlank())
                .distinct()
                .toList();
    }

    /**
     * Copies the library into the first folder that will have it and execute it, and loads it.
     *
     * @param tried gets a line for each folder that failed
     * @return the folder that worked
     * @throws LoadError if none worked
     */
    static Path load(byte[] library, Collection<String> tried) {
        Set<Path> done = new LinkedHashSet<>();
        LoadError last = null;
        for (String name : folders()) {
            Path folder = null;
            try {
                folder = Path.of(name).toAbsolutePath().normalize();
                if (!done.add(folder)) {
                    continue;
                }
                loadFrom(folder, library);
                return folder;
            } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
                last = new LoadError(folderFailure(folder, e, library.length), String.valueOf(e));
                last.initCause(e);
            } catch (UnsatisfiedLinkError e) {
                last = explained(e, folder);
                if (!last.failure().dependsOnFolder()) {
                    throw last;
                }
            }
            tried.add("copy in " + name + ": " + last.getMessage());
        }
        throw last == null
                ? new LoadError(LinkFailure.NO_FOLDER, "no folder is named")
                : new LoadError(LinkFailure.NO_FOLDER, last);
    }

    private static void loadFrom(Path parent, byte[] library) throws IOException {
        CopyFolder.sweep(parent);
        try (CopyFolder folder = CopyFolder.in(parent)) {
            System.load(folder.write(library).toString());
        }
    }

    /** What the linker said about a copy in this folder. */
    static LoadError explained(UnsatisfiedLinkError e, Path folder) {
        LoadError explained = LoadError.of(e);
        return explained.failure() == LinkFailure.UNKNOWN && MountTable.forbidsExecution(folder)
                ? new LoadError(LinkFailure.NO_EXECUTION, e)
                : explained;
    }

    /** Told from the file system, because the words of an exception depend on system and language. */
    private static LinkFailure folderFailure(Path folder, Exception e, long bytes) {
        if (folder == null || e instanceof AccessDeniedException) {
            return LinkFailure.FOLDER_UNUSABLE;
        }
        try {
            FileStore store = Files.getFileStore(existing(folder));
            if (store.isReadOnly()) {
                return LinkFailure.FOLDER_READ_ONLY;
            } else if (store.getUsableSpace() < bytes) {
                return LinkFailure.FOLDER_FULL;
            }
        } catch (IOException unknown) {
            e.addSuppressed(unknown);
        }
        return LinkFailure.FOLDER_UNUSABLE;
    }

    private static Path existing(Path folder) {
        Path existing = folder;
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing;
    }
}
