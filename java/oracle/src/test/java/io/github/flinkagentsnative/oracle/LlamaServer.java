package io.github.flinkagentsnative.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * {@code tools/llama-server}: llama.cpp with random weights. It knows nothing, but a grammar made from the schema holds each of
 * its answers.
 */
final class LlamaServer implements AutoCloseable {
    private static final String READY = "listening ";
    /** The script's exit code for "cannot be had here". */
    private static final int NOT_HERE = 3;

    private final Process process;
    private final String baseUrl;

    private LlamaServer(Process process, String baseUrl) {
        this.process = process;
        this.baseUrl = baseUrl;
    }

    /** Starts it on a free port; where it cannot be had, the test is skipped, or fails under {@code LLAMA_REQUIRED}. */
    static LlamaServer start() throws IOException, InterruptedException {
        Path script = Path.of(System.getProperty("project.root"), "tools", "llama-server");
        Process process = new ProcessBuilder(script.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String last = "it said nothing";
        for (String line; (line = lines.readLine()) != null; ) {
            if (line.startsWith(READY)) {
                return new LlamaServer(process, line.substring(READY.length()) + "/v1");
            }
            last = line;
        }
        int code = process.waitFor();
        if (code == NOT_HERE && !isRequired()) {
            // A whole class that is skipped leaves no reason in the build's output.
            System.out.println("skipped: " + last);
            Assumptions.abort(last);
        }
        throw new IllegalStateException("The llama.cpp server ended with code " + code + ": " + last);
    }

    /** The system property or environment variable {@code LLAMA_REQUIRED} says {@code true}. */
    private static boolean isRequired() {
        return Boolean.parseBoolean(System.getProperty("LLAMA_REQUIRED", System.getenv("LLAMA_REQUIRED")));
    }

    String baseUrl() {
        return baseUrl;
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
