package io.github.flinkagentsnative.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A server that a script in {@code tools} starts. */
final class ToolServer implements AutoCloseable {
    private static final String READY = "listening ";
    /** The script's exit code for "cannot be had here". */
    private static final int NOT_HERE = 3;

    private final Process process;
    private final String url;

    private ToolServer(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /**
     * {@code tools/llama-server}: llama.cpp with random weights. It knows nothing, but a grammar made from the schema holds each of its
     * answers.
     */
    static ToolServer llama() throws IOException, InterruptedException {
        return start("llama-server");
    }

    /** {@code tools/stand-in-server}: one of the two that other people wrote. */
    static ToolServer standIn(String name) throws IOException, InterruptedException {
        return start("stand-in-server", name);
    }

    /** Starts it on a free port; where it cannot be had, the test is skipped, or fails under {@code TOOLS_REQUIRED}. */
    private static ToolServer start(String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("project.root"), "tools", script).toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String last = "it said nothing";
        for (String line; (line = lines.readLine()) != null; ) {
            if (line.startsWith(READY)) {
                return new ToolServer(process, line.substring(READY.length()));
            }
            last = line;
        }
        int code = process.waitFor();
        if (code == NOT_HERE && !isRequired()) {
            // A whole class that is skipped leaves no reason in the build's output.
            System.out.println("skipped: " + last);
            Assumptions.abort(last);
        }
        throw new IllegalStateException("tools/" + script + " ended with code " + code + ": " + last);
    }

    /** The system property or environment variable {@code TOOLS_REQUIRED} says {@code true}. */
    private static boolean isRequired() {
        return Boolean.parseBoolean(System.getProperty("TOOLS_REQUIRED", System.getenv("TOOLS_REQUIRED")));
    }

    String url() {
        return url;
    }

    /** Stops the process where it stands, or lets it go on: a server that does not answer. */
    void pause(boolean paused) throws IOException, InterruptedException {
        new ProcessBuilder("kill", paused ? "-STOP" : "-CONT", String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** The server ends when its standard input does. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
