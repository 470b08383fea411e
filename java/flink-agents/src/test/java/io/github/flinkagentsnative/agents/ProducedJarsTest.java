package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No artifact holds a class of Flink Agents' own package; runs when the jars are there. */
class ProducedJarsTest {

    @Test
    void noJarHoldsFlinkAgentsOwnClasses() throws Exception {
        Path java = Path.of(System.getProperty("project.root"), "java");
        int integration = 0;
        for (String module : List.of("core", "flink", "testkit", "flink-agents")) {
            try (Stream<Path> files = Files.list(java.resolve(module).resolve("target"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".jar")).toList()) {
                    try (JarFile jar = new JarFile(file.toFile())) {
                        assertThat(jar.stream().map(entry -> entry.getName()))
                                .as(file.toString())
                                .isNotEmpty()
                                .noneMatch(name -> name.contains("org/apache/flink/agents"));
                    }
                    integration += module.equals("flink-agents") ? 1 : 0;
                }
            }
        }
        assertThat(integration).isPositive();
    }
}
