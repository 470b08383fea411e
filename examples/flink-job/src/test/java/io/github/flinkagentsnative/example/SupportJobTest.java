package io.github.flinkagentsnative.example;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.flinkagentsnative.testkit.LocalChatServer;
import io.github.flinkagentsnative.testkit.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole job on the mini cluster. */
@Timeout(180)
class SupportJobTest {
    @TempDir
    Path folder;

    private Path write(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
    }

    private static String message(String id, String text) {
        return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"}";
    }

    /** Runs the job against a server with rules. */
    private JobRun run(LocalChatServer server, Path messages, Duration timeout) throws Exception {
        Path out = folder.resolve("outcomes.jsonl");
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        int code = Main.run(
                messages,
                new Arguments(messages, out, "local", 2, timeout, null),
                Backend.of("test server", server),
                JobRun.print(printed));
        return new JobRun(code, printed.toString(StandardCharsets.UTF_8), "", JobRun.read(out));
    }

    @Test
    void theBundledMessagesAllHaveOneOutcomeAndTheTableAddsUp() throws Exception {
        List<String> lines;
        try (InputStream in = Main.class.getResourceAsStream("/messages.jsonl")) {
            lines = Arrays.asList(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"));
        }
        assertThat(lines.size()).isGreaterThanOrEqualTo(60);
        JobRun run = JobRun.of(folder.resolve("out.jsonl"), Map.of(), "--provider", "local");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.outcomes()).hasSize(lines.size());
        assertThat(run.byId()).hasSize(lines.size());
        assertThat(run.outcomes())
                .extracting(outcome -> outcome.path("place").asText())
                .doesNotHaveDuplicates();
        assertThat(run.counts()).isEqualTo(Map.of("SUCCESS", lines.size() - 6, "invalid_argument", 6));
        assertThat(run.out())
                .contains(lines.size() + " records, " + lines.size() + " outcomes")
                .contains("of " + lines.size() + " outcomes") // progress
                .contains("m-001 again at messages.jsonl:")
                .contains("p50")
                .contains("invalid_argument")
                .contains(folder.resolve("out.jsonl").toString());
        int counted = Arrays.stream(Verdict.Topic.values())
                .flatMap(topic -> run.out().lines().filter(line -> line.startsWith(topic.name() + " ")))
                .mapToInt(line -> Integer.parseInt(line.trim().split("\\s+")[1]))
                .sum();
        assertThat(counted).isEqualTo(lines.size() - 6);
        assertThat(run.out()).doesNotContain(LocalChatServer.DEFAULT_API_KEY);
    }

    @Test
    void anOutcomeHoldsTheTypedVerdict() throws Exception {
        Path messages = write(
                "in.jsonl",
                message("m-1", "My order AB-10452 was charged twice, 49.90 USD each. Please refund today!"));
        JobRun run = JobRun.of(folder.resolve("out.jsonl"), Map.of(), messages.toString());
        JsonNode outcome = run.byId().get("m-1");
        assertThat(UUID.fromString(outcome.path("request_id").asText())).isNotNull();
        assertThat(outcome.path("status").asText()).isEqualTo("SUCCESS");
        assertThat(outcome.path("error").isNull()).isTrue();
        assertThat(outcome.path("usage").path("prompt_tokens").asInt()).isPositive();
        JsonNode verdict = outcome.path("value");
        assertThat(verdict.path("topic").asText()).isEqualTo("BILLING");
        assertThat(verdict.path("urgency").asText()).isEqualTo("HIGH");
        assertThat(verdict.at("/claim/amount").decimalValue()).isEqualTo(new BigDecimal("49.90"));
        assertThat(verdict.at("/claim/currency").asText()).isEqualTo("USD");
        assertThat(verdict.path("orderNumber").asText()).isEqualTo("AB-10452");
        assertThat(verdict.path("needsReply").asBoolean()).isTrue();
        assertThat(verdict.path("keywords")).isNotEmpty();
        assertThat(outcome.path("decision").path("native").asBoolean()).isTrue();
    }

