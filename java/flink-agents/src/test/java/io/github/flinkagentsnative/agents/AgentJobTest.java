package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The classes in a Flink job, as an agent runtime uses them; each job has a child-first class loader of its own. */
@Timeout(120)
class AgentJobTest {

    private static final int ELEMENTS = 24;

    private static final Pattern ITEM = Pattern.compile("item \\d+");

    private static List<String> run(Services service, Map<String, Object> connection) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.CLASSPATHS, jobClasspath());
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
        List<String> texts =
                IntStream.range(0, ELEMENTS).mapToObj(i -> "item " + i).toList();
        AgentFunction function = new AgentFunction(Map.of(
                "service",
                new ResourceDescriptor(service.connection.getName(), connection),
                "model",
                new ResourceDescriptor(service.setup.getName(), service.setupArguments())));
        return AsyncDataStream.unorderedWait(env.fromData(texts).rebalance(), function, 60, TimeUnit.SECONDS, 8)
                .returns(Types.STRING)
                .executeAndCollect(ELEMENTS + 1);
    }

    private static String item(Received request) {
        Matcher item = ITEM.matcher(request.text());
        return item.find() ? item.group() : "nothing";
    }

    /** What a job's jar would hold: everything but Flink, which the cluster has. */
    private static List<String> jobClasspath() throws Exception {
        List<String> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("org/apache/flink") && new File(entry).exists()) {
                urls.add(new File(entry).toURI().toURL().toString());
            }
        }
        return urls;
    }

    /** Arguments of a job: on Bedrock with AWS keys of a class that only the job's loader has. */
    private static Map<String, Object> arguments(Services service, LocalService server) {
        Map<String, Object> arguments = service.connectionArguments(server);
        return service == Services.BEDROCK
                ? Resources.with(arguments, "api_key", null, "credentials_class", BedrockTest.Keys.class.getName())
                : arguments;
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENAI", "AZURE", "ANTHROPIC", "BEDROCK", "GEMINI", "WATSONX"})
    void twoJobsInOneJvmHaveTheirOwnCopiesAndGiveThemBack(Services service) throws Exception {
        Wire wire = service.wire();
        try (LocalService server = service.start(wire)) {
            server.respondWith(request -> wire.text("re: " + item(request)).after(Duration.ofMillis(20)));
            Set<String> loaders = new HashSet<>();
            for (int job = 0; job < 2; job++) {
                List<String> found = run(service, arguments(service, server));
                assertThat(found.stream().map(line -> line.substring(0, line.indexOf(" by "))))
                        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ELEMENTS)
                                .mapToObj(i -> "re: item " + i)
                                .toList());
                found.forEach(line -> loaders.add(line.substring(line.indexOf(" by ") + 4)));
            }
            assertThat(loaders).hasSize(2).allMatch(loader -> loader.startsWith("ChildFirstClassLoader"));
            assertThat(server.requests()).hasSize(2 * ELEMENTS);
            assertThat(server.maxInFlight()).isGreaterThan(1);
        }
        assertNoThreadIsLeft();
    }

    /** Threads of the library's copies end when the last connection is closed; pooled ones some seconds later. */
    private static void assertNoThreadIsLeft() throws InterruptedException {
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        List<String> left;
        do {
            Thread.sleep(100);
            left = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getContextClassLoader() != AgentJobTest.class.getClassLoader())
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("flink-agents-native"))
                    .toList();
        } while (!left.isEmpty() && System.nanoTime() < patience);
        assertThat(left).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENAI", "BEDROCK"})
    void aFailingServiceFailsTheElementWithTheProvidersError(Services service) throws Exception {
        Wire wire = service.wire();
        try (LocalService server = service.start(wire)) {
            server.respondWith(request -> item(request).equals("item 3")
                    ? wire.error(400, "ValidationException", "no such thing")
                    : wire.text("re: " + item(request)));
            List<String> found = run(service, arguments(service, server));
            assertThat(found)
                    .hasSize(ELEMENTS)
                    .filteredOn(line -> line.startsWith("failed"))
                    .singleElement()
                    .asString()
                    .contains("400", "no such thing");
        }
    }
}
