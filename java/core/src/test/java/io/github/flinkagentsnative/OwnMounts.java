package io.github.flinkagentsnative;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** File systems that only one child JVM sees: mounted in a name space of its own, gone with it. */
final class OwnMounts {

    private final List<String> mounts = new ArrayList<>();

    /** Mounts an empty file system in memory; {@code options} as for {@code mount -o}. */
    OwnMounts with(String options, Path... folders) {
        for (Path folder : folders) {
            mounts.add("mount -t tmpfs -o " + options + " none '" + folder + "'");
        }
        return this;
    }

    /** Lets the child run with these mounts; where this user may not mount, the test is skipped, and says so. */
    ChildJvm around(ChildJvm child) throws IOException, InterruptedException {
        return child.through(command());
    }

    private String[] command() throws IOException, InterruptedException {
        String script = String.join(" && ", mounts) + " && exec \"$@\"";
        // As root, or as a user who may be root of a user name space.
        for (String how : List.of("-m", "-rm")) {
            String[] command = {"unshare", how, "sh", "-c", script, "sh"};
            if (works(command)) {
                return command;
            }
        }
        assumeTrue(false, "skipped: this user may not mount a file system, which the test needs");
        throw new IllegalStateException();
    }

    private static boolean works(String[] command) throws InterruptedException {
        List<String> trial = new ArrayList<>(List.of(command));
        trial.add("true");
        try {
            return new ProcessBuilder(trial)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // no such command on this system
        }
    }
}