    @Test
    void everyKindOfFailureIsNamedAndTheJobEndsWell() throws Exception {
        String good = "{\"topic\":\"OTHER\",\"urgency\":\"LOW\",\"summary\":\"s\",\"keywords\":[],"
                + "\"claim\":{\"amount\":1.10,\"currency\":null},\"orderNumber\":null,\"needsReply\":false}";
        Map<String, Reply> replies = Map.ofEntries(
                Map.entry("good", Reply.text(good)),
                Map.entry(
                        "key",
                        Reply.error(
                                401, "invalid_request_error", null, "invalid_api_key", "Incorrect API key provided.")),
                Map.entry("bad", Reply.error(400, "invalid_request_error", "messages", "invalid_value", "bad value")),
                Map.entry("model", Reply.error(404, "invalid_request_error", null, "model_not_found", "no such model")),
                Map.entry("limit", Reply.rateLimited(Duration.ofSeconds(2))),
                Map.entry("server", Reply.serverError()),
                Map.entry("html", Reply.htmlPage(502)),
                Map.entry("page", Reply.htmlPage(200)),
                Map.entry("empty", Reply.emptyBody()),
                Map.entry("cut", Reply.cutJson()),
                Map.entry("type", Reply.wrongContentType(good)),
                Map.entry("gone", Reply.cutConnection()),
                Map.entry("half", Reply.cutBody()),
                Map.entry("slow", Reply.text(good).after(Duration.ofSeconds(30))),
                Map.entry("refusal", Reply.refusal("I cannot help with that.")),
                Map.entry("long", Reply.truncated("{\"topic\":\"OTHER\"")),
                Map.entry("filter", Reply.contentFilter()),
                Map.entry("nothing", Reply.text("")),
                Map.entry("enum", Reply.text(good.replace("LOW", "MAYBE"))),
                Map.entry("prose", Reply.text("I think it is about billing.")));
        try (LocalChatServer server = LocalChatServer.start()) {
            server.respondWith(request -> replies.get(request.lastUserText()));
            Path messages = write(
                    "in.jsonl",
                    replies.keySet().stream()
                            .sorted()
                            .map(key -> message(key, key))
                            .toArray(String[]::new));
            JobRun run = run(server, messages, Duration.ofSeconds(3));

            assertThat(run.code()).isZero();
            Map<String, JsonNode> byId = run.byId();
            assertThat(run.outcomes()).hasSize(replies.size());
            assertThat(byId.keySet()).isEqualTo(replies.keySet());
            for (String id : List.of("key", "bad", "model", "limit", "server", "html")) {
                assertThat(kind(byId, id)).as(id).isEqualTo("provider_error");
            }
            assertThat(byId.get("limit").at("/details/status").asInt()).isEqualTo(429);
            assertThat(byId.get("limit").at("/details/retryable").asBoolean()).isTrue();
            assertThat(byId.get("key").at("/details/code").asText()).isEqualTo("invalid_api_key");
            assertThat(byId.get("html").at("/details/status").asInt()).isEqualTo(502);
            assertThat(kind(byId, "slow")).isEqualTo("timeout");
            assertThat(kind(byId, "gone")).isEqualTo("transport");
            assertThat(kind(byId, "half")).isEqualTo("transport");
            assertThat(kind(byId, "refusal")).isEqualTo("refusal");
            assertThat(kind(byId, "long")).isEqualTo("truncated");
            assertThat(kind(byId, "filter")).isEqualTo("content_filter");
            assertThat(kind(byId, "nothing")).isEqualTo("empty_response");
            assertThat(kind(byId, "enum")).isEqualTo("invalid_output");
            assertThat(byId.get("enum").at("/details/pointer").asText()).isEqualTo("/urgency");
            assertThat(kind(byId, "prose")).isEqualTo("invalid_output");
            for (String id : List.of("page", "empty", "cut")) {
                assertThat(byId.get(id).path("status").asText()).as(id).isEqualTo("FAILED");
                assertThat(kind(byId, id)).as(id).isIn("provider_error", "empty_response");
                assertThat(byId.get(id).path("error").asText()).as(id).isNotBlank();
            }
            assertThat(byId.get("good").path("status").asText()).isEqualTo("SUCCESS");
            assertThat(byId.get("good").at("/value/claim/amount").decimalValue())
                    .isEqualTo(new BigDecimal("1.10"));
            for (JsonNode outcome : run.outcomes()) {
                assertThat(outcome.toString()).doesNotContain(server.apiKey());
                if (outcome.path("status").asText().equals("FAILED")) {
                    assertThat(outcome.path("response").isNull()).isTrue();
                    assertThat(outcome.path("error").asText()).isNotBlank();
                }
            }
        }
    }

