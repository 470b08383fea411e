package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The example of docs/flink-agents.md, on every connection. */
@Timeout(60)
class SupportSetupTest extends ServiceTest {

    @ParameterizedTest
    @EnumSource
    void aSetupOfOnesOwnCallsTheSamePieces(Services service) throws Exception {
        connect(service);
        SupportSetup setup = new SupportSetup(
                new ResourceDescriptor(
                        SupportSetup.class.getName(),
                        Map.of("connection", "service", "model", service.model, "model_for_long", service.model)),
                new Resources.Context(Map.of("service", connection)));
        setup.open();
        server.enqueue(wire.text(VERDICT), wire.text("{\"word\":\"parcel\",\"count\":3}"));
        assertThat(setup.<Verdict>ask("Where is my parcel? Answer in json.", Verdict.class))
                .isEqualTo(new Verdict("parcel", 1));
        // Nothing here says what stands behind Azure's deployment, so the schema goes into the prompt.
        assertThat(wire.schema(body()).isMissingNode()).isEqualTo(service == Services.AZURE);
        assertThat(server.only().text().contains("urgency")).isTrue();

        Row row = setup.ask("long ".repeat(50), ROW);
        assertThat(row.getField("count")).isEqualTo(3);
        assertThat(wire.schema(server.last().body()).isMissingNode()).isTrue();
        assertThat(server.last().text()).contains("count");
        assertThat(server.requests())
                .hasSize(2)
                .allMatch(request -> request.text().contains(":500"));
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
