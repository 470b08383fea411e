package io.github.flinkagentsnative;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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
    static final String COMPILED_PACKAGE = String.join(".", "io", "github", "flinkagentsnative");

    private static final String BY_APPLICATION = "loaded by the application";
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
            origin = BY_APPLICATION;
            return;
        }
        UnsatisfiedLinkError again = new UnsatisfiedLinkError(firstFailure.getMessage());
        again.initCause(firstFailure);
        throw again;
    }

    private static boolean isLinkedWell() {
        try {
            return isLinked();
        } catch (LoadError e) {
            return false; // the first failure says so already
        }
    }

    private static String find(List<String> tried) {
        rejectRelocation();
        if (isLinkedBefore(tried)) {
            return BY_APPLICATION;
        }
        LibraryPlatform platform = LibraryPlatform.current();
        String path = System.getProperty(PATH_PROPERTY);
        if (path != null && !path.isBlank()) {
            return load(new NamedFile(path), platform, tried);
        }
        List<Place> places = new ArrayList<>(List.of(new InJar(platform), new OnLibraryPath()));
        if (Boolean.getBoolean(SYSTEM_FIRST_PROPERTY)) {
            Collections.reverse(places);
        }
        LoadError last = null;
        for (Place place : places) {
            try {
                return load(place, platform, tried);
            } catch (LoadError e) {
                if (e.failure() == LinkFailure.OTHER_VERSION) {
                    throw e; // its functions are bound, so that nothing else can be tried
                }
                last = e;
            }
        }
        throw last;
    }

    private static boolean isLinkedBefore(List<String> tried) {
        try {
            return isLinked();
        } catch (LoadError e) {
            tried.add(BY_APPLICATION + ": " + e.getMessage());
            throw e;
        }
    }

    /** Loads from one place and says where that was. */
    private static String load(Place place, LibraryPlatform platform, List<String> tried) {
        try {
            String origin = place.load(platform, tried);
            verifyLoaded();
            return origin;
        } catch (UnsatisfiedLinkError | IllegalCallerException e) {
            LoadError explained = LoadError.of(e);
            tried.add(place + ": " + explained.getMessage());
            throw explained;
        }
    }

    // ---- the places to look in

    private interface Place {
        /** Loads the library and says from where; what failed on the way goes to {@code tried}. */
        String load(LibraryPlatform platform, List<String> tried);
    }

    private record NamedFile(String name) implements Place {
        @Override
        public String load(LibraryPlatform platform, List<String> tried) {
            Path file;
            try {
                file = Path.of(name).toAbsolutePath();
            } catch (InvalidPathException e) {
                throw new LoadError(LinkFailure.NO_FILE, e);
            }
            if (!Files.isRegularFile(file)) {
                throw new LoadError(LinkFailure.NO_FILE, file.toString());
            }
            loadOrCopy(file, () -> System.load(file.toString()), platform, tried);
            return toString();
        }

        @Override
        public String toString() {
            return "file " + name + " (system property " + PATH_PROPERTY + ")";
        }
    }

    private record InJar(LibraryResource resource) implements Place {
        InJar(LibraryPlatform platform) {
            this(new LibraryResource("native/" + platform.classifier() + "/" + System.mapLibraryName(NAME)));
        }

        @Override
        public String load(LibraryPlatform platform, List<String> tried) {
            byte[] library = resource.read();
            LibraryFile.check(library, platform);
            return this + ", copied to " + LibraryCopy.load(library, tried);
        }

        @Override
        public String toString() {
            return "the jar (resource " + resource.name() + ")";
        }
    }

    private record OnLibraryPath() implements Place {
        @Override
        public String load(LibraryPlatform platform, List<String> tried) {
            Path file = find(System.getProperty("java.library.path", ""));
            if (file == null) {
                System.loadLibrary(NAME); // the JVM may look in more places
                return toString();
            }
            loadOrCopy(file, () -> System.loadLibrary(NAME), platform, tried);
            return this + " (" + file + ")";
        }

        private static Path find(String folders) {
            for (String folder : folders.split(File.pathSeparator)) {
                File file = new File(folder.isEmpty() ? "." : folder, System.mapLibraryName(NAME));
                if (file.isFile()) {
                    return file.toPath().toAbsolutePath();
                }
            }
            return null;
        }

        @Override
        public String toString() {
            return "java.library.path";
        }
    }

    /** Loads directly, or as a copy when another class loader has that very file. */
    private static void loadOrCopy(Path file, Runnable direct, LibraryPlatform platform, List<String> tried) {
        byte[] library;
        try (InputStream in = new FileInputStream(file.toFile())) {
            library = in.readAllBytes();
        } catch (IOException e) {
            throw new LoadError(LinkFailure.UNREADABLE, e);
        }
        LibraryFile.check(library, platform);
        try {
            direct.run();
        } catch (UnsatisfiedLinkError e) {
            if (LinkFailure.of(e) != LinkFailure.OTHER_CLASS_LOADER) {
                throw e;
            }
            LibraryCopy.load(library, tried);
        }
    }

    // ---- is it ours, and of our version?

    private static boolean isLinked() {
        try {
            verify();
            return true;
        } catch (LoadError e) {
            throw e;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    private static void verifyLoaded() {
        try {
            verify();
        } catch (LoadError e) {
            throw e;
        } catch (UnsatisfiedLinkError e) {
            throw new LoadError(LinkFailure.FOREIGN, e);
        }
    }

    private static void verify() {
        Map<String, Object> library;
        try {
            library = NativeErrors.resultUnchecked(Native.handshake(Frames.pack(Map.of())));
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new LoadError(LinkFailure.OTHER_VERSION, e);
        }
        Object version = library.get("version");
        Object frames = library.get("frame_version");
        if (!VERSION.equals(version) || !Integer.valueOf(Frames.VERSION).equals(frames)) {
            throw new LoadError(
                    LinkFailure.OTHER_VERSION,
                    "the library is version " + version + " with frames " + frames + ", these classes are version "
                            + VERSION + " with frames " + Frames.VERSION);
        }
    }

    private static void rejectRelocation() {
        String actual = NativeLibrary.class.getPackageName();
        if (!actual.equals(COMPILED_PACKAGE)) {
            throw new LoadError(LinkFailure.RELOCATED, "from " + COMPILED_PACKAGE + " to " + actual);
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
