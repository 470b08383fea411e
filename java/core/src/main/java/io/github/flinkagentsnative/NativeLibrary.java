package io.github.flinkagentsnative;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loads the native library, once for each class loader. Everything that needs it calls {@link #load} by itself.
 *
 * <p>It looks, in this order, for
 * <ol>
 *   <li>a library that the application has loaded already, with {@code System.loadLibrary("flink_agents_native")} or
 *       {@code System.load};
 *   <li>the file that system property {@value #PATH_PROPERTY} names; nothing else is tried then;
 *   <li>the library in the jar whose classifier fits this JVM, copied into a private folder: under the one that system property
 *       {@value #TMPDIR_PROPERTY} names, {@code java.io.tmpdir}, or the first of a few others that works;
 *   <li>{@code flink_agents_native} on {@code java.library.path}; with system property
 *       {@value #SYSTEM_FIRST_PROPERTY}{@code =true} this comes before the jar.
 * </ol>
 */
public final class NativeLibrary {

    /** System property: path of the library file to load. */
    public static final String PATH_PROPERTY = "io.github.flinkagentsnative.library";

    /** System property: folder for the private copy of the library. */
    public static final String TMPDIR_PROPERTY = "io.github.flinkagentsnative.tmpdir";

    /** System property: {@code true} makes {@code java.library.path} come before the library in the jar. */
    public static final String SYSTEM_FIRST_PROPERTY = "io.github.flinkagentsnative.systemLibraryFirst";

    /** Name for {@link System#loadLibrary}. */
    static final String NAME = "flink_agents_native";

    /** Version of these classes; the library has to be of the same one. */
    static final String VERSION = "0.1.0";

    /** Spelled so that tools that relocate classes, and rewrite their names in strings, do not find it. */
    private static final String COMPILED_CLASS = String.join(".", "io", "github", "flinkagentsnative", "NativeLibrary");

    private static final Object LOCK = new Object();
    private static volatile String origin;
    private static UnsatisfiedLinkError firstFailure;

    private NativeLibrary() {}

    /**
     * Loads the library unless that is done; cheap when it is. Any thread may call it, any number of times.
     *
     * @throws UnsatisfiedLinkError if it cannot be loaded: the message lists what was tried, why it failed, and what to do.
     *     The first failure is kept: later calls throw a new error with the first as its cause
     */
    public static void load() {
        if (origin == null) {
            loadOnce();
        }
    }

    /** Whether the library is loaded. */
    public static boolean isLoaded() {
        return origin != null;
    }

    /** Where the library was found, for people; empty while it is not loaded. */
    public static Optional<String> origin() {
        return Optional.ofNullable(origin);
    }

    private static void loadOnce() {
        synchronized (LOCK) {
            if (origin != null) {
                return;
            }
            if (firstFailure != null) {
                retryLinked();
                return;
            }
            List<String> tried = new ArrayList<>();
            try {
                origin = find(tried);
            } catch (UnsatisfiedLinkError | RuntimeException e) {
                firstFailure = failure(tried, e);
                throw firstFailure;
            }
        }
    }

    /** After a failure only this may change: that the application loads the library itself. */
    private static void retryLinked() {
        if (isLinkedWell()) {
            origin = "loaded by the application";
            return;
        }
        UnsatisfiedLinkError again = new UnsatisfiedLinkError(firstFailure.getMessage());
        again.initCause(firstFailure);
        throw again;
    }

    private static boolean isLinkedWell() {
        try {
            return isLinked();
        } catch (MismatchError e) {
            return false; // the first failure says so already
        }
    }

    private static String find(List<String> tried) {
        rejectRelocation();
        if (isLinked()) {
            return "loaded by the application";
        }
        LibraryPlatform platform = LibraryPlatform.current();
        String path = System.getProperty(PATH_PROPERTY);
        if (path != null && !path.isBlank()) {
            return explicit(path, platform, tried);
        }
        boolean systemFirst = Boolean.getBoolean(SYSTEM_FIRST_PROPERTY);
        String found = systemFirst ? onLibraryPath(platform, tried) : bundled(platform, tried);
        if (found == null) {
            found = systemFirst ? bundled(platform, tried) : onLibraryPath(platform, tried);
        }
        if (found == null) {
            throw new UnsatisfiedLinkError("nothing worked");
        }
        return found;
    }

    // ---- the places to look in; null means: go on

    private static String explicit(String path, LibraryPlatform platform, List<String> tried) {
        String place = "file " + path + " (system property " + PATH_PROPERTY + ")";
        Path file = Path.of(path).toAbsolutePath();
        if (!Files.isRegularFile(file)) {
            tried.add(place + ": there is no such file; correct the property or remove it");
            throw new UnsatisfiedLinkError("no such file");
        }
        load(file, () -> System.load(file.toString()), place, platform, tried);
        return place;
    }

    private static String bundled(LibraryPlatform platform, List<String> tried) {
        String resource = "native/" + platform.classifier() + "/" + System.mapLibraryName(NAME);
        String place = "the jar (resource io/github/flinkagentsnative/" + resource + ")";
        URL url = NativeLibrary.class.getResource(resource);
        if (url == null) {
            tried.add(place + ": not on the class path; add the dependency"
                    + " io.github.flinkagentsnative:flink-agents-native:" + VERSION + ":" + platform.classifier());
            return null;
        }
        int before = tried.size();
        try {
            Path folder = LibraryCopy.load(
                    () -> {
                        // A cached connection shares its jar file with others, who may close it.
                        URLConnection connection = url.openConnection();
                        connection.setUseCaches(false);
                        return connection.getInputStream();
                    },
                    platform,
                    tried);
            verifyLinked(place);
            while (tried.size() > before) {
                tried.remove(tried.size() - 1);
            }
            return place + ", copied to " + folder;
        } catch (MismatchError e) {
            tried.add(e.getMessage());
            throw e;
        } catch (UnsatisfiedLinkError | IllegalCallerException e) {
            tried.add(place + ": " + explain(e));
            return null;
        }
    }

    private static String onLibraryPath(LibraryPlatform platform, List<String> tried) {
        String folders = System.getProperty("java.library.path", "");
        String place = "java.library.path";
        Path file = fileOnLibraryPath(folders);
        try {
            load(file, () -> System.loadLibrary(NAME), place, platform, tried);
            return file == null ? place : place + " (" + file + ")";
        } catch (MismatchError e) {
            throw e;
        } catch (UnsatisfiedLinkError | IllegalCallerException e) {
            return null;
        }
    }

    private static Path fileOnLibraryPath(String folders) {
        for (String folder : folders.split(File.pathSeparator)) {
            File file = new File(folder.isEmpty() ? "." : folder, System.mapLibraryName(NAME));
            if (file.isFile()) {
                return file.toPath().toAbsolutePath();
            }
        }
        return null;
    }

    /** Loads directly, or as a copy when another class loader has that very file. */
    private static void load(Path file, Runnable direct, String place, LibraryPlatform platform, List<String> tried) {
        try {
            String problem = file == null || !platform.os().equals("linux")
                    ? null
                    : ElfFile.problem(file, platform.architecture());
            if (problem != null) {
                throw new LibraryCopy.ExplainedLinkError(problem);
            }
            try {
                direct.run();
            } catch (UnsatisfiedLinkError e) {
                if (file == null || LinkFailure.of(e) != LinkFailure.OTHER_CLASS_LOADER) {
                    throw e;
                }
                LibraryCopy.load(() -> new FileInputStream(file.toFile()), platform, tried);
            }
            verifyLinked(place);
        } catch (MismatchError e) {
            tried.add(e.getMessage());
            throw e;
        } catch (UnsatisfiedLinkError | IllegalCallerException e) {
            tried.add(place + ": " + explain(e));
            throw e;
        } catch (IOException e) {
            tried.add(place + ": it cannot be read [" + e + "]; check its permissions");
            UnsatisfiedLinkError unreadable = new UnsatisfiedLinkError("cannot be read");
            unreadable.initCause(e);
            throw unreadable;
        }
    }

    private static String explain(Throwable e) {
        return e instanceof LibraryCopy.ExplainedLinkError
                ? e.getMessage()
                : LinkFailure.of(e).explain() + " [" + e.getMessage() + "]";
    }

    // ---- is it ours, and of our version?

    /** A loaded library that is not ours, or not of our version; its functions are bound, so nothing else can be tried. */
    private static final class MismatchError extends UnsatisfiedLinkError {
        MismatchError(String message) {
            super(message);
        }
    }

    private static boolean isLinked() {
        try {
            verify("the library that the application has loaded");
            return true;
        } catch (MismatchError e) {
            throw e;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    private static void verifyLinked(String place) {
        try {
            verify(place);
        } catch (MismatchError e) {
            throw e;
        } catch (UnsatisfiedLinkError e) {
            UnsatisfiedLinkError foreign = new LibraryCopy.ExplainedLinkError(
                    "it was loaded but is not the library of flink-agents-native (it lacks its functions); remove it");
            foreign.initCause(e);
            throw foreign;
        }
    }

    private static void verify(String place) {
        Map<String, Object> library;
        try {
            library = NativeErrors.resultUnchecked(Native.handshake(Frames.pack(Map.of())));
        } catch (IllegalStateException | IllegalArgumentException e) {
            MismatchError unreadable = new MismatchError(place + ": it does not understand these classes, version "
                    + VERSION + " [" + e.getMessage() + "]; use library and classes of one version");
            unreadable.initCause(e);
            throw unreadable;
        }
        Object version = library.get("version");
        Object frames = library.get("frame_version");
        if (!VERSION.equals(version) || !Integer.valueOf(Frames.VERSION).equals(frames)) {
            throw new MismatchError(place + ": it is version " + version + " with frames " + frames
                    + ", but these classes are version " + VERSION + " with frames " + Frames.VERSION
                    + "; remove the other version from class path and library path");
        }
    }

    private static void rejectRelocation() {
        String actual = NativeLibrary.class.getName();
        if (!actual.equals(COMPILED_CLASS)) {
            throw new MismatchError("these classes were relocated from " + COMPILED_CLASS + " to " + actual
                    + ", but native functions are bound to class names; exclude "
                    + COMPILED_CLASS.substring(0, COMPILED_CLASS.lastIndexOf('.')) + ".** from the relocation");
        }
    }

    private static UnsatisfiedLinkError failure(List<String> tried, Throwable last) {
        StringBuilder message = new StringBuilder("The native library of flink-agents-native ")
                .append(VERSION)
                .append(" cannot be loaded (")
                .append(LibraryPlatform.current().classifier())
                .append(", Java ")
                .append(System.getProperty("java.version"))
                .append(").");
        if (tried.isEmpty()) {
            message.append(' ').append(last.getMessage());
        } else {
            message.append(" Tried:");
        }
        for (String line : tried) {
            message.append("\n  - ").append(line);
        }
        UnsatisfiedLinkError failure = new UnsatisfiedLinkError(message.toString());
        failure.initCause(last);
        return failure;
    }
}
