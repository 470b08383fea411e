package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a test program in a JVM of its own, because a class loader loads a library once and a crash should fail one test only. */
final class ChildJvm {

    private final List<String> prefix = new ArrayList<>();
    private final List<String> options = new ArrayList<>(List.of("-Xcheck:jni"));
    private final Class<?> program;
    private Path javaHome = Path.of(System.getProperty("java.home"));
    private boolean withBundledLibrary = true;
    private Duration patience = Duration.ofSeconds(120);

    private ChildJvm(Class<?> program) {
        this.program = program;
    }

    static ChildJvm running(Class<?> program) {
        return new ChildJvm(program);
    }

    ChildJvm property(String name, Object value) {
        return option("-D" + name + "=" + value);
    }

    ChildJvm option(String option) {
        options.add(option);
        return this;
    }

    /** As if the jar with the library were not on the class path. */
    ChildJvm withoutBundledLibrary() {
        withBundledLibrary = false;
        return this;
    }

    /** How long the program may take. */
    ChildJvm patience(Duration longest) {
        patience = longest;
        return this;
    }

    ChildJvm on(Path otherJavaHome) {
        javaHome = otherJavaHome;
        return this;
    }

    /** Runs the JVM through another command. */
    ChildJvm through(String... command) {
        prefix.addAll(Arrays.asList(command));
        return this;
    }

    Result run(String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile("child", ".out");
        Path err = Files.createTempFile("child", ".err");
        try {
            long start = System.nanoTime();
            Process process = command(arguments)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            boolean ended = process.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            return new Result(ended ? process.exitValue() : -1, read(out), read(err), elapsed);
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** Starts the program and leaves it to the caller; its errors go to ours. */
    Process start(String... arguments) throws IOException {
        return command(arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private ProcessBuilder command(String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(javaHome.resolve("bin/java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(withBundledLibrary), program.getName()));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command);
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    static String classPath(boolean withBundledLibrary) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> withBundledLibrary || !Path.of(entry).endsWith("target/native"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The library as it is packaged. */
    static Path library() {
        return Path.of(System.getProperty("native.library.file"));
    }

    /** The library in which tests may provoke panics. */
    static Path probeLibrary() {
        return Path.of(System.getProperty("native.probe.library"));
    }

    /** What became of the program. */
    record Result(int exit, String out, String err, Duration elapsed) {

        /** It ended well, and {@code -Xcheck:jni} had nothing to say. */
        Result assertClean() {
            assertThat(exit)
                    .as("exit of the program; stdout: %s%nstderr: %s", out, err)
                    .isZero();
            return assertNoWarning();
        }

        Result assertNoWarning() {
            assertThat((out + err).lines().filter(line -> line.contains("WARNING") || line.contains("FATAL")))
                    .as("warnings of the JVM")
                    .isEmpty();
            return this;
        }
    }
}
