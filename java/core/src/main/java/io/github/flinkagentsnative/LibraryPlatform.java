package io.github.flinkagentsnative;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What this JVM runs on, in the words of Maven classifiers (as os-maven-plugin names them): {@code linux-x86_64},
 * {@code linux-aarch_64-musl}, {@code osx-aarch_64}, {@code windows-x86_64}.
 */
record LibraryPlatform(String os, String architecture, boolean musl) {

    private static final Pattern MUSL = Pattern.compile("(?m)/(ld-musl-[^/\\s]+|libc\\.musl-[^/\\s]+)$");
    private static final Pattern GLIBC = Pattern.compile("(?m)/(libc\\.so\\.6|libc-2\\.\\d+\\.so)$");

    /** The platform of the running JVM. */
    static LibraryPlatform current() {
        String os = os(System.getProperty("os.name", ""));
        return new LibraryPlatform(
                os, architecture(System.getProperty("os.arch", "")), os.equals("linux") && isMusl(ownMaps()));
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
            case "aarch64", "arm64", "armv8", "armv8l", "arm64e" -> "aarch_64";
            default -> plain;
        };
    }

    /**
     * Whether the process with these memory maps runs on musl. What is mapped decides, not what is installed: a glibc system may
     * well have musl's files.
     */
    static boolean isMusl(String maps) {
        return MUSL.matcher(maps).find() && !GLIBC.matcher(maps).find();
    }

    private static String ownMaps() {
        try {
            return Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // no /proc: glibc is the better guess
        }
    }

    private static String normal(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
