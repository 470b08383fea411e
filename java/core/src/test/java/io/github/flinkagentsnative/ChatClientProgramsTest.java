package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The client in JVMs of their own, under {@code -Xcheck:jni}: nothing to complain about, and exit is never held up. */
class ChatClientProgramsTest {

    @Test
    void ordinary_and_broken_calls_leave_xcheck_jni_nothing_to_say() throws Exception {
        assertThat(ChildJvm.running(Calls.class).run().assertClean().out()).contains("calls: 202");
    }

    @Test
    void a_newer_jvm_runs_the_same_calls() throws Exception {
        assertThat(ChildJvm.running(Calls.class)
                        .on(NewerJvm.home())
                        .option("--enable-native-access=ALL-UNNAMED")
                        .run()
                        .assertClean()
                        .out())
                .contains("calls: 202");
    }

    @Test
    void two_class_loaders_call_side_by_side() throws Exception {
        var result = ChildJvm.running(TwoLoaders.class).run().assertClean();
        assertThat(result.out().lines().filter(line -> line.equals("calls: 202")))
                .hasSize(2);
    }

    @Test
    void the_jvm_exits_at_once_when_main_returns_while_calls_are_in_flight() throws Exception {
        assertExits(ChildJvm.running(ExitWhileCalling.class).run("return"), 0);
    }

    @Test
    void the_jvm_exits_at_once_with_its_code_on_system_exit_while_calls_are_in_flight() throws Exception {
        assertExits(ChildJvm.running(ExitWhileCalling.class).run("exit"), 7);
    }

    private static void assertExits(ChildJvm.Result result, int exit) {
        long ended = System.currentTimeMillis();
        assertThat(result.exit())
                .as("stdout: %s, stderr: %s", result.out(), result.err())
                .isEqualTo(exit);
        result.assertNoWarning();
        long leaving = Long.parseLong(result.out().strip().replaceAll("(?s).*leaving at (\\d+)$", "$1"));
        assertThat(ended - leaving).as("milliseconds to leave").isLessThan(2000);
    }

    @Test
    void a_job_that_is_gone_leaves_neither_class_loader_nor_library_behind() throws Exception {
        var result = ChildJvm.running(Redeploy.class).run().assertClean();
        assertThat(result.out()).contains("loaders left: 0", "mapped copies: 0");
    }

    /** Calls of every sort: 202 of them. */
    static final class Calls {
        public static void main(String[] args) throws Exception {
            CountDownLatch arrived = new CountDownLatch(2);
            try (StubServer server = StubServer.http((exchange, body) -> {
                        if (body.contains("slow")) {
                            arrived.countDown();
                            Thread.sleep(60_000);
                        } else if (body.contains("fail")) {
                            StubServer.json(exchange, 500, "{\"error\":{\"message\":\"no\"}}");
                        }
                        StubServer.say(exchange, "hello");
                    });
                    ChatClient client = ChatClient.open(ChatClientTest.model(server))) {
                int calls = 0;
                for (int i = 0; i < 100; i++) {
                    if (!client.chat(ChatClientTest.request("hi"))
                            .message()
                            .text()
                            .equals("hello")) {
                        throw new AssertionError("wrong answer");
                    }
                    if (client.ask(ChatClientTest.request("fail"), null).kind() != ErrorKind.PROVIDER_ERROR) {
                        throw new AssertionError("wrong kind");
                    }
                    calls += 2;
                }
                CompletableFuture<ChatResult> cancelled = client.chatAsync(ChatClientTest.request("slow"));
                Thread interrupted = new Thread(() -> {
                    try {
                        client.ask(ChatClientTest.request("slow"), null);
                    } catch (InterruptedException e) {
                        System.out.println("interrupted");
                    }
                });
                interrupted.start();
                arrived.await();
                cancelled.cancel(true);
                interrupted.interrupt();
                interrupted.join();
                System.out.println("calls: " + (calls + 2));
            }
        }
    }

