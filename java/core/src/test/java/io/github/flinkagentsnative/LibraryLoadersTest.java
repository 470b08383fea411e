package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Class loaders of every kind, several at once, from many threads; and the jar as they give it. */
class LibraryLoadersTest {

    @TempDir
    Path folder;

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
        Files.copy(ChildJvm.library(), folder.resolve(System.mapLibraryName(NativeLibrary.NAME)));
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
    void a_class_loader_works_on_while_another_one_and_its_copy_go() throws Exception {
        assertThat(ChildJvm.running(LibraryPrograms.DropOneLoader.class)
                        .run()
                        .assertClean()
                        .out())
                .contains("copies while both work: 2", "copies when one is gone: 1", "the other worked on: true");
    }

    @Test
    void sixteen_threads_load_one_copy() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.LoadFromManyThreads.class)
                .run()
                .assertClean();
        assertThat(result.out()).contains("loaded: 16", "mapped copies: 1");
    }

    @Test
    void sixteen_threads_hear_of_one_failure() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.LoadFromManyThreads.class)
                .property(NativeLibrary.PATH_PROPERTY, "/does/not/exist")
                .run()
                .assertClean();
        assertThat(result.out()).contains("failed: 16", "first failures: 1");
    }

    @Test
    void a_thread_that_is_being_interrupted_loads_all_the_same() throws Exception {
        var result = ChildJvm.running(LibraryPrograms.LoadWhileInterrupted.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, folder)
                .run()
                .assertClean();
        assertThat(result.out()).contains("copied to " + folder, "interrupted: true");
        assertThat(folder).isEmptyDirectory();
    }

    // ---- the jar

    @ParameterizedTest
    @ValueSource(strings = {"streams only", "url that cannot be opened", "url that dies in the middle"})
    void a_class_loader_with_nothing_but_streams_is_enough(String kind) throws Exception {
        assertThat(ChildJvm.running(LibraryPrograms.LoadThroughStrangeLoader.class)
                        .run(kind)
                        .assertClean()
                        .out())
                .contains("origin: the jar");
    }

    @Test
    void a_resource_that_dies_each_time_is_told() throws Exception {
        assertThat(ChildJvm.running(LibraryPrograms.LoadThroughStrangeLoader.class)
                        .run("everything dies")
                        .assertClean()
                        .out())
                .contains(LinkFailure.DAMAGED_JAR.cause(), "fetch the jar again", "zip file closed");
    }

    @Test
    void closing_the_shared_jar_file_of_another_job_does_no_harm() throws Exception {
        Path jar = jar("whole.jar", DoctoredLibrary.copy().bytes(), ZipEntry.DEFLATED);
        assertThat(ChildJvm.running(LibraryPrograms.LoadFromJar.class)
                        .run(jar.toString(), "close the cached jar file")
                        .assertClean()
                        .out())
                .contains("origin: the jar");
    }

    @Test
    void a_damaged_jar_is_told_whether_or_not_the_zip_reader_sees_it() throws Exception {
        for (int method : new int[] {ZipEntry.STORED, ZipEntry.DEFLATED}) {
            Path jar = jar("damaged" + method + ".jar", DoctoredLibrary.copy().bytes(), method);
            byte[] bytes = Files.readAllBytes(jar);
            for (int i = bytes.length / 2; i < bytes.length / 2 + 64; i++) {
                bytes[i] ^= 0x55;
            }
            Files.write(jar, bytes);
            assertThat(ChildJvm.running(LibraryPrograms.LoadFromJar.class)
                            .run(jar.toString(), "")
                            .assertClean()
                            .out())
                    .as("method %d", method)
                    .contains("the jar (resource io/github/flinkagentsnative/native/")
                    .contains(LinkFailure.DAMAGED_JAR.cause() + "; fetch the jar again")
                    .doesNotContain(NativeLibrary.TMPDIR_PROPERTY);
        }
    }

    @Test
    void a_library_that_was_cut_short_in_its_jar_is_told() throws Exception {
        DoctoredLibrary library = DoctoredLibrary.copy();
        Path jar = jar("cut.jar", library.cutTo(library.length() / 2).bytes(), ZipEntry.DEFLATED);
        assertThat(ChildJvm.running(LibraryPrograms.LoadFromJar.class)
                        .run(jar.toString(), "")
                        .assertClean()
                        .out())
                .contains("the jar (resource", LinkFailure.TRUNCATED.cause());
    }

    private Path jar(String name, byte[] library, int method) throws IOException {
        Path jar = folder.resolve(name);
        ZipEntry entry = new ZipEntry("io/github/flinkagentsnative/native/"
                + LibraryPlatform.current().classifier() + "/" + System.mapLibraryName(NativeLibrary.NAME));
        CRC32 crc = new CRC32();
        crc.update(library);
        entry.setMethod(method);
        entry.setSize(library.length);
        entry.setCrc(crc.getValue());
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(entry);
            zip.write(library);
            zip.closeEntry();
        }
        return jar;
    }
}
