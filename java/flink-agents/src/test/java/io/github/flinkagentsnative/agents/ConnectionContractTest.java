package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.flinkagentsnative.OutputSchema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What upstream promises of a connection's answers and schemas, for each of ours. */
@Timeout(120)
class ConnectionContractTest extends ServiceTest {

    @ParameterizedTest
    @EnumSource
    void aResultHasTextModelUsageFinishReasonAndId(Services service) throws Exception {
        connect(service);
        server.enqueue(wire.text("on its way"));
        ChatResult result = connection.chat(ASK, List.of(), parameters());
        assertThat(result.getText()).isEqualTo("on its way");
        assertThat(result.getModel()).isEqualTo(service.model);
        assertThat(result.getUsage().getPromptTokens()).isEqualTo(3);
        assertThat(result.getUsage().getCompletionTokens()).isEqualTo(5);
        assertThat(result.getFinishReason())
                .isEqualTo(
                        switch (service) {
                            case RESPONSES -> "completed";
                            case ANTHROPIC, BEDROCK -> "end_turn";
                            case GEMINI -> "STOP";
                            default -> "stop";
                        });
        if (service == Services.OLLAMA) {
            assertThat(result.getResponseId()).isNull();
        } else {
            assertThat(result.getResponseId()).isNotEmpty();
        }
        switch (service) {
            case BEDROCK -> assertThat(result.getMetadata()).containsKey("metrics");
            case OLLAMA -> assertThat(result.getMetadata()).containsKey("total_duration");
            default -> assertThat(result.getMetadata()).isEmpty();
        }
    }

