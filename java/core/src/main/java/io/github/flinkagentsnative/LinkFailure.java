package io.github.flinkagentsnative;

import java.util.Locale;

/**
 * Why the library could not be loaded, and what to do about it; docs/loading.md has a row for each. Some are told from the file
 * or the folder, the others from what the JVM and the system's linker say.
 */
enum LinkFailure {
    NO_JAR("the library is not on the class path", "add the dependency {dependency}"),
    DAMAGED_JAR(
            "the library cannot be read from its jar, or comes out damaged",
            "fetch the jar again, and never replace one under a running JVM"),
    NO_FILE(
            "there is no such file",
            "correct system property " + NativeLibrary.PATH_PROPERTY + ", or remove it to use the jar"),
    UNREADABLE("the file cannot be read", "check its permissions"),
    FOLDER_READ_ONLY("the folder is on a read-only file system", LinkFailure.WRITABLE),
    FOLDER_FULL(
            "the folder's file system is full",
            "free some space, or set system property " + NativeLibrary.TMPDIR_PROPERTY + " to a folder that has it"),
    FOLDER_UNUSABLE("the folder cannot be made or written", LinkFailure.WRITABLE),
    NO_EXECUTION(
            "the folder is mounted without permission to execute (noexec), or a security module forbids it",
            "set system property " + NativeLibrary.TMPDIR_PROPERTY + " to a folder that allows execution"),
    NO_FOLDER(
            "no folder takes a copy of the library",
            "set system property " + NativeLibrary.TMPDIR_PROPERTY + " to a folder that can be written and executed"),
    WRONG_PLATFORM("the library is built for another processor or system", "use the dependency {dependency}"),
    WRONG_LIBC("the library is built for another libc (glibc and musl do not mix)", "use the dependency {dependency}"),
    GLIBC_TOO_OLD(
            "this system's glibc is older than the library needs",
            "use a system with glibc 2.17 or newer, or build the library on this one"),
    TRUNCATED("the file is cut short or is no library", "fetch or copy it again"),
    MISSING("the file, or a library that it needs, is not there", "check the path and what the library needs (ldd)"),
    NO_TLS_SPACE(
            "the process has no room left for the library's thread-local storage",
            "load the library earlier, or fewer native libraries"),
    OTHER_CLASS_LOADER(
            "another class loader of this JVM has loaded this very file, and the JVM allows that once",
            "leave loading to NativeLibrary, which makes a copy for each class loader"),
    ACCESS_DENIED("this JVM denies native access", "start it with --enable-native-access={module}"),
    FOREIGN("it is not the library of flink-agents-native (it lacks its functions)", "remove it"),
    OTHER_VERSION("library and classes are of different versions", "leave one version on class path and library path"),
    RELOCATED(
            "these classes were relocated, but native functions are bound to class names",
            "exclude {package}.** from the relocation"),
    UNKNOWN("the system's linker refused it", "see what it says, and the cause");

    private static final String WRITABLE =
            "set system property " + NativeLibrary.TMPDIR_PROPERTY + " to a folder that can be written";

    private final String cause;
    private final String advice;

    LinkFailure(String cause, String advice) {
        this.cause = cause;
        this.advice = advice;
    }

    /** Tells the reason from a failure of {@link System#load} or {@link System#loadLibrary}. */
    static LinkFailure of(Throwable failure) {
        if (failure instanceof LoadError told) {
            return told.failure();
        } else if (failure instanceof IllegalCallerException) {
            return ACCESS_DENIED;
        }
        String text = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        // The order matters: a missing glibc version, say, also mentions shared objects.
        if (text.contains("already loaded in another classloader")) {
            return OTHER_CLASS_LOADER;
        } else if (text.contains("illegal native access")) {
            return ACCESS_DENIED;
        } else if (text.contains("glibc_2.")) {
            return GLIBC_TOO_OLD;
        } else if (text.contains("libc.musl-")
                || text.contains("error relocating")
                || text.contains("error loading shared library ld-linux")
                || text.contains("error loading shared library libc.so.6")) {
            return WRONG_LIBC;
        } else if (text.contains("static tls")) {
            return NO_TLS_SPACE;
        } else if (text.contains("wrong elf class")
                || text.contains("possible cause: can't load")
                || text.contains("exec format error")
                || text.contains("incompatible architecture")
                || text.contains("mach-o, but wrong")
                || text.contains("not a valid win32 application")
                || text.contains("can't load amd 64-bit")
                || text.contains("can't load ia 32-bit")
                || text.contains("can't load arm 64-bit")) {
            return WRONG_PLATFORM;
        } else if (text.contains("file too short")
                || text.contains("invalid elf header")
                || text.contains("cannot read file data")
                || text.contains("not a mach-o file")
                || text.contains("file truncated")) {
            return TRUNCATED;
        } else if (text.contains("failed to map segment")
                || text.contains("operation not permitted")
                || text.contains("permission denied")) {
            return NO_EXECUTION;
        } else if (text.contains("in java.library.path")
                || text.contains("can't load library")
                || text.contains("no such file")
                || text.contains("can't find dependent libraries")) {
            return MISSING;
        }
        return UNKNOWN;
    }

    /** Whether a copy in another folder may do better. */
    boolean dependsOnFolder() {
        return switch (this) {
            case FOLDER_READ_ONLY, FOLDER_FULL, FOLDER_UNUSABLE, NO_EXECUTION, UNKNOWN -> true;
            default -> false;
        };
    }

    /** The reason, as the table in docs/loading.md has it. */
    String cause() {
        return cause;
    }

    /** Reason and advice in one clause, then the detail. */
    String explain(String detail) {
        return cause + "; " + advice() + " [" + detail + "]";
    }

    private String advice() {
        Module module = LinkFailure.class.getModule();
        String plain = advice.replace("{module}", module.isNamed() ? module.getName() : "ALL-UNNAMED")
                .replace("{package}", NativeLibrary.COMPILED_PACKAGE);
        // Not without need: to tell the platform, a library may have to be read, which may fail.
        return plain.contains("{dependency}")
                ? plain.replace(
                        "{dependency}",
                        "io.github.flinkagentsnative:flink-agents-native:" + NativeLibrary.VERSION + ":"
                                + LibraryPlatform.current().classifier())
                : plain;
    }
}
