package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                .contains(LinkFailure.NO_JAR.cause()
                        + "; add the dependency io.github.flinkagentsnative:flink-agents-native:"
                        + NativeLibrary.VERSION + ":"
                        + LibraryPlatform.current().classifier())
                .contains("java.library.path: " + LinkFailure.MISSING.cause());
    }

    @Test
    void a_path_that_is_wrong_is_told_and_nothing_else_is_tried() throws Exception {
        assertThat(failure(ChildJvm.running(LibraryPrograms.FailTwice.class)
                        .property(NativeLibrary.PATH_PROPERTY, "/does/not/exist.so")))
                .contains(
                        "/does/not/exist.so",
                        NativeLibrary.PATH_PROPERTY,
                        LinkFailure.NO_FILE.cause(),
                        "correct system property")
                .doesNotContain("java.library.path");
    }

    // ---- newer JVMs

    @Test
    void a_newer_jvm_loads_it_too_whether_or_not_native_access_is_denied_to_others() throws Exception {
        var child = ChildJvm.running(LibraryPrograms.Load.class)
                .on(NewerJvm.home())
                .option("--enable-native-access=ALL-UNNAMED");
        assertThat(child.run().assertClean().out()).contains("origin: the jar");
        child.option("--illegal-native-access=deny");
        assertThat(child.run().assertClean().out()).contains("origin: the jar");
    }

    @Test
    void a_newer_jvm_that_was_told_nothing_warns_and_loads_it() throws Exception {
        var result =
                ChildJvm.running(LibraryPrograms.Load.class).on(NewerJvm.home()).run();
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).contains("origin: the jar");
        assertThat(result.err()).contains("--enable-native-access");
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

    private static String failure(ChildJvm child) throws Exception {
        String out = child.run().assertClean().out();
        assertThat(out).contains("second has the first as cause: true");
        return out;
    }

    private Path copyAs(String name) throws IOException {
        return Files.copy(ChildJvm.library(), folder.resolve(name));
    }
}
