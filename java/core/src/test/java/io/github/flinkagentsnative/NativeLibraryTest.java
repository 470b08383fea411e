package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the library is found, in JVMs of their own. */
class NativeLibraryTest {

    @TempDir
    Path folder;

    // ---- the places

    @Test
    void the_library_in_the_jar_is_loaded_from_a_private_copy_that_is_gone_at_once() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.Load.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, folder)
                .run()
                .assertClean();
        assertThat(result.out())
                .contains("origin: the jar (resource io/github/flinkagentsnative/native/", "copied to " + folder)
                .contains("version: " + NativeLibrary.VERSION);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void java_library_path_alone_is_enough() throws Exception {
        copyAs(System.mapLibraryName(NativeLibrary.NAME));
        var result = ChildJvm.running(LibraryPrograms.Load.class)
                .withoutBundledLibrary()
                .property("java.library.path", folder)
                .run()
                .assertClean();
        assertThat(result.out()).contains("origin: java.library.path (" + folder);
    }

    @Test
    void a_library_that_the_application_has_loaded_is_noticed() throws Exception {
        copyAs(System.mapLibraryName(NativeLibrary.NAME));
        var result = ChildJvm.running(LibraryPrograms.LoadByApplication.class)
                .property("java.library.path", folder)
                .property(NativeLibrary.PATH_PROPERTY, "/does/not/exist")
                .run()
                .assertClean();
        assertThat(result.out()).contains("origin: loaded by the application");
    }

    @Test
    void the_path_property_wins() throws Exception {
        Path library = copyAs("some-name.so");
        var result = ChildJvm.running(LibraryPrograms.Load.class)
                .property(NativeLibrary.PATH_PROPERTY, library)
                .run()
                .assertClean();
        assertThat(result.out()).contains("origin: file " + library);
    }

    @Test
    void the_jar_comes_before_java_library_path_unless_a_property_says_otherwise() throws Exception {
        copyAs(System.mapLibraryName(NativeLibrary.NAME));
        var child = ChildJvm.running(LibraryPrograms.Load.class).property("java.library.path", folder);
        assertThat(child.run().assertClean().out()).contains("origin: the jar");
        child.property(NativeLibrary.SYSTEM_FIRST_PROPERTY, true);
        assertThat(child.run().assertClean().out()).contains("origin: java.library.path");
    }

    @Test
    void without_a_system_library_the_jar_serves_even_when_the_system_comes_first() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.Load.class)
                .property("java.library.path", folder)
                .property(NativeLibrary.SYSTEM_FIRST_PROPERTY, true)
                .run()
                .assertClean();
        assertThat(result.out()).contains("origin: the jar");
    }

    // ---- class loaders and threads

    @Test
    void two_class_loaders_work_side_by_side_with_the_jar() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.TwoLoaders.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, folder)
                .run()
                .assertClean();
        assertThat(result.out().lines().filter(line -> line.startsWith("origin: the jar")))
                .hasSize(3);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void two_class_loaders_work_side_by_side_with_java_library_path_alone() throws Exception {
        copyAs(System.mapLibraryName(NativeLibrary.NAME));
        var result = ChildJvm.running(LibraryPrograms.TwoLoaders.class)
                .withoutBundledLibrary()
                .property("java.library.path", folder)
                .run()
                .assertClean();
        assertThat(result.out().lines().filter(line -> line.startsWith("origin: java.library.path")))
                .hasSize(3);
    }

    @Test
    void two_class_loaders_work_side_by_side_with_one_explicit_file() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.TwoLoaders.class)
                .property(NativeLibrary.PATH_PROPERTY, ChildJvm.library())
                .run()
                .assertClean();
        assertThat(result.out().lines().filter(line -> line.startsWith("origin: file")))
                .hasSize(3);
    }

    @Test
    void sixteen_threads_load_one_copy() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.LoadFromManyThreads.class)
                .run()
                .assertClean();
        assertThat(result.out()).contains("mapped copies: 1");
    }

    @Test
    void a_thread_that_is_being_interrupted_loads_all_the_same() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.LoadWhileInterrupted.class)
                .run()
                .assertClean();
        assertThat(result.out()).contains("origin: the jar", "interrupted: true");
    }

    // ---- failures

    @Test
    void the_first_failure_is_remembered_and_a_later_load_by_the_application_is_noticed() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.FailTwice.class)
                .withoutBundledLibrary()
                .property("java.library.path", folder)
                .run(ChildJvm.library().toString())
                .assertClean();
        assertThat(result.out())
                .contains(
                        "second is new: true",
                        "second has the first as cause: true",
                        "same message: true",
                        "loaded: false")
                .contains("origin: loaded by the application");
    }

    @Test
    void every_place_that_was_tried_is_told_with_what_to_do() throws Exception {
        assertThat(failure(ChildJvm.running(LibraryPrograms.FailTwice.class)
                        .withoutBundledLibrary()
                        .property("java.library.path", folder)))
                .contains("native library of flink-agents-native " + NativeLibrary.VERSION + " cannot be loaded")
                .contains("not on the class path; add the dependency io.github.flinkagentsnative:flink-agents-native:")
                .contains("java.library.path: the file, or a library that it needs, is not there");
    }

    @Test
    void a_path_that_is_wrong_is_told_and_nothing_else_is_tried() throws Exception {
        assertThat(failure(ChildJvm.running(LibraryPrograms.FailTwice.class)
                        .property(NativeLibrary.PATH_PROPERTY, "/does/not/exist.so")))
                .contains(
                        "/does/not/exist.so",
                        NativeLibrary.PATH_PROPERTY,
                        "there is no such file",
                        "correct the property")
                .doesNotContain("java.library.path");
    }

    @Test
    void a_file_that_was_cut_short_is_refused_before_it_can_kill_the_jvm() throws Exception {
        byte[] whole = Files.readAllBytes(ChildJvm.library());
        for (int length : new int[] {0, 10, 64, 4096, whole.length / 4, whole.length / 2, whole.length - 1}) {
            Path cut = Files.write(folder.resolve("cut.so"), java.util.Arrays.copyOf(whole, length));
            assertThat(failureOf(cut)).as("%d bytes", length).contains("the file is cut short", "copy it again");
        }
    }

    @Test
    void a_library_for_another_processor_is_told() throws Exception {
        byte[] library = Files.readAllBytes(ChildJvm.library());
        boolean intel = library[18] == 62;
        library[18] = (byte) (intel ? 183 : 62);
        Path other = Files.write(folder.resolve("other.so"), library);
        assertThat(failureOf(other))
                .contains(
                        "built for another processor (" + (intel ? "aarch_64" : "x86_64"),
                        "classifier matches this JVM");
    }

    @Test
    void a_file_that_is_no_library_is_told() throws Exception {
        Path text = Files.writeString(folder.resolve("text.so"), "no library ".repeat(20));
        assertThat(failureOf(text)).contains("no Linux library (no ELF header)");
    }

    @Test
    void a_foreign_library_of_that_name_is_told_and_the_jar_still_serves() throws Exception {
        compile("int unrelated(void) { return 1; }", System.mapLibraryName(NativeLibrary.NAME));
        var child = ChildJvm.running(LibraryPrograms.Load.class)
                .property("java.library.path", folder)
                .property(NativeLibrary.SYSTEM_FIRST_PROPERTY, true);
        assertThat(child.run().assertClean().out()).contains("origin: the jar");
        assertThat(failure(ChildJvm.running(LibraryPrograms.FailTwice.class)
                        .withoutBundledLibrary()
                        .property("java.library.path", folder)))
                .contains("is not the library of flink-agents-native", "remove it");
    }

    @Test
    void a_glibc_that_is_too_old_is_told() throws Exception {
        Path map = Files.writeString(folder.resolve("future.map"), "GLIBC_2.99 { global: fancy; };");
        compile(
                "int fancy(void) { return 1; }",
                "libfuture.so",
                "-Wl,-soname,libc.so.6",
                "-Wl,--version-script=" + map);
        Path needy = compile("int fancy(void); int g(void) { return fancy(); }", "needy.so", folder + "/libfuture.so");
        assertThat(failureOf(needy)).contains("glibc is older than the library needs", "GLIBC_2.99");
    }

    @Test
    void a_library_for_musl_is_told() throws Exception {
        compile("int fancy(void) { return 1; }", "libmusl.so", "-Wl,-soname,libc.musl-x86_64.so.1");
        Path needy = compile("int fancy(void); int g(void) { return fancy(); }", "needy.so", folder + "/libmusl.so");
        assertThat(failureOf(needy)).contains("built for another libc", "'-musl'");
    }

    @Test
    void another_version_is_refused_with_both_versions() throws Exception {
        String bytes = Files.readString(ChildJvm.library(), StandardCharsets.ISO_8859_1);
        Path other = Files.writeString(
                folder.resolve("other.so"), bytes.replace(NativeLibrary.VERSION, "9.9.9"), StandardCharsets.ISO_8859_1);
        assertThat(failureOf(other))
                .contains("it is version 9.9.9", "these classes are version " + NativeLibrary.VERSION);
    }

    @Test
    void relocated_classes_are_told_why_they_cannot_work() throws Exception {
        assertThat(ChildJvm.running(LibraryPrograms.Relocated.class)
                        .run()
                        .assertClean()
                        .out())
                .contains(
                        "relocated from io.github.flinkagentsnative.NativeLibrary to xx.github.flinkagentsnative.NativeLibrary")
                .contains("exclude io.github.flinkagentsnative.** from the relocation");
    }

    @Test
    void a_folder_that_cannot_be_used_is_passed_over() throws Exception {
        Path file = Files.writeString(folder.resolve("a-file"), "");
        var result = ChildJvm.running(LibraryPrograms.Load.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, file)
                .property("java.io.tmpdir", Files.createDirectory(folder.resolve("tmp")))
                .run()
                .assertClean();
        assertThat(result.out()).contains("copied to " + folder.resolve("tmp"));
    }

    @Test
    void a_folder_without_execution_is_passed_over_and_told_when_there_is_no_other() throws Exception {
        Path noexec = Files.createDirectory(folder.resolve("noexec"));
        String mount = "mount -t tmpfs -o noexec none " + noexec + " && exec \"$@\"";
        assumeTrue(
                new ProcessBuilder("unshare", "-m", "sh", "-c", mount, "sh", "true")
                                .inheritIO()
                                .start()
                                .waitFor()
                        == 0,
                "skipped: this user may not mount a file system, which the test needs");
        var passedOver = ChildJvm.running(LibraryPrograms.Load.class)
                .through("unshare", "-m", "sh", "-c", mount, "sh")
                .property(NativeLibrary.TMPDIR_PROPERTY, noexec)
                .run()
                .assertClean();
        assertThat(passedOver.out()).contains("origin: the jar").doesNotContain("copied to " + noexec);

        var child = ChildJvm.running(LibraryPrograms.FailTwice.class)
                .through("unshare", "-m", "sh", "-c", "mount -t tmpfs -o noexec none /var/tmp && " + mount, "sh")
                .property(NativeLibrary.TMPDIR_PROPERTY, noexec)
                .property("java.io.tmpdir", noexec)
                .property("user.home", noexec)
                .property("user.dir", noexec);
        assertThat(failure(child))
                .contains("copy in " + noexec + ": the folder is mounted without permission to execute (noexec)")
                .contains("copy in /var/tmp")
                .contains(NativeLibrary.TMPDIR_PROPERTY);
    }

    @Test
    void what_killed_processes_left_is_swept_and_nothing_else() throws Exception {
        String name = System.mapLibraryName(NativeLibrary.NAME);
        Path old = Files.createDirectory(folder.resolve("flink-agents-native-123"));
        Files.writeString(old.resolve(name), "old");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(7200)));
        Path young = Files.createDirectory(folder.resolve("flink-agents-native-456"));
        Path foreign = Files.createDirectory(folder.resolve("flink-agents-native-789"));
        Files.writeString(foreign.resolve("notes.txt"), "keep");
        Files.setLastModifiedTime(foreign, FileTime.from(Instant.now().minusSeconds(7200)));
        ChildJvm.running(LibraryPrograms.Load.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, folder)
                .run()
                .assertClean();
        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(foreign.resolve("notes.txt")).exists();
    }

    // ---- newer JVMs

    @Test
    void a_newer_jvm_loads_it_too_and_says_so_when_it_denies_native_access() throws Exception {
        Path newer = newerJvm();
        assumeTrue(newer != null, "skipped: no JDK 25 (set JAVA25_HOME)");
        var result = ChildJvm.running(LibraryPrograms.Load.class)
                .on(newer)
                .option("--enable-native-access=ALL-UNNAMED")
                .run()
                .assertClean();
        assertThat(result.out()).contains("origin: the jar");
        assertThat(failure(ChildJvm.running(LibraryPrograms.FailTwice.class)
                        .on(newer)
                        .option("--illegal-native-access=deny")))
                .contains("this JVM denies native access", "--enable-native-access=ALL-UNNAMED");
    }

    static Path newerJvm() throws IOException {
        String home = System.getenv("JAVA25_HOME");
        if (home != null) {
            return Path.of(home);
        }
        Path installed = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(installed)) {
            return null;
        }
        try (Stream<Path> candidates = Files.list(installed)) {
            return candidates
                    .filter(path -> path.getFileName().toString().startsWith("temurin-25"))
                    .findFirst()
                    .orElse(null);
        }
    }

    // ---- tables that exist on both sides

    @Test
    void the_frame_table_and_the_error_kinds_are_those_of_the_native_side() {
        NativeLibrary.load();
        Map<String, Object> table = NativeErrors.resultUnchecked(Native.handshake(Frames.pack(Map.of())));
        assertThat(table)
                .containsEntry("version", NativeLibrary.VERSION)
                .containsEntry("frame_version", Frames.VERSION)
                .containsEntry("number_extension", Frames.NUMBER_EXTENSION)
                .containsEntry("max_frame_bytes", Frames.MAX_FRAME_BYTES)
                .containsEntry("max_depth", Frames.MAX_DEPTH)
                .containsEntry(
                        "error_kinds",
                        Stream.of(ErrorKind.values()).map(ErrorKind::wireName).toList());
        assertThat(NativeLibrary.isLoaded()).isTrue();
        assertThat(NativeLibrary.origin()).isPresent();
    }

    @Test
    void the_version_is_that_of_cargo_and_maven() throws Exception {
        Path root = Path.of(System.getProperty("project.root"));
        assertThat(first(root.resolve("Cargo.toml"), "(?m)^version = \"(.*?)\""))
                .isEqualTo(NativeLibrary.VERSION);
        assertThat(first(root.resolve("pom.xml"), "<version>(.*?)</version>")).isEqualTo(NativeLibrary.VERSION);
    }

    private static String first(Path file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    // ---- helpers

    private String failureOf(Path library) throws Exception {
        return failure(
                ChildJvm.running(LibraryPrograms.FailTwice.class).property(NativeLibrary.PATH_PROPERTY, library));
    }

    private static String failure(ChildJvm child) throws Exception {
        String out = child.run().assertClean().out();
        assertThat(out).contains("second has the first as cause: true");
        return out;
    }

    private Path copyAs(String name) throws IOException {
        return Files.copy(ChildJvm.library(), folder.resolve(name));
    }

    private Path compile(String source, String name, String... options) throws Exception {
        Path code = Files.writeString(folder.resolve(name + ".c"), source);
        Path library = folder.resolve(name);
        List<String> command = new java.util.ArrayList<>(
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
