package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.ChatConfigurationException;
import io.github.flinkagentsnative.OutputSchema;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.agents.api.tools.Tool;
import org.apache.flink.agents.api.tools.ToolMetadata;
import org.apache.flink.agents.api.tools.ToolParameters;
import org.apache.flink.agents.api.tools.ToolResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a connection does before it is open, while it is closed, and afterwards. */
@Timeout(120)
class LifecycleTest extends ServiceTest {

    private Map<String, Object> plain() {
        return Resources.with(service.setupArguments(), "connection", null);
    }

    private void build(Services built) throws Exception {
        start(built);
        connection = built.connection(built.connectionArguments(server));
    }

    @ParameterizedTest
    @EnumSource
    void pr930_c11_capabilityIsToldBeforeOpenAndAfterCloseAndForNulls(Services service) throws Exception {
        build(service);
        for (int i = 0; i < 2; i++) {
            assertThat(connection.supportsNativeStructuredOutput(Verdict.class, null, plain()))
                    .isEqualTo(NativeStructuredOutputSupport.NATIVE_RECOMMENDED);
            assertThat(connection.supportsNativeStructuredOutput(null, null, null))
                    .isNotNull();
            assertThat(connection.supportsNativeStructuredOutput(Verdict.class, null, null))
                    .isNotEqualTo(NativeStructuredOutputSupport.INFEASIBLE);
            assertThat(connection.effectiveModelFor(null)).isNull();
            connection.open();
            connection.close();
        }
    }

    /** A tool whose schema is no JSON. */
    private static final class Broken extends Tool {
        private static final long serialVersionUID = 1L;

        Broken() {
            super(new ToolMetadata("broken", "is broken", "{"));
        }

        @Override
        public ToolResponse call(ToolParameters parameters) {
            return ToolResponse.text("");
        }
    }

    /** Its schema cannot be looked at. */
    interface Hostile {
        Hostile[][] of(Hostile other);
    }

