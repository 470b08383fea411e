package io.github.flinkagentsnative.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.github.flinkagentsnative.ChatClient;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatOutcome;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.Provider;
import io.github.flinkagentsnative.StructuredOutputStrategy;
import io.github.flinkagentsnative.TransportOptions;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each class schema, as sent, is enforced by llama.cpp, and what the grammar lets a random model write reads back into the class
 * or fails by name.
 */
@Timeout(900)
class LlamaOracleTest {
    private static final int DOCUMENTS = 50;
    private static final int PARALLEL = 4;
    private static final int MAX_TOKENS = 240;

    /** What these ask for is in the description only, and a random text is neither a duration, a URI, one letter nor a date. */
    private static final Set<Class<?>> ASK_IN_WORDS =
            Set.of(Shapes.Span.class, Shapes.Ids.class, Shapes.Letters.class, Shapes.Patterned.class);

    private static ToolServer server;
    private static ChatClient client;
    private static ChatModel model;

    @BeforeAll
    static void start() throws Exception {
        server = ToolServer.llama();
        model = ChatModel.builder(Provider.OPENAI)
                .apiBaseUrl(server.url() + "/v1")
                .model("tiny-random")
                .nativeModels(List.of("tiny-random"))
                .keyless()
                .build();
        client = ChatClient.open(
                model,
                TransportOptions.builder()
                        .maxInFlight(PARALLEL)
                        .timeout(Duration.ofMinutes(5))
                        .build());
    }

    @AfterAll
    static void stop() throws Exception {
        if (client != null) {
            client.close();
        }
        if (server != null) {
            server.close();
        }
    }

    static List<Class<?>> enforced() {
        return Schemas.NATIVE;
    }

    @ParameterizedTest
    @MethodSource("enforced")
    void eachDocumentReadsBackOrFailsByName(Class<?> answer) {
        OutputSchema<?> schema = OutputSchema.of(answer);
        JsonSchema wire = wire(schema);
        int successes = 0;
        for (ChatOutcome<?> outcome : ask(schema)) {
            assertThat(outcome.decision().isNative()).isTrue();
            if (outcome.kind() == ErrorKind.TRUNCATED) {
                continue;
            }
            String text = outcome.response().message().text();
            assertThat(wire.validate(Json.readRoughly(text))).as(text).isEmpty();
            if (outcome.isSuccess()) {
                assertThat(outcome.value()).as(text).isInstanceOf(answer);
                successes++;
            } else {
                assertThat(outcome.kind()).as(outcome.error()).isEqualTo(ErrorKind.INVALID_OUTPUT);
                assertThat(valueAt(outcome, text).isValueNode())
                        .as("%s in %s", outcome.details(), text)
                        .isTrue();
            }
        }
        if (!ASK_IN_WORDS.contains(answer)) {
            assertThat(successes).isPositive();
        }
    }

    /** Pointers lead into the answer without its wrapper. */
    private static JsonNode valueAt(ChatOutcome<?> outcome, String text) {
        JsonNode sent = Json.readRoughly(text);
        String wrapper = outcome.decision().wrapper();
        JsonNode answer = wrapper == null ? sent : sent.path(wrapper);
        return answer.at((String) outcome.details().get("pointer"));
    }

    private static <T> List<ChatOutcome<T>> ask(OutputSchema<T> schema) {
        List<CompletableFuture<ChatOutcome<T>>> calls = IntStream.range(0, DOCUMENTS)
                .mapToObj(number -> client.askAsync(request(number), schema))
                .toList();
        return calls.stream().map(CompletableFuture::join).toList();
    }

    private static ChatRequest request(int number) {
        return ChatRequest.builder()
                .message(ChatMessage.user("Write document number " + number + "."))
                .parameter(
                        "temperature",
                        new BigDecimal(number % 4).divide(BigDecimal.TEN).add(new BigDecimal("0.7")))
                .parameter("seed", number)
                .parameter("max_tokens", MAX_TOKENS)
                .strategy(StructuredOutputStrategy.NATIVE)
                .build();
    }

    private static JsonSchema wire(OutputSchema<?> schema) {
        JsonNode body = Json.read(model.buildRequest(request(0), schema).body());
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(body.at("/response_format/json_schema/schema"));
    }
}
