package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibraryPlatformTest {

    private static final Path NO_JVM = Path.of("/does/not/exist");

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-x86_64",
        "Linux, x86_64, linux-x86_64",
        "linux, x64, linux-x86_64",
        "Linux, x86-64, linux-x86_64",
        "Linux, aarch64, linux-aarch_64",
        "Linux, aarch_64, linux-aarch_64",
        "Linux, arm64, linux-aarch_64",
        "Linux, ARM64, linux-aarch_64",
        "Linux, arm64-v8, linux-aarch_64",
        "Linux, armv8l, linux-arm_32",
        "Linux, arm, linux-arm_32",
        "Linux, i686, linux-x86_32",
        "Linux, aarch64_be, linux-aarch64be",
        "Linux, EM64T, linux-x86_64",
        "Linux, riscv64, linux-riscv64",
        "Mac OS X, x86_64, osx-x86_64",
        "Mac OS X, aarch64, osx-aarch_64",
        "Darwin, arm64, osx-aarch_64",
        "macOS, arm64e, osx-aarch_64",
        "OS X, amd64, osx-x86_64",
        "Windows 11, amd64, windows-x86_64",
        "Windows 11, aarch64, windows-aarch_64",
        "Windows 10, x86, windows-x86_32",
        "Windows Server 2022, amd64, windows-x86_64",
        "FreeBSD, amd64, freebsd-x86_64",
        "'', '', -",
    })
    void every_spelling_has_one_classifier(String os, String architecture, String classifier) {
        assertThat(new LibraryPlatform(LibraryPlatform.os(os), LibraryPlatform.architecture(architecture), false)
                        .classifier())
                .isEqualTo(classifier);
    }

    @Test
    void musl_is_part_of_the_classifier() {
        assertThat(new LibraryPlatform("linux", "aarch_64", true).classifier()).isEqualTo("linux-aarch_64-musl");
    }

    @Test
    void a_jvm_on_glibc() {
        assertThat(LibraryPlatform.isMusl("""
                        55d0b8a2c000-55d0b8a2d000 r--p 00000000 fe:00 1311113   /usr/lib/jvm/java-17-openjdk-amd64/bin/java
                        7f927fe89000-7f927feaf000 r--p 00000000 fe:00 326269    /usr/lib/x86_64-linux-gnu/libc.so.6
                        7f928007e000-7f928007f000 r--p 00000000 fe:00 325835    /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
                        """, NO_JVM)).isFalse();
    }

    @Test
    void a_jvm_on_an_old_glibc() {
        assertThat(LibraryPlatform.isMusl(
                        "7f1c8c1d3000-7f1c8c396000 r-xp 00000000 fd:00 33583210   /usr/lib64/libc-2.17.so\n", NO_JVM))
                .isFalse();
    }

    @Test
    void a_jvm_on_musl() {
        assertThat(LibraryPlatform.isMusl("""
                        5606e7f0e000-5606e7f0f000 r--p 00000000 00:2f 1054     /opt/java/openjdk/bin/java
                        7f3a5c1c8000-7f3a5c1dc000 r--p 00000000 00:2f 812      /lib/ld-musl-x86_64.so.1
                        """, NO_JVM)).isTrue();
    }

    @Test
    void a_jvm_on_glibc_that_has_something_of_musl_mapped() {
        assertThat(LibraryPlatform.isMusl("""
                        7f927fe89000-7f927feaf000 r--p 00000000 fe:00 326269    /usr/lib/x86_64-linux-gnu/libc.so.6
                        7f3a5c1c8000-7f3a5c1dc000 r--p 00000000 00:2f 812      /lib/ld-musl-x86_64.so.1
                        """, NO_JVM)).isFalse();
    }

    @Test
    void a_libc_that_was_upgraded_under_the_running_jvm_is_known() {
        assertThat(LibraryPlatform.isMusl(
                        "7f3a5c1c8000-7f3a5c1dc000 r--p 0 00:2f 812      /lib/ld-musl-x86_64.so.1 (deleted)\n", NO_JVM))
                .isTrue();
        assertThat(LibraryPlatform.isMusl("""
                        7f927fe89000-7f927feaf000 r--p 0 fe:00 326269    /usr/lib/x86_64-linux-gnu/libc.so.6 (deleted)
                        7f3a5c1c8000-7f3a5c1dc000 r--p 0 00:2f 812      /lib/ld-musl-x86_64.so.1
                        """, NO_JVM)).isFalse();
    }

    @Test
    void without_maps_a_library_of_the_jvm_tells(@TempDir Path home) throws Exception {
        Path lib = Files.createDirectory(home.resolve("lib"));
        DoctoredLibrary.copy().replaced("libc.so.6", "libc.so").writtenTo(lib.resolve("libjava.so"));
        assertThat(LibraryPlatform.isMusl("", home)).isTrue();
        DoctoredLibrary.copy().writtenTo(lib.resolve("libjava.so"));
        assertThat(LibraryPlatform.isMusl("", home)).isFalse();
        DoctoredLibrary.copy().cutTo(1000).writtenTo(lib.resolve("libjava.so"));
        assertThat(LibraryPlatform.isMusl("", home)).isFalse();
        // The running JVM, by both ways.
        assertThat(LibraryPlatform.isMusl("", Path.of(System.getProperty("java.home"))))
                .isEqualTo(LibraryPlatform.current().musl());
    }

    @Test
    void a_folder_called_like_musl_is_no_libc() {
        assertThat(LibraryPlatform.isMusl(
                        "7f3a5c1c8000-7f3a5c1dc000 r--p 00000000 00:2f 812   /opt/ld-musl-tools/lib/libfoo.so\n",
                        NO_JVM))
                .isFalse();
        assertThat(LibraryPlatform.isMusl("", NO_JVM)).isFalse();
    }
}
