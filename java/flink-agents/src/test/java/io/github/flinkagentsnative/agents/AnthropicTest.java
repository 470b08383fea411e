package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.agents.Wire.Call;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only Anthropic has. */
@Timeout(60)
class AnthropicTest extends ServiceTest {

    private static final String OLD = "claude-3-5-haiku-20241022";

    @BeforeEach
    void connect() throws Exception {
        connect(Services.ANTHROPIC);
    }

    private NativeChatModelSetup prefilling(Object... more) throws Exception {
        NativeChatModelSetup setup = service.setUp(
                connection,
                Resources.with(Map.of("json_prefill", true, "model", OLD), more).entrySet().stream()
                        .flatMap(entry -> java.util.stream.Stream.of(entry.getKey(), entry.getValue()))
                        .toArray());
        assertThat(setup.getParameters()).containsEntry("json_prefill", true);
        return setup;
    }

    /** Defect 6 of upstream's. */
    @Test
    void pr965_aPrefillIsPutBeforeTheAnswerItBeganAndNoOther() throws Exception {
        NativeChatModelSetup setup = prefilling();
        server.enqueue(
                wire.text("\"a\":1}"),
                wire.text("{\"a\":1}"),
                wire.text("Sorry, no."),
                wire.refusal("I will not"),
                wire.calls(new Call("toolu_1", "weather", Map.of())));
        for (String text : List.of("{\"a\":1}", "{\"a\":1}", "Sorry, no.", "", "")) {
            assertThat(setup.chat(ASK).getText()).isEqualTo(text);
        }
        assertThat(server.requests()).allSatisfy(request -> {
            assertThat(wire.turns(request.body())).hasSize(2);
            assertThat(wire.turns(request.body()).at("/1/content").asText()).isEqualTo("{");
        });
    }

    @Test
    void pr965_thereIsNoPrefillBesideASchemaToolsOrAFormat() throws Exception {
        NativeChatModelSetup setup = prefilling();
        server.respondWith(request -> wire.text(VERDICT));
        connection.chat(ASK, List.of(), setup.getParameters(), Verdict.class);
        connection.chat(ASK, WEATHER, setup.getParameters());
        prefilling("additional_kwargs", wire.ownFormat()).chat(ASK);
        assertThat(server.requests())
                .hasSize(3)
                .allSatisfy(request -> assertThat(wire.turns(request.body())).hasSize(1));
    }

    @ParameterizedTest
    @CsvSource({"claude-opus-4-6, 1", "claude-sonnet-5, 1", "claude-sonnet-4-5, 2", OLD + ", 2"})
    void pr965_modelsThatRefuseAPrefillGetNone(String model, int turns) throws Exception {
        server.enqueue(wire.text("\"a\":1}"));
        prefilling("model", model).chat(ASK);
        assertThat(wire.turns(body())).hasSize(turns);
    }

    @Test
    void strictToolsAreStrictAndClosed() throws Exception {
        server.enqueue(wire.text("hi"));
        service.setUp(connection, "strict_tools", true, "tools", List.of("weather"))
                .chat(ASK);
        assertThat(body().at("/tools/0/strict").asBoolean()).isTrue();
    }

    @Test
    void upstreamsNamesOfParametersAreTaken() throws Exception {
        server.enqueue(wire.text("hi"), wire.text("hi"));
        Map<String, Object> kwargs = Map.of(
                "top_k",
                40,
                "top_p",
                0.9,
                "stop_sequences",
                List.of("END"),
                "thinking",
                Map.of("type", "disabled"),
                "metadata",
                Map.of("user_id", "u-1"));
        connection.chat(ASK, WEATHER, parameters("strict_tools", true, "additional_kwargs", kwargs));
        assertThat(body().path("top_k").asInt()).isEqualTo(40);
        assertThat(body().path("top_p").asDouble()).isEqualTo(0.9);
        assertThat(body().at("/stop_sequences/0").asText()).isEqualTo("END");
        assertThat(body().at("/thinking/type").asText()).isEqualTo("disabled");
        assertThat(body().at("/metadata/user_id").asText()).isEqualTo("u-1");
        assertThat(body().at("/tools/0/strict").asBoolean()).isTrue();
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters("strict_tools", true, "strict", false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'strict' is set twice, also as 'strict_tools'");
    }

    @Test
    void theLimitIsSentBecauseTheServiceWantsOne() throws Exception {
        server.enqueue(wire.text("hi"));
        service.setUp(connection).chat(ASK);
        assertThat(body().path("max_tokens").asInt()).isEqualTo(4096);
    }

    @Test
    void aCallersOutputConfigJoinsTheSchema() throws Exception {
        server.enqueue(wire.text(VERDICT));
        Map<String, Object> effort = Map.of("output_config", Map.of("effort", "low"));
        connection.chat(ASK, List.of(), parameters("additional_kwargs", effort), Verdict.class);
        assertThat(body().at("/output_config/effort").asText()).isEqualTo("low");
        assertThat(wire.schema(body()).isMissingNode()).isFalse();
    }

    @Test
    void theKeyMayTravelAsABearerToken() throws Exception {
        reconnect("auth", "bearer", "max_retries", 0);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                .hasMessageContaining("there is no key in x-api-key");
        assertThat(server.only().header("authorization")).isEqualTo("Bearer " + LocalService.KEY);
    }

    @Test
    void anotherVersionIsSent() throws Exception {
        reconnect("anthropic_version", "2026-10-21", "max_retries", 0);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                .hasMessageContaining("the version is another one");
        assertThat(server.only().header("anthropic-version")).isEqualTo("2026-10-21");
    }

    @Test
    void anOverloadedServiceIsAskedAgain() throws Exception {
        server.enqueue(wire.error(529, "overloaded_error", "Overloaded"), wire.text("hi"));
        ChatResult result = connection.chat(ASK, List.of(), parameters());
        assertThat(result.getText()).isEqualTo("hi");
    }

    /** A turn that only says no, an empty text, and several system messages. */
    @Test
    void whatTheServiceRefusesIsNotSent() throws Exception {
        server.enqueue(wire.refusal("I will not"), wire.text("hi"));
        ChatMessage refused = connection.chat(ASK, List.of(), parameters()).getMessage();
        connection.chat(
                List.of(
                        ChatMessage.system("Be brief."),
                        ChatMessage.system(""),
                        ChatMessage.system("Be kind."),
                        ASK.get(0),
                        refused,
                        ChatMessage.user("Please.")),
                List.of(),
                parameters());
        assertThat(Json.texts(server.last().body().path("system"), "/text")).containsExactly("Be brief.", "Be kind.");
    }

    @Test
    void newModelsAreFeasibleUntilTheyAreNamed() throws Exception {
        assertThat(connection.supportsNativeStructuredOutput(Verdict.class, null, Map.of("model", "claude-opus-5-5")))
                .isIn(NativeStructuredOutputSupport.FEASIBLE, NativeStructuredOutputSupport.NATIVE_RECOMMENDED);
    }
}
