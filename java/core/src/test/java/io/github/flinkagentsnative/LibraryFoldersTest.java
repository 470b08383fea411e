package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folders for the private copy: which one is taken, what is told about the others, and that nothing stays. */
class LibraryFoldersTest {

    @TempDir
    Path folder;

    // ---- which folder

    @Test
    void a_folder_that_is_not_there_is_made() throws Exception {
        Path missing = folder.resolve("not/yet");
        assertThat(load(missing).out()).contains("copied to " + missing);
        assertThat(missing).isEmptyDirectory();
        // The JVM itself has no use for its temporary folder here.
        Path missingToo = folder.resolve("nor/this");
        assertThat(ChildJvm.running(LibraryPrograms.Load.class)
                        .property("java.io.tmpdir", missingToo)
                        .run()
                        .assertClean()
                        .out())
                .contains("copied to " + missingToo);
    }

    @Test
    void a_folder_may_be_a_symbolic_link() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("real")));
        assertThat(load(link).out()).contains("copied to " + link);
    }

    @Test
    void a_folder_that_cannot_be_used_is_passed_over_and_told_when_there_is_no_other() throws Exception {
        Path file = Files.writeString(folder.resolve("a-file"), "");
        var passedOver = ChildJvm.running(LibraryPrograms.Load.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, file)
                .property("java.io.tmpdir", Files.createDirectory(folder.resolve("tmp")));
        assertThat(passedOver.run().assertClean().out()).contains("copied to " + folder.resolve("tmp"));
        // /proc exists and lets nobody make anything; /proc/x cannot even be made.
        var child = ChildJvm.running(LibraryPrograms.FailTwice.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, file)
                .property("java.io.tmpdir", "/proc")
                .property("user.home", "/proc")
                .property("user.dir", "/proc/x");
        assertTold(new OwnMounts().with("ro", Path.of("/var/tmp")).around(child), LinkFailure.FOLDER_UNUSABLE, file);
    }

    @Test
    void a_folder_without_execution_is_passed_over_and_told_when_there_is_no_other() throws Exception {
        checkMounted("noexec", LinkFailure.NO_EXECUTION);
    }

    @Test
    void a_read_only_folder_is_passed_over_and_told_when_there_is_no_other() throws Exception {
        checkMounted("ro", LinkFailure.FOLDER_READ_ONLY);
    }

    @Test
    void a_full_folder_is_passed_over_and_told_when_there_is_no_other() throws Exception {
        checkMounted("size=1m", LinkFailure.FOLDER_FULL);
    }

    private void checkMounted(String options, LinkFailure expected) throws Exception {
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        ChildJvm passedOver = ChildJvm.running(LibraryPrograms.Load.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, mounted)
                .property("java.io.tmpdir", Files.createDirectory(folder.resolve("next")));
        assertThat(new OwnMounts()
                        .with(options, mounted)
                        .around(passedOver)
                        .run()
                        .assertClean()
                        .out())
                .contains("origin: the jar", "copied to " + folder.resolve("next"));

        ChildJvm child = ChildJvm.running(LibraryPrograms.FailTwice.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, mounted)
                .property("java.io.tmpdir", mounted)
                .property("user.home", mounted)
                .property("user.dir", mounted);
        assertTold(new OwnMounts().with(options, mounted, Path.of("/var/tmp")).around(child), expected, mounted);
    }

    private static void assertTold(ChildJvm child, LinkFailure expected, Path where) throws Exception {
        assertThat(child.run().assertClean().out())
                .contains("copy in " + where + ": " + expected.cause())
                .contains("copy in /var/tmp: ")
                .contains(LinkFailure.NO_FOLDER.cause())
                .contains(NativeLibrary.TMPDIR_PROPERTY)
                .contains("second has the first as cause: true");
    }

    @Test
    void a_name_that_no_folder_can_have_is_told_and_passed_over() throws Exception {
        assertThat(LibraryCopy.folders()).doesNotHaveDuplicates().isNotEmpty();
        String before = System.setProperty(NativeLibrary.TMPDIR_PROPERTY, "a\0b");
        List<String> tried = new ArrayList<>();
        try {
            LibraryCopy.load(DoctoredLibrary.copy().bytes(), tried);
        } finally {
            if (before == null) {
                System.clearProperty(NativeLibrary.TMPDIR_PROPERTY);
            } else {
                System.setProperty(NativeLibrary.TMPDIR_PROPERTY, before);
            }
        }
        assertThat(tried).hasSize(1).first().asString().contains(LinkFailure.FOLDER_UNUSABLE.cause());
    }

    @Test
    void how_a_folder_is_mounted_is_read_from_the_systems_table() {
        String table = """
                22 28 0:20 / /proc rw,nosuid,nodev,noexec,relatime shared:13 - proc proc rw
                28 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
                30 28 0:26 / /tmp rw,nosuid,nodev,noexec shared:5 - tmpfs tmpfs rw
                31 30 0:27 / /tmp/with\\040blank rw,relatime - tmpfs tmpfs rw,noexec_is_no_option_here
                32 28 0:28 / /data rw,relatime - ext4 /dev/sdb1 rw
                33 28 0:29 / /data rw,noexec - tmpfs tmpfs rw
                """;
        assertThat(MountTable.forbidsExecution(table, Path.of("/tmp/x"))).isTrue();
        assertThat(MountTable.forbidsExecution(table, Path.of("/tmp"))).isTrue();
        assertThat(MountTable.forbidsExecution(table, Path.of("/tmp/with blank/x")))
                .isFalse();
        assertThat(MountTable.forbidsExecution(table, Path.of("/tmpx"))).isFalse();
        assertThat(MountTable.forbidsExecution(table, Path.of("/data/x"))).isTrue();
        assertThat(MountTable.forbidsExecution("", Path.of("/"))).isFalse();
        assertThat(MountTable.forbidsExecution(folder)).isFalse();
    }

    @Test
    void how_a_folder_is_mounted_is_known_whatever_language_the_linker_speaks() throws Exception {
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        for (String options : List.of("noexec", "exec")) {
            ChildJvm child = new OwnMounts()
                    .with(options, mounted)
                    .around(ChildJvm.running(LibraryPrograms.ExplainUnknownFailure.class));
            assertThat(child.run(mounted.toString()).assertClean().out())
                    .contains(options.equals("noexec") ? "NO_EXECUTION" : "UNKNOWN");
        }
    }

    // ---- what a copy looks like while it is there

    @Test
    void each_copy_has_a_folder_of_its_own_that_nobody_else_may_enter() throws Exception {
        try (CopyFolder first = CopyFolder.in(folder);
                CopyFolder second = CopyFolder.in(folder)) {
            Path a = first.write(new byte[] {1});
            Path b = second.write(new byte[] {2});
            assertThat(a.getParent()).isNotEqualTo(b.getParent());
            for (Path path : List.of(a, b, a.getParent(), a.resolveSibling("lock"))) {
                assertThat(PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)))
                        .as("%s", path)
                        .isEqualTo("rwx------");
            }
        }
        assertThat(folder).isEmptyDirectory();
    }

    // ---- what killed processes leave

    @Test
    void a_process_that_is_killed_after_it_has_loaded_leaves_nothing() throws Exception {
        Process child = ChildJvm.running(LibraryPrograms.LoadAndStay.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, folder)
                .start();
        awaitLine(child, "origin: the jar");
        kill(child);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_process_that_is_killed_while_it_copies_is_swept_behind_and_a_living_one_is_not() throws Exception {
        Process child = ChildJvm.running(LibraryPrograms.CopyAndStay.class).start(folder.toString());
        Path copy = Path.of(awaitLine(child, "copied to ").substring("copied to ".length()));
        assertThat(copy).exists();
        setAge(copy.getParent(), 7200);
        load(folder);
        assertThat(copy).as("in use by a living process").exists();

        kill(child);
        setAge(copy.getParent(), 5);
        load(folder);
        assertThat(copy).as("too young to tell").exists();
        setAge(copy.getParent(), 90);
        load(folder);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whenever_a_process_is_killed_the_next_one_leaves_the_folder_empty() throws Exception {
        Random random = new Random(8);
        for (int round = 0; round < 12; round++) {
            Process child = ChildJvm.running(LibraryPrograms.CopyForEver.class).start(folder.toString());
            awaitLine(child, "copying");
            Thread.sleep(random.nextInt(100));
            kill(child);
        }
        try (Stream<Path> left = Files.list(folder)) {
            for (Path orphan : left.toList()) {
                setAge(orphan, 90);
            }
        }
        load(folder);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void another_class_loader_of_this_process_keeps_its_copy_and_its_lock() throws Exception {
        assertThat(ChildJvm.running(LibraryPrograms.CopyInTwoLoaders.class)
                        .run(folder.toString())
                        .assertClean()
                        .out())
                .contains("kept: true", "still locked: true");
    }

    @Test
    void what_windows_leaves_is_swept_and_nothing_else() throws Exception {
        String name = System.mapLibraryName(NativeLibrary.NAME);
        Path old = Files.createDirectory(folder.resolve("flink-agents-native-123"));
        Files.writeString(old.resolve(name), "old");
        setAge(old, 90);
        Path young = Files.createDirectory(folder.resolve("flink-agents-native-456"));
        Path foreign = Files.createDirectory(folder.resolve("flink-agents-native-789"));
        Files.writeString(foreign.resolve("notes.txt"), "keep");
        setAge(foreign, 7200);
        Path target = Files.createDirectory(folder.resolve("target"));
        Path library = Files.writeString(target.resolve(name), "keep");
        setAge(target, 7200);
        Files.createSymbolicLink(folder.resolve("flink-agents-native-link"), target);
        load(folder);
        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(foreign.resolve("notes.txt")).exists();
        assertThat(library).exists();
    }

    // ---- helpers

    private static ChildJvm.Result load(Path folder) throws Exception {
        return ChildJvm.running(LibraryPrograms.Load.class)
                .property(NativeLibrary.TMPDIR_PROPERTY, folder)
                .run()
                .assertClean();
    }

    private static void setAge(Path path, long seconds) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(seconds)));
    }

    private static String awaitLine(Process child, String start) throws IOException {
        BufferedReader out = child.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(start)) {
                return line;
            }
        }
        throw new AssertionError("the program ended without the line: " + start);
    }

    private static void kill(Process child) throws InterruptedException {
        child.destroyForcibly();
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
}
