package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills the JVM (SIGKILL) at every journal write of a run, and recovers each time: a failed call, a retry, a tool round and a
 * finalization, over real HTTP, with the journal in a file.
 */
@Timeout(300)
class RunCrashTest {

    record Bag(int n) {}

    /** decide, chat (503), chat (tool call), tool, chat, chat:final. */
    private static final int RECORDS = 6;

    private static final List<String> ANSWERS =
            List.of("503", """
            {"id":"1","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,
            "tool_calls":[{"id":"c1","type":"function","function":{"name":"count","arguments":"{}"}}]}}]}""", StubServer.completion("there is one"), StubServer.completion("{\\\"n\\\":1}"));

    @TempDir
    Path folder;

    @BeforeEach
    void private_folder() throws IOException {
        folder = Files.createDirectory(folder.resolve("private"));
    }

    /** Plays the answers in order; a call that is made again gets the same answer again. */
    private static void answer(HttpExchange exchange, String body, AtomicInteger calls) throws IOException {
        calls.incrementAndGet();
        boolean last = body.contains("response_format");
        boolean afterTool = body.contains("\"role\":\"tool\"");
        int step = last ? 3 : afterTool ? 2 : calls.get() == 1 ? 0 : 1;
        if (step == 0) {
            StubServer.json(exchange, 503, "{\"error\":{\"message\":\"busy\"}}");
        } else {
            StubServer.json(exchange, 200, ANSWERS.get(step));
        }
    }

    @Test
    void pr1149_c04_killed_behind_every_write_no_recorded_call_is_made_again() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (StubServer server = StubServer.http((exchange, body) -> answer(exchange, body, calls))) {
            String outcome = runOnce(server, "whole", -1, false).trim();
            assertThat(calls).hasValue(4);
            calls.set(0);
            // Each start goes one record further, and is killed behind it.
            for (int record = 0; record < RECORDS; record++) {
                assertThat(runOnce(server, "killed", record, false)).isEmpty();
            }
            assertThat(calls).hasValue(4);
            String recovered = runOnce(server, "killed", -1, false).trim();
            assertThat(calls).hasValue(4);
            assertThat(withoutTimes(recovered)).isEqualTo(withoutTimes(outcome));
            assertThat(runOnce(server, "killed", -1, false).trim()).isEqualTo(recovered);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5})
    void killed_before_a_write_only_that_call_is_made_again(int record) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (StubServer server = StubServer.http((exchange, body) -> answer(exchange, body, calls))) {
            assertThat(runOnce(server, "killed", record, true)).isEmpty();
            String recovered = runOnce(server, "killed", -1, false).trim();
            assertThat(recovered).contains("\"status\":\"SUCCESS\"").contains("\"value\":{\"n\":1}");
            // The server's 503 comes once: when the first call is made again it is answered.
            assertThat(calls).hasValue(record == 1 ? 4 : 5);
        }
    }

    private static String withoutTimes(String outcome) {
        return outcome.replaceAll("\"(elapsed|wait)_ms\":[0-9]+", "\"$1_ms\":0");
    }

    /** The standard output of a child: the outcome, or nothing when it was killed at {@code killAt}. */
    private String runOnce(StubServer server, String journal, int killAt, boolean before) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        ChildJvm.classPath(true),
                        Program.class.getName(),
                        server.baseUrl(),
                        folder.resolve(journal).toString(),
                        String.valueOf(killAt),
                        String.valueOf(before))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(child.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(killAt < 0 ? 0 : 128 + 9);
        return out;
    }

    /** Runs the request, and kills itself around the given write. */
    static final class Program {
        public static void main(String[] arguments) throws Exception {
            int killAt = Integer.parseInt(arguments[2]);
            boolean before = Boolean.parseBoolean(arguments[3]);
            ChatModel model = ChatModel.builder(Provider.OPENAI)
                    .apiBaseUrl(arguments[0])
                    .apiKey("sk-test")
                    .model("gpt-4o-mini")
                    .build();
            ChatRequest request = ChatRequest.builder()
                    .message(ChatMessage.user("How many?"))
                    .tool(new ToolSpec("count", "Counts.", "{\"type\":\"object\"}", null))
                    .build();
            try (Journal file = JdbcJournal.inFile(Path.of(arguments[1]));
                    ChatClient client = ChatClient.open(model);
                    ChatExecutor executor = ChatExecutor.builder(ModelCaller.of(client))
                            .maxRetries(2)
                            .retryWaitInterval(Duration.ofMillis(10))
                            .tools(call -> ToolResultBlock.of(call.callId(), "one"))
                            .journal(killing(file, killAt, before))
                            .build()) {
                ChatOutcome<Bag> outcome = executor.execute("crash", request, OutputSchema.of(Bag.class));
                System.out.println(outcome.toJson(ChatExecutor.runId("crash")));
            }
        }

        private static Journal killing(Journal file, int killAt, boolean before) {
            return new JournalDecorator(file) {
                @Override
                public void append(UUID runId, int position, JournalRecord record) {
                    if (position == killAt && before) {
                        kill();
                    }
                    super.append(runId, position, record);
                    if (position == killAt) {
                        kill();
                    }
                }
            };
        }

        private static void kill() {
            try {
                new ProcessBuilder(
                                "kill",
                                "-9",
                                String.valueOf(ProcessHandle.current().pid()))
                        .start();
                Thread.sleep(60_000);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
