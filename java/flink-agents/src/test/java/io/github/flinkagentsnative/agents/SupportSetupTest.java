package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkagentsnative.agents.ConnectionContractTest.Verdict;
import io.github.flinkagentsnative.testkit.LocalChatServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of docs/flink-agents.md. */
@Timeout(60)
class SupportSetupTest {

    @Test
    void aSetupOfOnesOwnCallsTheSamePieces() throws Exception {
        try (LocalChatServer server = LocalChatServer.start()) {
            NativeChatModelConnection connection = Services.OPENAI.connect(server);
            SupportSetup setup = new SupportSetup(
                    new ResourceDescriptor(
                            SupportSetup.class.getName(),
                            Map.of("connection", "service", "model", "gpt-4o-mini", "model_for_long", "gpt-4.1")),
                    new Services.Context(Map.of("service", connection)));
            setup.open();
            Verdict verdict = setup.ask("Where is my parcel?", Verdict.class);
            assertThat(verdict.topic()).isNotNull();
            assertThat(server.requests().get(0).schema().isMissingNode()).isFalse();
            assertThat(server.requests().get(0).model()).isEqualTo("gpt-4o-mini");

            Row row = setup.ask("long ".repeat(50), ConnectionContractTest.ROW);
            assertThat(row.getField("count")).isInstanceOf(Integer.class);
            assertThat(server.requests().get(1).schema().isMissingNode()).isTrue();
            assertThat(server.requests().get(1).systemText()).contains("\"count\"");
            assertThat(server.requests().get(1).model()).isEqualTo("gpt-4.1");
            connection.close();
        }
    }

    @Test
    void theDocumentationShowsIt() throws Exception {
        Path root = Path.of(System.getProperty("project.root"));
        String source = Files.readString(
                root.resolve("java/flink-agents/src/test/java/io/github/flinkagentsnative/agents/SupportSetup.java"));
        List<String> lines = source.lines().toList();
        assertThat(lines).hasSizeLessThanOrEqualTo(60);
        String shown = source.substring(source.indexOf("/** A setup of your own"));
        assertThat(Files.readString(root.resolve("docs/flink-agents.md"))).contains(shown);
    }
}
