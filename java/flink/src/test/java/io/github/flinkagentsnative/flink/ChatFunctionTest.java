package io.github.flinkagentsnative.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.Provider;
import io.github.flinkagentsnative.TransportOptions;
import io.github.flinkagentsnative.testkit.LocalChatServer;
import io.github.flinkagentsnative.testkit.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.function.SerializableFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The function in a job on the mini cluster, against the local server. */
@Timeout(120)
class ChatFunctionTest {
    private static final RowTypeInfo COUNT =
            new RowTypeInfo(new TypeInformation<?>[] {Types.STRING, Types.LONG}, new String[] {"word", "count"});

    private final LocalChatServer server = LocalChatServer.start();

    @AfterEach
    void close() {
        server.close();
    }

    private ChatFunction<String, Row, String> function(SerializableFunction<String, ChatRequest> request) {
        String url = server.baseUrl();
        String key = server.apiKey();
        return ChatFunction.of(
                () -> ChatModel.builder(Provider.OPENAI)
                        .apiBaseUrl(url)
                        .apiKey(key)
                        .model("gpt-4o-mini")
                        .build(),
                request,
                () -> RowSchemas.of(COUNT),
                (text, outcome) ->
                        text + " -> " + (outcome.isSuccess() ? outcome.value().getField("count") : outcome.kind()),
                Types.STRING);
    }

    private static List<String> run(List<String> texts, ChatFunction<String, Row, String> function, Duration timeout)
            throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2);
        DataStream<String> outcomes = AsyncDataStream.unorderedWait(
                env.fromData(texts).rebalance(), function, timeout.toMillis(), TimeUnit.MILLISECONDS, 4);
        return outcomes.executeAndCollect(texts.size() + 1);
    }

    private static ChatRequest ask(String text) {
        return ChatRequest.of(ChatMessage.user(text));
    }

    @Test
    void everyElementHasOneRecordWithItsTypedRow() throws Exception {
        List<String> texts = IntStream.range(0, 40).mapToObj(i -> "item " + i).toList();
        List<String> found = run(texts, function(ChatFunctionTest::ask), Duration.ofSeconds(30));
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 40)
                        .mapToObj(i -> "item " + i + " -> " + i)
                        .toList());
    }

    @Test
    void aFailedCallAndARefusedElementAreOutcomesAndTheJobGoesOn() throws Exception {
        server.when(request -> request.lastUserText().contains("limit"), Reply.rateLimited(Duration.ofSeconds(1)));
        server.when(
                request -> request.lastUserText().contains("broken"),
                Reply.text("{\"word\":\"x\",\"count\":\"many\"}"));
        List<String> found = run(
                List.of("good 1", "limit 2", "broken 3", "refused 4"),
                function(text -> {
                    if (text.startsWith("refused")) {
                        throw new IllegalArgumentException("not this one");
                    }
                    return ask(text);
                }),
                Duration.ofSeconds(30));
        assertThat(found)
                .containsExactlyInAnyOrder(
                        "good 1 -> 1",
                        "limit 2 -> PROVIDER_ERROR",
                        "broken 3 -> INVALID_OUTPUT",
                        "refused 4 -> INVALID_ARGUMENT");
    }

    @Test
    void flinksTimeoutCancelsTheCallAndGivesATimeoutOutcome() throws Exception {
        server.when(
                request -> request.lastUserText().contains("slow"),
                Reply.text("{}").after(Duration.ofSeconds(60)));
        long start = System.nanoTime();
        List<String> found = run(List.of("slow 1", "fast 2"), function(ChatFunctionTest::ask), Duration.ofSeconds(2));
        assertThat(found).containsExactlyInAnyOrder("slow 1 -> TIMEOUT", "fast 2 -> 2");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(40));
    }

    @Test
    void theCallsOwnDeadlineIsATimeoutOutcome() throws Exception {
        server.respondWith(request -> Reply.text("{}").after(Duration.ofSeconds(60)));
        ChatFunction<String, Row, String> function = function(ChatFunctionTest::ask)
                .withOptions(() -> TransportOptions.builder()
                        .timeout(Duration.ofMillis(300))
                        .build());
        assertThat(run(List.of("slow 1"), function, Duration.ofSeconds(30))).containsExactly("slow 1 -> TIMEOUT");
    }

    @Test
    void aWrongSettingFailsTheJobWhenTheFunctionIsOpened() {
        ChatFunction<String, Row, String> function = ChatFunction.of(
                () -> ChatModel.builder(Provider.AZURE_OPENAI)
                        .apiKey("k")
                        .model("d")
                        .build(),
                ChatFunctionTest::ask,
                () -> RowSchemas.of(COUNT),
                (text, outcome) -> text,
                Types.STRING);
        assertThatThrownBy(() -> run(List.of("x"), function, Duration.ofSeconds(30)))
                .hasStackTraceContaining("azure_endpoint");
    }

    @Test
    void theFunctionNamesItsRecordType() {
        assertThat(function(ChatFunctionTest::ask).getProducedType()).isEqualTo(Types.STRING);
    }
}
