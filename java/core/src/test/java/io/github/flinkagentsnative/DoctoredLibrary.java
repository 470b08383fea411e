package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Our own library with one thing changed, so that the loader meets the fault for real. */
final class DoctoredLibrary {

    private static final int X86_64 = 62;
    private static final int AARCH_64 = 183;

    private byte[] bytes;

    private DoctoredLibrary(byte[] bytes) {
        this.bytes = bytes;
    }

    static DoctoredLibrary copy() throws IOException {
        return new DoctoredLibrary(Files.readAllBytes(ChildJvm.library()));
    }

    /** Says that it is for the other processor, and which one that is. */
    String forOtherProcessor() {
        boolean intel = bytes[18] == X86_64;
        bytes[18] = (byte) (intel ? AARCH_64 : X86_64);
        return intel ? "aarch_64" : "x86_64";
    }

    DoctoredLibrary cutTo(int length) {
        bytes = Arrays.copyOf(bytes, length);
        return this;
    }

    int length() {
        return bytes.length;
    }

    /** Replaces a text in its tables; a shorter one is filled up with zeros. */
    DoctoredLibrary replaced(String text, String by) {
        assertThat(by.length()).isLessThanOrEqualTo(text.length());
        String latin = new String(bytes, StandardCharsets.ISO_8859_1);
        String old = text + "\0";
        assertThat(latin).contains(old);
        bytes = latin.replace(old, by + "\0".repeat(old.length() - by.length())).getBytes(StandardCharsets.ISO_8859_1);
        return this;
    }

    /** Asks for a glibc that does not exist yet, and says which. */
    String needingFutureGlibc() {
        Matcher version =
                Pattern.compile("GLIBC_2\\.[0-9.]+(?=\0)").matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        assertThat(version.find()).isTrue();
        String future =
                "GLIBC_2." + version.group().substring("GLIBC_2.".length()).replaceAll("[0-9]", "9");
        replaced(version.group(), future);
        return future;
    }

    /** Needs a library that nobody has, and says which. */
    String needingMissingLibrary() {
        List<String> needed = ElfFile.read(bytes).needed();
        String some = needed.stream()
                .filter(name -> !name.startsWith("libc.") && !name.startsWith("ld-"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("it needs nothing else than libc: " + needed));
        String missing = "xxx" + some.substring(3);
        replaced(some, missing);
        return missing;
    }

    byte[] bytes() {
        return bytes;
    }

    Path writtenTo(Path file) throws IOException {
        return Files.write(file, bytes);
    }
}