    @ParameterizedTest
    @EnumSource
    void capabilityIsToldWhateverIsAsked(Services service) throws Exception {
        build(service);
        Map<String, Object> wrong = new HashMap<>(plain());
        wrong.put("temperature", new Object());
        wrong.put("additional_kwargs", "no map");
        wrong.put("no such parameter", Double.NaN);
        wrong.put("nothing", null);
        Map<String, Object> before = new HashMap<>(wrong);
        assertThat(connection.supportsNativeStructuredOutput(Verdict.class, List.of(), wrong))
                .isEqualTo(NativeStructuredOutputSupport.NATIVE_RECOMMENDED);
        assertThat(wrong).isEqualTo(before);
        assertThat(connection.supportsNativeStructuredOutput(Verdict.class, List.of(new Broken()), plain()))
                .isNotNull();
        assertThat(connection.supportsNativeStructuredOutput(Verdict.class, Arrays.asList((Tool) null), plain()))
                .isNotNull();
        for (Object schema : new Object[] {
            Hostile.class, Void.class, int.class, "{}", OutputSchema.ofJsonSchema("{"), OutputSchema.ofJsonSchema("3")
        }) {
            assertThat(connection.supportsNativeStructuredOutput(schema, List.of(), plain()))
                    .as(schema.toString())
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenToolIsNamedByTheCall(Services service) throws Exception {
        connect(service);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(new Broken()), plain()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("broken");
        assertThat(server.requests()).isEmpty();
    }

    /** Whether the argument of a wrong place is told when the resource is built, or when it is opened. */
    @ParameterizedTest
    @EnumSource
    void wrongSettingsAreToldByOpenAndDoNotBreakTheQuestion(Services service) throws Exception {
        start(service);
        connection = service.connection(
                Resources.with(service.connectionArguments(server), service.urlArgument(), "not a place"));
        assertThat(connection.supportsNativeStructuredOutput(Verdict.class, null, plain()))
                .isEqualTo(NativeStructuredOutputSupport.INFEASIBLE);
        assertThatThrownBy(connection::open)
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("must be an absolute URL");
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), plain())).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aCallNeedsAnOpenConnection(Services service) throws Exception {
        build(service);
        server.respondWith(request -> wire.text("hi"));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), plain()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(service.connection.getSimpleName());
        connection.close();
        connection.open();
        connection.open();
        assertThat(connection.chat(ASK, List.of(), plain()).getText()).isEqualTo("hi");
        connection.close();
        connection.close();
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), plain(), Verdict.class))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::modelCaller).isInstanceOf(IllegalStateException.class);
        connection.open();
        assertThat(connection.chat(ASK, List.of(), plain()).getText()).isEqualTo("hi");
        assertThat(server.requests()).hasSize(2);
    }

    private void assertThatClosingEnds(Answer answer) throws Exception {
        server.respondWith(request -> answer);
        CompletableFuture<?> call = CompletableFuture.supplyAsync(() -> connection.chat(ASK, List.of(), plain()));
        while (server.requests().isEmpty()) {
            Thread.sleep(5);
        }
        Thread.sleep(50);
        assertThat(call).isNotDone();
        connection.close();
        assertThatThrownBy(() -> call.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(service.connection.getSimpleName() + " was closed");
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void closingEndsACallUnderWay(Services service) throws Exception {
        connect(service);
        assertThatClosingEnds(wire.text("late").after(Duration.ofSeconds(30)));
    }

    @ParameterizedTest
    @EnumSource
    void closingEndsACallThatWaitsForItsRetry(Services service) throws Exception {
        connect(service);
        assertThatClosingEnds(wire.error(429, "slow_down", "too many").header("Retry-After", "30"));
    }

    /** Whenever the connection is closed, a call ends with its answer or says that it was closed. */
    @Test
    void closingAtAnyMomentLeavesNoCallInDoubt() throws Exception {
        start(Services.ANTHROPIC);
        server.respondWith(request -> wire.text("hi"));
        ExecutorService callers = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 25; round++) {
                connection = service.connect(server);
                List<Future<String>> calls = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                    calls.add(callers.submit(this::answered));
                }
                Thread.sleep(round);
                connection.close();
                for (Future<String> call : calls) {
                    assertThat(call.get(20, TimeUnit.SECONDS)).isIn("hi", "closed");
                }
            }
        } finally {
            callers.shutdownNow();
        }
    }

    private String answered() {
        try {
            ChatResult result = connection.chat(ASK, List.of(), plain());
            return result.getText();
        } catch (IllegalStateException e) {
            boolean told =
                    e.getMessage().contains("was closed") || e.getMessage().contains("is not open");
            return told ? "closed" : e.toString();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptCancelsTheCallAndKeepsTheFlag(Services service) throws Exception {
        connect(service);
        server.respondWith(request -> wire.text("late").after(Duration.ofSeconds(30)));
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                connection.chat(ASK, List.of(), plain());
            } catch (CancellationException e) {
                flag.complete(Thread.currentThread().isInterrupted());
            } catch (Throwable e) {
                flag.completeExceptionally(e);
            }
        });
        caller.start();
        while (server.requests().isEmpty()) {
            Thread.sleep(5);
        }
        caller.interrupt();
        assertThat(flag.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void z6_theFirstRetryComesAfterHalfASecondAndTheNextAfterTwiceThat() throws Exception {
        connect(Services.BEDROCK);
        Answer broken = wire.error(500, "InternalServerException", "broken");
        server.enqueue(broken, broken, wire.text("third"));
        long start = System.nanoTime();
        assertThat(connection.chat(ASK, List.of(), plain()).getText()).isEqualTo("third");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(1_490), Duration.ofMillis(6_000));
    }

    @Test
    void resourcesAreBuiltWithoutTheNativeLibrary() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("linux-") && !entry.contains("osx-") && !entry.contains("windows-")) {
                urls.add(new File(entry).toURI().toURL());
            }
        }
        start(Services.OPENAI);
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> descriptor = loader.loadClass(ResourceDescriptor.class.getName());
            Class<?> context = loader.loadClass(ResourceContext.class.getName());
            for (Services each : Services.values()) {
                Object built = loader.loadClass(each.connection.getName())
                        .getConstructor(descriptor, context)
                        .newInstance(
                                descriptor
                                        .getConstructor(String.class, Map.class)
                                        .newInstance("c", each.connectionArguments(server)),
                                null);
                assertThatThrownBy(() -> built.getClass().getMethod("open").invoke(built))
                        .cause()
                        .isInstanceOf(UnsatisfiedLinkError.class);
            }
        }
    }
}