    @Test
    void aRefusedConnectionIsATransportFailureOfEveryRecord() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Path messages = write("in.jsonl", message("a", "x"), message("b", "y"));
        JobRun run = JobRun.of(
                folder.resolve("out.jsonl"),
                Map.of(
                        "OPENAI_API_KEY",
                        "sk-secret-of-the-test",
                        "OPENAI_BASE_URL",
                        "http://127.0.0.1:" + port + "/v1"),
                messages.toString());
        assertThat(run.code()).isZero();
        assertThat(run.counts()).isEqualTo(Map.of("transport", 2));
        assertThat(run.out() + run.outcomes()).contains("127.0.0.1:" + port).doesNotContain("sk-secret-of-the-test");
    }

    @Test
    void malformedLinesAndRepeatedIdsEndInOutcomesOfTheirOwn() throws Exception {
        Path messages = write(
                "_hidden name.jsonl",
                message("m", "first"),
                "{\"id\":",
                "",
                message("m", "second"),
                "{\"text\":7}",
                "{\"text\":\"no id\"}");
        JobRun run = JobRun.of(folder.resolve("out.jsonl"), Map.of(), messages.toString());
        assertThat(run.code()).isZero();
        assertThat(run.byId().keySet())
                .containsExactlyInAnyOrder(
                        "m",
                        "_hidden name.jsonl:2",
                        "_hidden name.jsonl:3",
                        "m@_hidden name.jsonl:4",
                        "_hidden name.jsonl:5",
                        "_hidden name.jsonl:6");
        assertThat(run.counts()).isEqualTo(Map.of("SUCCESS", 3, "invalid_argument", 3));
        assertThat(run.byId().get("_hidden name.jsonl:2").path("error").asText())
                .contains("_hidden name.jsonl:2: the line is no JSON");
        assertThat(run.byId().get("m@_hidden name.jsonl:4").path("duplicate_of").asText())
                .isEqualTo("m");
    }

    @Test
    void anEmptyFileHasNoOutcomes() throws Exception {
        Path messages = Files.writeString(folder.resolve("empty.jsonl"), "");
        JobRun run = JobRun.of(folder.resolve("out.jsonl"), Map.of(), messages.toString());
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("0 records, 0 outcomes");
    }

    @Test
    void aJobThatIsKilledInTheMiddleMakesNoRecordedCallAgainAndHasEachIdOnce() throws Exception {
        JobRun run = JobRun.of(folder.resolve("out.jsonl"), Map.of(), "--provider", "local", "--kill-after", "30");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.outcomes()).hasSize(77);
        assertThat(run.byId()).hasSize(77);
        assertThat(run.counts()).isEqualTo(Map.of("SUCCESS", 71, "invalid_argument", 6));
        assertThat(run.out()).contains("once, after 30 outcomes; restarted from the last checkpoint");
        Matcher calls = Pattern.compile("calls +(\\d+) made for 71 messages, counted by the provider; (\\d+) more")
                .matcher(run.out());
        assertThat(calls.find()).isTrue();
        assertThat(Integer.parseInt(calls.group(1))).isBetween(71, 71 + 16); // 16 are in flight at most
        assertThat(Integer.parseInt(calls.group(2))).isPositive();
        Matcher again = Pattern.compile("asked again +(\\d+) messages, .* (\\d+) of those")
                .matcher(run.out());
        assertThat(again.find()).isTrue();
        assertThat(Integer.parseInt(again.group(1))).isEqualTo(Integer.parseInt(calls.group(1)) - 71);
        assertThat(again.group(2)).isEqualTo("0");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(folder.resolve("out.jsonl")); // no journal, no part files
        }
    }

    @Test
    void aJobThatEndsBeforeItIsKilledSaysSo() throws Exception {
        Path messages = write("in.jsonl", message("a", "x"));
        JobRun run = JobRun.of(
                folder.resolve("out.jsonl"), Map.of(), messages.toString(), "--provider", "local", "--kill-after", "5");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("killed           no: the job ended before so many outcomes");
    }

    private static String kind(Map<String, JsonNode> byId, String id) {
        return byId.get(id).path("kind").asText();
    }
}
