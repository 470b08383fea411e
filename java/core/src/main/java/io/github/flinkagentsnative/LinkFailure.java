package io.github.flinkagentsnative;

import java.util.Locale;

/** Why a library could not be linked, told from what the JVM and the system's linker say, and what to do about it. */
enum LinkFailure {
    GLIBC_TOO_OLD(
            "this system's glibc is older than the library needs",
            "use a system with glibc 2.17 or newer, or build the library on this one"),
    WRONG_LIBC(
            "the library is built for another libc (glibc and musl do not mix)",
            "use the dependency whose classifier matches this JVM; musl ones end in '-musl'"),
    WRONG_ARCHITECTURE(
            "the library is built for another processor or system",
            "use the dependency whose classifier matches this JVM"),
    TRUNCATED("the file is cut short or is no library", "download or copy it again"),
    OTHER_CLASS_LOADER(
            "another class loader of this JVM has loaded this very file, and the JVM allows that once",
            "leave loading to NativeLibrary, which makes a copy for each class loader"),
    ACCESS_DENIED("this JVM denies native access", "start it with --enable-native-access=ALL-UNNAMED"),
    NO_EXECUTION(
            "the folder is mounted without permission to execute (noexec), or a security module forbids it",
            "set system property " + NativeLibrary.TMPDIR_PROPERTY + " to a folder that allows execution"),
    NO_TLS_SPACE(
            "the process has no room left for the library's thread-local storage",
            "load the library earlier, or fewer native libraries"),
    MISSING("the file, or a library that it needs, is not there", "check the path and what the library needs (ldd)"),
    UNKNOWN("the system's linker refused it", "see the cause");

    private final String cause;
    private final String advice;

    LinkFailure(String cause, String advice) {
        this.cause = cause;
        this.advice = advice;
    }

    /** Tells the reason from a failure of {@link System#load} or {@link System#loadLibrary}. */
    static LinkFailure of(Throwable failure) {
        if (failure instanceof IllegalCallerException) {
            return ACCESS_DENIED;
        }
        String text = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        // The order matters: a missing glibc version, say, also mentions shared objects.
        if (text.contains("already loaded in another classloader")) {
            return OTHER_CLASS_LOADER;
        } else if (text.contains("illegal native access")) {
            return ACCESS_DENIED;
        } else if (text.contains("version `glibc_") || text.contains("version 'glibc_")) {
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
            return WRONG_ARCHITECTURE;
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

    /** Cause and advice in one clause. */
    String explain() {
        return cause + "; " + advice;
    }
}