    /** Two jobs with class loaders of their own, at the same time. */
    static final class TwoLoaders {
        public static void main(String[] args) throws Exception {
            try (var first = new LibraryPrograms.IsolatedLoader();
                    var second = new LibraryPrograms.IsolatedLoader()) {
                List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
                List<Thread> jobs = new ArrayList<>();
                for (ClassLoader loader : List.of(first, second)) {
                    jobs.add(new Thread(() -> {
                        try {
                            var main = Class.forName(Calls.class.getName(), true, loader)
                                    .getDeclaredMethod("main", String[].class);
                            main.setAccessible(true);
                            main.invoke(null, (Object) new String[0]);
                        } catch (Throwable e) {
                            failures.add(e);
                        }
                    }));
                }
                jobs.forEach(Thread::start);
                for (Thread job : jobs) {
                    job.join();
                }
                if (!failures.isEmpty()) {
                    throw new AssertionError(failures.get(0));
                }
            }
        }
    }

    /** A job is started and stopped twenty times, each time in a class loader of its own. */
    static final class Redeploy {
        public static void main(String[] args) throws Exception {
            try (StubServer server = StubServer.http((exchange, body) -> StubServer.say(exchange, "hello"))) {
                List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    loaders.add(runJob(server.baseUrl()));
                }
                long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
                long left;
                do {
                    System.gc();
                    Thread.sleep(50);
                    left = loaders.stream()
                            .filter(loader -> loader.get() != null)
                            .count();
                } while ((left > 0 || LibraryPrograms.mappedCopies() > 0) && System.nanoTime() < patience);
                System.out.println("loaders left: " + left);
                System.out.println("mapped copies: " + LibraryPrograms.mappedCopies());
            }
        }

        private static WeakReference<ClassLoader> runJob(String baseUrl) throws Exception {
            try (var loader = new LibraryPrograms.IsolatedLoader()) {
                var job = Class.forName(Redeploy.class.getName(), true, loader).getDeclaredMethod("job", String.class);
                job.setAccessible(true);
                job.invoke(null, baseUrl);
                return new WeakReference<>(loader);
            }
        }

        static void job(String baseUrl) throws Exception {
            try (ChatClient client = ChatClient.open(ChatClientTest.model(baseUrl))) {
                client.chat(ChatClientTest.request("hi"));
                client.askAsync(ChatClientTest.request("hi"), null).get();
                OutputSchema<Object> schema = OutputSchema.ofJsonSchema(
                        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]}");
                // The answer is no JSON object, so that the check of answers has run too.
                ChatOutcome<Object> outcome = client.ask(ChatClientTest.request("hi"), schema);
                if (outcome.kind() != ErrorKind.INVALID_OUTPUT) {
                    throw new AssertionError(outcome.error());
                }
            }
        }
    }

    /** Leaves with 20 calls in flight and the client open. */
    static final class ExitWhileCalling {
        public static void main(String[] args) throws Exception {
            CountDownLatch arrived = new CountDownLatch(20);
            // Not closed, as in a job that is stopped hard. Its threads are daemons here, since the JVM must be able to
            // end.
            java.net.ServerSocket server = new java.net.ServerSocket(0, 50, java.net.InetAddress.getLoopbackAddress());
            Thread accepting = new Thread(() -> {
                List<java.net.Socket> open = new ArrayList<>();
                try {
                    while (true) {
                        open.add(server.accept());
                        arrived.countDown();
                    }
                } catch (java.io.IOException e) {
                    open.clear();
                }
            });
            accepting.setDaemon(true);
            accepting.start();
            @SuppressWarnings("resource")
            ChatClient client =
                    ChatClient.open(ChatClientTest.model("http://127.0.0.1:" + server.getLocalPort() + "/v1"));
            for (int i = 0; i < 20; i++) {
                client.askAsync(ChatClientTest.request("hi"), null);
            }
            arrived.await();
            System.out.println("leaving at " + System.currentTimeMillis());
            if (args[0].equals("exit")) {
                System.exit(7);
            }
        }
    }
}
