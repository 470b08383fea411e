package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.agents.ConnectionContractTest.Verdict;
import io.github.flinkagentsnative.testkit.LocalChatServer;
import io.github.flinkagentsnative.testkit.Reply;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a connection does before it is open, while it is closed, and afterwards. */
@Timeout(60)
class LifecycleTest {

    private static final List<ChatMessage> ASK = List.of(ChatMessage.user("Hello"));

    private final LocalChatServer server = LocalChatServer.start();

    @AfterEach
    void close() {
        server.close();
    }

    private static Map<String, Object> parameters(Services service) {
        return Services.with(service.setupArguments(), "connection", null);
    }

    @ParameterizedTest
    @EnumSource
    void pr930_c11_capabilityIsToldBeforeOpenAndAfterCloseAndForNulls(Services service) throws Exception {
        NativeChatModelConnection connection = service.connection(service.connectionArguments(server));
        for (int i = 0; i < 2; i++) {
            assertThat(connection.supportsNativeStructuredOutput(Verdict.class, null, parameters(service)))
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

    @ParameterizedTest
    @EnumSource
    void aCallNeedsAnOpenConnection(Services service) throws Exception {
        NativeChatModelConnection connection = service.connection(service.connectionArguments(server));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(service)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(service.connection.getSimpleName());
        connection.close();
        connection.open();
        connection.open();
        assertThat(connection.chat(ASK, List.of(), parameters(service)).getText())
                .isNotNull();
        connection.close();
        connection.close();
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters(service), Verdict.class))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::modelCaller).isInstanceOf(IllegalStateException.class);
        connection.open();
        assertThat(connection.chat(ASK, List.of(), parameters(service)).getText())
                .isNotNull();
        connection.close();
    }

    private void assertThatClosingEnds(NativeChatModelConnection connection, int requests) throws Exception {
        CompletableFuture<?> call =
                CompletableFuture.supplyAsync(() -> connection.chat(ASK, List.of(), parameters(Services.OPENAI)));
        while (server.requests().size() < requests) {
            Thread.sleep(5);
        }
        Thread.sleep(50);
        assertThat(call).isNotDone();
        connection.close();
        assertThatThrownBy(() -> call.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("OpenAICompletionsConnection was closed");
        assertThat(server.requests()).hasSize(requests);
    }

    @Test
    void closingEndsACallUnderWay() throws Exception {
        server.respondWith(request -> Reply.text("late").after(Duration.ofSeconds(30)));
        assertThatClosingEnds(Services.OPENAI.connect(server), 1);
    }

    @Test
    void closingEndsACallThatWaitsForItsRetry() throws Exception {
        server.respondWith(request -> Reply.rateLimited(Duration.ofSeconds(30)));
        assertThatClosingEnds(Services.OPENAI.connect(server), 1);
    }

    @Test
    void anInterruptCancelsTheCallAndKeepsTheFlag() throws Exception {
        server.respondWith(request -> Reply.text("late").after(Duration.ofSeconds(30)));
        NativeChatModelConnection connection = Services.OPENAI.connect(server);
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                connection.chat(ASK, List.of(), parameters(Services.OPENAI));
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
        connection.close();
    }

    @Test
    void theFirstRetryComesAfterHalfASecondAndTheNextAfterTwiceThat() throws Exception {
        server.enqueue(Reply.serverError(), Reply.serverError(), Reply.text("third"));
        NativeChatModelConnection connection = Services.OPENAI.connect(server);
        long start = System.nanoTime();
        assertThat(connection.chat(ASK, List.of(), parameters(Services.OPENAI)).getText())
                .isEqualTo("third");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(1_500), Duration.ofMillis(4_000));
        connection.close();
    }

    @Test
    void timeoutIsForOneCallAndIsRepeated() throws Exception {
        server.enqueue(Reply.text("late").after(Duration.ofSeconds(30)), Reply.text("in time"));
        NativeChatModelConnection connection = Services.OPENAI.connect(server, "timeout", 0.3);
        assertThat(connection.chat(ASK, List.of(), parameters(Services.OPENAI)).getText())
                .isEqualTo("in time");
        connection.close();
    }

    @Test
    void resourcesAreBuiltWithoutTheNativeLibrary() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("linux-") && !entry.contains("osx-") && !entry.contains("windows-")) {
                urls.add(new File(entry).toURI().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> descriptor = loader.loadClass(ResourceDescriptor.class.getName());
            Class<?> context = loader.loadClass(ResourceContext.class.getName());
            for (Services service : Services.values()) {
                Object connection = loader.loadClass(service.connection.getName())
                        .getConstructor(descriptor, context)
                        .newInstance(
                                descriptor
                                        .getConstructor(String.class, Map.class)
                                        .newInstance("c", service.connectionArguments(server)),
                                null);
                assertThatThrownBy(() -> connection.getClass().getMethod("open").invoke(connection))
                        .cause()
                        .isInstanceOf(UnsatisfiedLinkError.class);
            }
        }
    }
}