    /** Defects 1 and 2 of upstream's: a temperature that nobody set, and a model that was retired. */
    @ParameterizedTest
    @EnumSource
    void z11_whatNobodySetIsNotSent(Services service) throws Exception {
        connect(service);
        server.enqueue(wire.text("hi"));
        connection.chat(ASK, List.of(), parameters());
        List<String> expected = switch (service) {
            case OPENAI, AZURE, VLLM, DASHSCOPE -> List.of("model", "messages");
            case RESPONSES -> List.of("model", "input");
            case ANTHROPIC -> List.of("model", "max_tokens", "messages");
            case BEDROCK -> List.of("messages");
            case GEMINI -> List.of("contents");
            case OLLAMA -> List.of("model", "stream", "messages");
            case WATSONX -> List.of("model_id", "project_id", "messages");
        };
        assertThat(Json.names(body())).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @EnumSource
    void aSchemaTravelsNativelyBesideToolsWhereTheServiceTakesBoth(Services service) throws Exception {
        connect(service);
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        Map<String, Object> parameters = parameters();
        Map<String, Object> before = new HashMap<>(parameters);
        server.enqueue(wire.text(VERDICT));
        connection.chat(ASK, WEATHER, parameters, Verdict.class);
        assertThat(Json.names(wire.schema(body()).path("properties")))
                .isEqualTo(service.takesSchemaBesideTools() ? List.of("topic", "urgency") : List.of());
        assertThat(metrics.counts())
                .isEqualTo(
                        service.takesSchemaBesideTools() ? Map.of() : Map.of("reason=tools_bound/schemaOmitted", 1L));
        assertThat(wire.tools(body())).containsExactly("weather");
        assertThat(wire.turns(body())).hasSize(1);
        assertThat(parameters).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void aSchemaTravelsWhateverTheModel(Services service) throws Exception {
        assumeTrue(service != Services.BEDROCK, "the local server of Bedrock knows one model");
        connect(service);
        server.enqueue(wire.text(VERDICT));
        String unknown = service == Services.GEMINI ? "gemini-9-image" : "somebody-s-model";
        connection.chat(ASK, List.of(), parameters(service.modelArgument(), unknown), Verdict.class);
        assertThat(wire.schema(body()).isMissingNode()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aDocumentTravelsInThisLibrarysOwnOutputSchema(Services service) throws Exception {
        connect(service);
        server.enqueue(wire.text("{\"id\":\"p-1\"}"));
        String document = "{\"title\":\"Parcel\",\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}}}";
        connection.chat(ASK, null, parameters(), OutputSchema.ofJsonSchema(document));
        assertThat(wire.schema(body()).at("/properties/id").isMissingNode()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void pr930_c10_aSchemaThatNoRequestCarriesIsLeftOffAndTheCallersFormatGoesThrough(Services service)
            throws Exception {
        connect(service);
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        Map<String, Object> parameters = parameters("additional_kwargs", wire.ownFormat());
        for (long calls = 1; calls <= 2; calls++) {
            server.enqueue(wire.text("{}"));
            connection.chat(ASK, List.of(), parameters, ROW);
            assertThat(metrics.counts()).containsExactly(Map.entry("reason=row_type/schemaOmitted", calls));
        }
        Map.Entry<String, Object> own = wire.ownFormat().entrySet().iterator().next();
        assertThat(server.last().body().toString())
                .contains(Json.object(own.getKey(), own.getValue()).toString().replaceAll("^.|.$", ""));
    }

    @ParameterizedTest
    @EnumSource
    void pr930_c09_aFormatOfTheCallersBesideASchemaIsRefusedBeforeSending(Services service) throws Exception {
        connect(service);
        Map<String, Object> parameters = parameters("additional_kwargs", wire.ownFormat());
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters, Verdict.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Verdict")
                .hasMessageContaining("drop the output schema");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatHasNoSchemaIsLeftOffAndCounted(Services service) throws Exception {
        connect(service);
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        server.enqueue(wire.text("{}"));
        connection.chat(ASK, List.of(), parameters(), "no schema at all");
        assertThat(metrics.counts()).containsExactly(Map.entry("reason=untranslatable/schemaOmitted", 1L));
        assertThat(wire.schema(body()).isMissingNode()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void anOpenObjectTravelsOnlyWhereTheServiceTakesOne(Services service) throws Exception {
        connect(service);
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        server.enqueue(wire.text("{}"));
        connection.chat(ASK, List.of(), parameters(), Open.class);
        assertThat(wire.schema(body()).isMissingNode()).isNotEqualTo(service.carriesOpenObjects());
        assertThat(metrics.counts())
                .isEqualTo(service.carriesOpenObjects() ? Map.of() : Map.of("reason=open_object/schemaOmitted", 1L));
    }

    @ParameterizedTest
    @EnumSource
    void z14_aCutAnswerIsAResultWithTheReasonLength(Services service) throws Exception {
        connect(service);
        server.enqueue(wire.cut("half"));
        ChatResult cut = connection.chat(ASK, List.of(), parameters(), Verdict.class);
        assertThat(cut.getText()).isEqualTo("half");
        assertThat(cut.getFinishReason()).isEqualTo("length");
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void z14_aFilteredAnswerIsAResultWithTheReasonContentFilter(Services service) throws Exception {
        connect(service);
        assumeTrue(wire.filtered() != null, "the provider has no word for it");
        server.enqueue(wire.filtered());
        ChatResult filtered = connection.chat(ASK, List.of(), parameters());
        assertThat(filtered.getFinishReason()).isEqualTo("content_filter");
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void z4_aRefusalIsEmptyTextAndMetadataAndIsSaidAgainInTheNextTurn(Services service) throws Exception {
        connect(service);
        assumeTrue(wire.refusal("I will not") != null, "the provider has no word for it");
        server.enqueue(wire.refusal("I will not"), wire.text("well"));
        ChatResult refused = connection.chat(ASK, List.of(), parameters(), Verdict.class);
        assertThat(refused.getText()).isEmpty();
        assertThat(refused.getMessage().getMetadata()).containsEntry("refusal", "I will not");
        connection.chat(
                List.of(ASK.get(0), refused.getMessage(), ChatMessage.user("Please.")), List.of(), parameters());
        assertThat(wire.turns(server.last().body())).hasSize(3);
        assertThat(server.last().text()).contains("I will not");
    }

    @ParameterizedTest
    @EnumSource
    void z4_anAnswerIsNeverValidatedNorUnwrapped(Services service) throws Exception {
        connect(service);
        server.enqueue(wire.text("```json\n{}\n``` is no verdict"));
        assertThat(connection.chat(ASK, List.of(), parameters(), Verdict.class).getText())
                .isEqualTo("```json\n{}\n``` is no verdict");
    }

    @ParameterizedTest
    @EnumSource
    void z8_anUnknownParameterIsNamedAndNothingIsSent(Services service) throws Exception {
        connect(service);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters("temprature", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("temprature");
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters("model", null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("model is required");
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters("additional_kwargs", Map.of("model", "m"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reserved typed fields: model");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theConnectionsModelIsTheDefaultOfASetupWithoutOne(Services service) throws Exception {
        assumeTrue(service != Services.AZURE, "on Azure a model is a deployment, which the setup names");
        connect(service, "model", service.model);
        server.enqueue(wire.text("hi"));
        assertThat(connection.chat(ASK, List.of(), parameters("model", null)).getModel())
                .isEqualTo(service.model);
        assertThat(connection.effectiveModelFor(Map.of())).isEqualTo(service.model);
        assertThat(connection.effectiveModelFor(Map.of("model", " "))).isEqualTo(service.model);
        assertThat(connection.effectiveModelFor(Map.of("model", "other"))).isEqualTo("other");
    }

    @ParameterizedTest
    @EnumSource
    void headersOfTheJobsOwnAreSent(Services service) throws Exception {
        connect(service, "default_headers", Map.of("x-team", "billing"));
        server.enqueue(wire.text("hi"));
        connection.chat(ASK, List.of(), parameters());
        assertThat(server.only().header("x-team")).isEqualTo("billing");
    }
}
