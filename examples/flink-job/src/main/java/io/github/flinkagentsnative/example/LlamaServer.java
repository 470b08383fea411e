package io.github.flinkagentsnative.example;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A real inference server on this host: llama.cpp with a generated random-weight model, through {@code tools/llama-server}. It knows
 * nothing, but it holds every answer to the schema by grammar, so its answers are what a strict reader has to cope with.
 */
final class LlamaServer implements AutoCloseable {
    /** Random answers end when they like: some are cut at this limit, and that is a named failure. */
    static final int MAX_TOKENS = 300;

    /** The script's exit code for "cannot be had here". */
    private static final int NOT_HERE = 3;

    private final Process process;
    private final String baseUrl;

    private LlamaServer(Process process, String baseUrl) {
        this.process = process;
        this.baseUrl = baseUrl;
    }

    /**
     * Starts the server on a free port; the first start installs it.
     *
     * @throws Backend.Unavailable if Python, its packages or the script cannot be had
     */
    static LlamaServer start(Map<String, String> environment)
            throws Backend.Unavailable, IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(script().toString());
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String last = "it said nothing";
        for (String line; (line = lines.readLine()) != null; ) {
            if (line.startsWith("listening ")) {
                return new LlamaServer(process, line.substring("listening ".length()) + "/v1");
            }
            last = line;
        }
        int code = process.waitFor();
        String reason = code == NOT_HERE ? last : "the llama.cpp server ended with code " + code + ": " + last;
        throw new Backend.Unavailable(reason);
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

    /** {@code tools/llama-server} of the project, searched from the example's folder or the current one upwards. */
    private static Path script() throws Backend.Unavailable {
        Path start = Path.of(System.getProperty("example.home", "")).toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            Path script = folder.resolve("tools").resolve("llama-server");
            if (Files.isExecutable(script)) {
                return script;
            }
        }
        throw new Backend.Unavailable(
                "tools/llama-server was not found above " + start + ": run it from a clone of the project");
    }
}
