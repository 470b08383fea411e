package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of the library itself, each provoked for real: its cause and what to do are told, and the JVM lives. */
class LinkFailuresTest {

    @TempDir
    Path folder;

    @Test
    void a_file_that_was_cut_short_is_refused_before_it_can_kill_the_jvm() throws Exception {
        int whole = DoctoredLibrary.copy().length();
        for (int length : new int[] {0, 10, 64, 4096, whole / 4, whole / 2, whole - 1}) {
            Path cut = DoctoredLibrary.copy().cutTo(length).writtenTo(folder.resolve("cut.so"));
            assertThat(failureOf(cut))
                    .as("%d bytes", length)
                    .contains(LinkFailure.TRUNCATED.cause() + "; fetch or copy it again [" + length);
        }
    }

    @Test
    void a_file_that_is_no_library_is_told() throws Exception {
        Path text = Files.writeString(folder.resolve("text.so"), "no library ".repeat(20));
        assertThat(failureOf(text)).contains(LinkFailure.TRUNCATED.cause(), "it starts like no library");
    }

    @Test
    void damaged_tables_are_refused_and_never_followed() throws Exception {
        byte[] whole = DoctoredLibrary.copy().bytes();
        LibraryPlatform platform = LibraryPlatform.current();
        java.util.Random random = new java.util.Random(19);
        int refused = 0;
        for (int round = 0; round < 2000; round++) {
            byte[] damaged = java.util.Arrays.copyOf(whole, 4096);
            ByteBuffer header = ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN);
            header.putLong(40, 0).putShort(60, (short) 0); // no section headers, so that the segments are read
            for (int change = 0; change < 4; change++) {
                damaged[32 + random.nextInt(700)] = (byte) random.nextInt();
            }
            try {
                LibraryFile.check(damaged, platform);
            } catch (LoadError e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void a_library_for_another_processor_is_told() throws Exception {
        DoctoredLibrary library = DoctoredLibrary.copy();
        String other = library.forOtherProcessor();
        assertThat(failureOf(library.writtenTo(folder.resolve("other.so"))))
                .contains(
                        LinkFailure.WRONG_PLATFORM.cause(),
                        "use the dependency io.github.flinkagentsnative:flink-agents-native:" + NativeLibrary.VERSION
                                + ":" + LibraryPlatform.current().classifier(),
                        "it is for linux-" + other + ", this JVM runs on "
                                + LibraryPlatform.current().classifier());
    }

    @Test
    void libraries_for_other_systems_are_told() throws Exception {
        byte[] windows = new byte[512];
        ByteBuffer.wrap(windows)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, (byte) 'M')
                .put(1, (byte) 'Z')
                .putInt(0x3c, 128)
                .putInt(128, 0x4550)
                .putShort(132, (short) 0x8664);
        assertThat(failureOf(Files.write(folder.resolve("a.dll"), windows)))
                .contains(LinkFailure.WRONG_PLATFORM.cause(), "it is for windows-x86_64, this JVM runs on linux-");

        byte[] apple = new byte[512];
        ByteBuffer.wrap(apple)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, 0xfeedfacf)
                .putInt(4, 0x0100000c);
        assertThat(failureOf(Files.write(folder.resolve("a.dylib"), apple)))
                .contains(LinkFailure.WRONG_PLATFORM.cause(), "it is for osx-aarch_64, this JVM runs on linux-");
    }

    @Test
    void every_other_system_refuses_a_linux_library() throws Exception {
        byte[] linux = DoctoredLibrary.copy().bytes();
        String architecture = LibraryPlatform.current().architecture();
        for (String os : List.of("windows", "osx")) {
            assertThatThrownBy(() -> LibraryFile.check(linux, new LibraryPlatform(os, architecture, false)))
                    .hasMessageContaining("it is for linux-" + architecture + ", this JVM runs on " + os);
        }
    }

    @Test
    void a_library_for_musl_on_a_glibc_jvm_is_told_by_both_of_its_names() throws Exception {
        assumeTrue(!LibraryPlatform.current().musl(), "skipped: this JVM runs on musl");
        // Debian has a text file libc.so, at which the linker would only say `invalid ELF header`.
        Path library = DoctoredLibrary.copy().replaced("libc.so.6", "libc.so").writtenTo(folder.resolve("zig.so"));
        assertThat(failureOf(library))
                .contains(LinkFailure.WRONG_LIBC.cause(), "it needs ", "libc.so", "this JVM runs on glibc");
        Path alpine = compile("libmusl.so", "int fancy(void) { return 1; }", "-Wl,-soname,libc.musl-x86_64.so.1");
        Path needy = compile("needy.so", "int fancy(void); int g(void) { return fancy(); }", alpine.toString());
        assertThat(failureOf(needy)).contains(LinkFailure.WRONG_LIBC.cause(), "libc.musl-x86_64.so.1");
    }

    @Test
    void a_library_for_glibc_is_never_offered_to_a_musl_jvm() throws Exception {
        assumeTrue(!LibraryPlatform.current().musl(), "skipped: this JVM runs on musl");
        byte[] library = DoctoredLibrary.copy().bytes();
        LibraryPlatform alpine =
                new LibraryPlatform("linux", LibraryPlatform.current().architecture(), true);
        assertThatThrownBy(() -> LibraryFile.check(library, alpine))
                .isInstanceOfSatisfying(
                        LoadError.class, e -> assertThat(e.failure()).isEqualTo(LinkFailure.WRONG_LIBC))
                .hasMessageContaining("libc.so.6")
                .hasMessageContaining("this JVM runs on musl");
        LibraryFile.check(
                DoctoredLibrary.copy().replaced("libc.so.6", "libc.so").bytes(), alpine);
    }

