package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The wire vectors that Rust and Java share: {@code {name, operation, frame, expect}} in {@code tests/vectors}. */
final class Vectors {

    private Vectors() {}

    /** All vectors of the folders, in a stable order. */
    static Stream<Map<String, Object>> of(String... folders) {
        return Stream.of(folders).flatMap(Vectors::files).flatMap(file -> list(file).stream());
    }

    private static Stream<Path> files(String folder) {
        try (Stream<Path> files = Files.list(root().resolve(folder))) {
            List<Path> sorted = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
            assertThat(sorted).as("vectors in %s", folder).isNotEmpty();
            return sorted.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path root() {
        return Path.of(System.getProperty("project.root"), "tests", "vectors");
    }

    static List<Map<String, Object>> list(Path file) {
        try {
            return ((List<?>) JsonReader.read(Files.readAllBytes(file)))
                    .stream().map(MessageFrames::object).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The request frame; {@code body} and {@code json} are written as text and cross as bytes. */
    static Map<String, Object> frame(Map<String, Object> vector) {
        Map<String, Object> frame = new LinkedHashMap<>(MessageFrames.object(vector.get("frame")));
        for (String key : List.of("body", "json")) {
            if (frame.get(key) instanceof String text) {
                frame.put(key, text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return frame;
    }

    static Map<String, Object> expect(Map<String, Object> vector) {
        return MessageFrames.object(vector.get("expect"));
    }
}
