package io.github.flinkagentsnative;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** How folders are mounted on Linux: it holds in every language, where the linker's own words may be translated. */
final class MountTable {

    private static final int MOUNT_POINT = 4;
    private static final int OPTIONS = 5;

    private MountTable() {}

    /** Whether programs may not be executed from the folder; false where that cannot be told. */
    static boolean forbidsExecution(Path folder) {
        // No channel: an interrupt would close it.
        try (InputStream in = new FileInputStream("/proc/self/mountinfo")) {
            return forbidsExecution(new String(in.readAllBytes(), StandardCharsets.UTF_8), folder.toRealPath());
        } catch (IOException e) {
            return false; // no Linux, or no /proc
        }
    }

    /** The same for a given table; the last mount of the deepest mount point counts. */
    static boolean forbidsExecution(String mountInfo, Path folder) {
        Path deepest = null;
        boolean forbidden = false;
        for (String line : mountInfo.split("\n")) {
            String[] fields = line.split(" ");
            if (fields.length <= OPTIONS) {
                continue;
            }
            Path point = Path.of(unescaped(fields[MOUNT_POINT]));
            if (folder.startsWith(point) && (deepest == null || point.startsWith(deepest))) {
                deepest = point;
                forbidden = ("," + fields[OPTIONS] + ",").contains(",noexec,");
            }
        }
        return forbidden;
    }

    private static String unescaped(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