    @Test
    void a_glibc_that_is_too_old_is_told() throws Exception {
        DoctoredLibrary library = DoctoredLibrary.copy();
        String future = library.needingFutureGlibc();
        assertThat(failureOf(library.writtenTo(folder.resolve("future.so"))))
                .contains(LinkFailure.GLIBC_TOO_OLD.cause(), "glibc 2.17 or newer", future);
    }

    @Test
    void a_missing_library_is_named() throws Exception {
        DoctoredLibrary library = DoctoredLibrary.copy();
        String missing = library.needingMissingLibrary();
        assertThat(failureOf(library.writtenTo(folder.resolve("needy.so"))))
                .contains(LinkFailure.MISSING.cause(), missing);
    }

    @Test
    void too_little_room_for_thread_locals_is_told() throws Exception {
        Path greedy = compile(
                "greedy.so",
                "__thread char room[1000000] __attribute__((tls_model(\"initial-exec\"))); char* g(void) { return room; }");
        assertThat(failureOf(greedy)).contains(LinkFailure.NO_TLS_SPACE.cause(), "load the library earlier");
    }

    @Test
    void a_file_that_cannot_be_read_is_told() throws Exception {
        // A folder in the place of /proc/self/mem's content: readable by nobody, not even by root.
        assertThat(failureOf(Path.of("/proc/self/mem"))).contains(LinkFailure.UNREADABLE.cause());
    }

    @Test
    void another_version_is_refused_with_both_versions() throws Exception {
        String latin = new String(DoctoredLibrary.copy().bytes(), StandardCharsets.ISO_8859_1);
        Path other = Files.writeString(
                folder.resolve("other.so"), latin.replace(NativeLibrary.VERSION, "9.9.9"), StandardCharsets.ISO_8859_1);
        assertThat(failureOf(other))
                .contains(
                        LinkFailure.OTHER_VERSION.cause(),
                        "the library is version 9.9.9",
                        "these classes are version " + NativeLibrary.VERSION);
    }

    @Test
    void another_version_that_the_application_has_loaded_is_refused_too() throws Exception {
        String latin = new String(DoctoredLibrary.copy().bytes(), StandardCharsets.ISO_8859_1);
        Files.writeString(
                folder.resolve(System.mapLibraryName(NativeLibrary.NAME)),
                latin.replace(NativeLibrary.VERSION, "9.9.9"),
                StandardCharsets.ISO_8859_1);
        assertThat(ChildJvm.running(LibraryPrograms.FailAfterLoadByApplication.class)
                        .property("java.library.path", folder)
                        .run()
                        .assertClean()
                        .out())
                .contains("loaded by the application: " + LinkFailure.OTHER_VERSION.cause(), "9.9.9");
    }

    @Test
    void a_planted_foreign_library_does_not_win_and_is_told() throws Exception {
        compile(System.mapLibraryName(NativeLibrary.NAME), "int unrelated(void) { return 1; }");
        var child = ChildJvm.running(LibraryPrograms.Load.class).property("java.library.path", folder);
        assertThat(child.run().assertClean().out()).contains("origin: the jar");
        child.property(NativeLibrary.SYSTEM_FIRST_PROPERTY, true);
        assertThat(child.run().assertClean().out()).contains("origin: the jar");
        assertThat(failure(ChildJvm.running(LibraryPrograms.FailTwice.class)
                        .withoutBundledLibrary()
                        .property("java.library.path", folder)))
                .contains(LinkFailure.FOREIGN.cause(), "remove it");
    }

    @Test
    void a_jvm_that_denies_native_access_is_told() throws Exception {
        assertThat(failure(ChildJvm.running(LibraryPrograms.FailTwice.class)
                        .on(NewerJvm.home())
                        .option("--illegal-native-access=deny")))
                .contains(LinkFailure.ACCESS_DENIED.cause(), "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void the_jvms_own_refusal_of_a_second_class_loader_is_known() throws Exception {
        assertThat(ChildJvm.running(LibraryPrograms.OneFileInTwoLoaders.class)
                        .run(ChildJvm.library().toString())
                        .assertClean()
                        .out())
                .contains("second: OTHER_CLASS_LOADER");
    }

    @Test
    void relocated_classes_are_told_why_they_cannot_work() throws Exception {
        assertThat(ChildJvm.running(LibraryPrograms.Relocated.class)
                        .run()
                        .assertClean()
                        .out())
                .contains(
                        LinkFailure.RELOCATED.cause(),
                        "exclude io.github.flinkagentsnative.** from the relocation",
                        "from io.github.flinkagentsnative to xx.github.flinkagentsnative");
    }

    private static String failureOf(Path library) throws Exception {
        return failure(
                ChildJvm.running(LibraryPrograms.FailTwice.class).property(NativeLibrary.PATH_PROPERTY, library));
    }

    private static String failure(ChildJvm child) throws Exception {
        String out = child.run().assertClean().out();
        assertThat(out).contains("second has the first as cause: true");
        return out;
    }

    private Path compile(String name, String source, String... options) throws Exception {
        Path code = Files.writeString(folder.resolve(name + ".c"), source);
        Path library = folder.resolve(name);
        List<String> command = new ArrayList<>(
                List.of("cc", "-shared", "-fPIC", "-nostdlib", "-o", library.toString(), code.toString()));
        command.addAll(List.of(options));
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).inheritIO().start();
        } catch (IOException e) {
            assumeTrue(false, "skipped: no C compiler, which makes the wrong library for this test");
            throw e;
        }
        assertThat(compiler.waitFor()).isZero();
        return library;
    }
}
