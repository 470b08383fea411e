package io.github.flinkagentsnative;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** A JDK that denies native access on request (24 or later), beside the one that runs the tests. */
final class NewerJvm {

    private static final int FIRST_VERSION = 24;

    private NewerJvm() {}

    /** Its home; without one the test is skipped, and says so. */
    static Path home() throws IOException {
        List<Path> candidates = new ArrayList<>();
        for (String named : new String[] {
            System.getProperty("newer.java.home"), System.getenv("JAVA25_HOME"), System.getProperty("java.home")
        }) {
            if (named != null) {
                candidates.add(Path.of(named));
            }
        }
        for (Path folder : List.of(
                Path.of("/usr/lib/jvm"),
                Path.of("/opt/java"),
                Path.of("/Library/Java/JavaVirtualMachines"),
                Path.of(System.getProperty("user.home"), ".sdkman/candidates/java"),
                Path.of(System.getProperty("user.home"), ".jdks"))) {
            candidates.addAll(children(folder));
        }
        Path found = candidates.stream()
                .filter(home -> version(home) >= FIRST_VERSION)
                .findFirst()
                .orElse(null);
        assumeTrue(found != null, "skipped: no JDK 24 or later beside this one (name one in JAVA25_HOME)");
        return found;
    }

    private static List<Path> children(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.sorted().toList();
        }
    }

    /** The major version, from the file that each JDK has; 0 when there is none. */
    private static int version(Path home) {
        Properties release = new Properties();
        try (var reader = Files.newBufferedReader(home.resolve("release"))) {
            release.load(reader);
        } catch (IOException e) {
            return 0;
        }
        String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
        String major = version.split("[.+-]")[0];
        return major.matches("\\d+") && Files.isExecutable(home.resolve("bin/java")) ? Integer.parseInt(major) : 0;
    }
}
