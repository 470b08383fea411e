package io.github.flinkagentsnative.example;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/** The folder of part files that Flink writes, made into the one file that the user asked for. */
final class OutcomeFile implements AutoCloseable {
    private final Path target;
    private final Path work;
    private boolean done;

    private OutcomeFile(Path target, Path work) {
        this.target = target;
        this.work = work;
    }

    /**
     * Finds out before the job runs whether the file can be written.
     *
     * @param out a file, or a folder for {@code outcomes.jsonl}
     * @throws IOException if it cannot
     */
    static OutcomeFile prepare(Path out) throws IOException {
        Path target = (Files.isDirectory(out) ? out.resolve("outcomes.jsonl") : out).toAbsolutePath();
        Files.createDirectories(target.getParent());
        return new OutcomeFile(target, Files.createTempDirectory(target.getParent(), "outcomes-"));
    }

    Path target() {
        return target;
    }

    Path parts() {
        return work.resolve("parts");
    }

    /** The answers that a restart does not ask for again; gone with the job. */
    Path journal() {
        return work.resolve("journal");
    }

    /** Where a job that was made to fail says what was finished before. */
    Path killed() {
        return work.resolve("killed");
    }

    /** Joins the finished part files, in place of an older outcome file. */
    synchronized void join() throws IOException {
        Path joined = work.resolve("joined.jsonl");
        try (OutputStream out = Files.newOutputStream(joined)) {
            for (Path part : finishedParts()) {
                Files.copy(part, out);
            }
        }
        Files.move(joined, target, StandardCopyOption.REPLACE_EXISTING);
        done = true;
    }

    /**
     * Saves what an interrupted job has written so far, unfinished part files included, beside the target: these calls are paid
     * for. A line that was cut is left out.
     *
     * @return the file, or null when there is nothing to save
     */
    synchronized Path rescue() throws IOException {
        if (done || !Files.isDirectory(parts())) {
            return null;
        }
        done = true;
        Path rescued = target.resolveSibling(target.getFileName() + ".partial");
        long lines = 0;
        try (OutputStream out = Files.newOutputStream(rescued);
                Stream<Path> files = Files.list(parts())) {
            for (Path part : files.sorted().toList()) {
                String text = Files.readString(part);
                String whole = text.substring(0, text.lastIndexOf('\n') + 1);
                out.write(whole.getBytes(StandardCharsets.UTF_8));
                lines += whole.lines().count();
            }
        }
        if (lines == 0) {
            Files.delete(rescued);
            return null;
        }
        return rescued;
    }

    /** Flink's names of unfinished and pending files start with a dot. */
    private List<Path> finishedParts() throws IOException {
        if (!Files.isDirectory(parts())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(parts())) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        done = true;
        if (!Files.exists(work)) {
            return;
        }
        Files.walkFileTree(work, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (Files.exists(file)) {
                    throw failure;
                }
                return FileVisitResult.CONTINUE; // a lock of the journal, gone by itself
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
