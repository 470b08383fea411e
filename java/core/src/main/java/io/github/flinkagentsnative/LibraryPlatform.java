package io.github.flinkagentsnative;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What this JVM runs on, in the words of Maven classifiers (as os-maven-plugin names them): {@code linux-x86_64},
 * {@code linux-aarch_64-musl}, {@code osx-aarch_64}, {@code windows-x86_64}.
 */
record LibraryPlatform(String os, String architecture, boolean musl) {

    // The kernel marks a file that was replaced since, as an upgrade of libc does it.
    private static final Pattern MUSL =
            Pattern.compile("(?m)/(ld-musl-[^/\\s]+|libc\\.musl-[^/\\s]+)( \\(deleted\\))?$");
    private static final Pattern GLIBC = Pattern.compile("(?m)/(libc\\.so\\.6|libc-2\\.\\d+\\.so)( \\(deleted\\))?$");

    /** The platform of the running JVM. */
    static LibraryPlatform current() {
        String os = os(System.getProperty("os.name", ""));
        boolean musl = os.equals("linux") && isMusl(ownMaps(), Path.of(System.getProperty("java.home", "")));
        return new LibraryPlatform(os, architecture(System.getProperty("os.arch", "")), musl);
    }

    String classifier() {
        return os + "-" + architecture + (musl ? "-musl" : "");
    }

    /** Every spelling of {@code os.name} to one word; an unknown one stays as it is, without blanks. */
    static String os(String name) {
        String plain = normal(name);
        if (plain.startsWith("linux")) {
            return "linux";
        } else if (plain.startsWith("mac") || plain.startsWith("osx") || plain.startsWith("darwin")) {
            return "osx";
        } else if (plain.startsWith("windows")) {
            return "windows";
        }
        return plain;
    }

    /** Every spelling of {@code os.arch} to one word; an unknown one stays as it is, without punctuation. */
    static String architecture(String name) {
        String plain = normal(name);
        return switch (plain) {
            case "x8664", "amd64", "ia32e", "em64t", "x64" -> "x86_64";
            case "aarch64", "arm64", "armv8", "arm64v8", "arm64e" -> "aarch_64";
            case "x86", "x8632", "i386", "i486", "i586", "i686", "ia32" -> "x86_32";
            case "arm", "arm32", "armv7", "armv7l", "armv8l" -> "arm_32";
            default -> plain;
        };
    }

    /**
     * Whether the process with these memory maps runs on musl. What is mapped decides, not what is installed: a glibc system may
     * well have musl's files. Without maps (no {@code /proc}) a library of the JVM itself tells.
     */
    static boolean isMusl(String maps, Path javaHome) {
        boolean musl = MUSL.matcher(maps).find();
        boolean glibc = GLIBC.matcher(maps).find();
        return musl || glibc ? !glibc : isBuiltForMusl(javaHome.resolve("lib").resolve("libjava.so"));
    }

    private static boolean isBuiltForMusl(Path library) {
        try (InputStream in = new FileInputStream(library.toFile())) {
            return Boolean.TRUE.equals(ElfFile.read(in.readAllBytes()).musl());
        } catch (IOException | LoadError e) {
            return false; // glibc is the better guess
        }
    }

    private static String ownMaps() {
        // No channel: an interrupt would close it.
        try (InputStream in = new FileInputStream("/proc/self/maps")) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static String normal(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
