package io.github.flinkagentsnative;

import static io.github.flinkagentsnative.NativeStructuredOutputSupport.FEASIBLE;
import static io.github.flinkagentsnative.NativeStructuredOutputSupport.INFEASIBLE;
import static io.github.flinkagentsnative.NativeStructuredOutputSupport.NATIVE_RECOMMENDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions, requests and answers through the native library, without any network. */
class ChatModelTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ChatRequest REQUEST =
            ChatRequest.of(ChatMessage.system("Be brief."), ChatMessage.user("Where is it?"));

    record Parcel(String code, Optional<Integer> weight) {}

    record Tally(Map<String, Integer> counts) {}

    private static final OutputSchema<Parcel> PARCEL = OutputSchema.of(Parcel.class);

    // ---- decisions

    @Test
    void pr1129_support_never_raises_on_nulls() {
        assertThat(openai("gpt-4o").support(null, null, null)).isNotNull();
        assertThat(openai("gpt-4o").support(PARCEL, null, null)).isEqualTo(NATIVE_RECOMMENDED);
        assertThat(openai("my-own").support(PARCEL, null, null)).isEqualTo(FEASIBLE);
        assertThat(openai("my-own").decide(null, null).isNative()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "team-a, gpt-4.1, 2024-10-21, NATIVE_RECOMMENDED",
        "team-a, gpt-4.1, 2024-08-01-preview, NATIVE_RECOMMENDED",
        "team-a, gpt-4.1, v1, NATIVE_RECOMMENDED",
        "team-a, gpt-4.1, 2024-06-01, INFEASIBLE",
        "gpt-4o, gpt-35-turbo, 2024-10-21, FEASIBLE",
        "gpt-4o, gpt-4o, 2024-10-21, FEASIBLE",
        "gpt-4o, , 2024-10-21, FEASIBLE"
    })
    void b022_b023_azure_looks_at_the_backing_model_and_the_version(
            String deployment, String backing, String version, NativeStructuredOutputSupport expected) {
        ChatModel model = azure(deployment, backing, version);
        StructuredOutputDecision decision = model.decide(REQUEST, PARCEL);
        assertThat(decision.support()).isEqualTo(expected);
        assertThat(decision.reasons()).isNotEmpty();
        assertThat(model.buildRequest(REQUEST, PARCEL).url().toString())
                .contains(version.equals("v1") ? "/openai/v1/" : deployment);
        if (expected == INFEASIBLE) {
            assertThat(decision.has(ReasonCode.API_VERSION_BELOW_FLOOR)).isTrue();
            assertThat(decision.explain()).contains(version);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1/"})
    void b089_a_strategy_overrides_what_the_library_knows_of_a_model(String baseUrl) throws Exception {
        ChatModel model = ChatModel.builder(Provider.OPENAI)
                .apiBaseUrl(baseUrl)
                .model("my-org/own-model")
                .keyless()
                .build();
        HttpCall auto = model.buildRequest(REQUEST, PARCEL);
        assertThat(auto.url()).hasToString("http://127.0.0.1:8000/v1/chat/completions");
        assertThat(auto.decision().isNative()).isFalse();
        assertThat(auto.decision().has(ReasonCode.MODEL_NOT_LISTED)).isTrue();
        assertThat(json(auto).has("response_format")).isFalse();
        assertThat(json(auto).toString()).contains("code");
        assertThat(json(model.buildRequest(with(StructuredOutputStrategy.NATIVE), PARCEL))
                        .has("response_format"))
                .isTrue();
        assertThat(json(model.buildRequest(with(StructuredOutputStrategy.PROMPT), PARCEL))
                        .has("response_format"))
                .isFalse();
    }

    @Test
    void b007_an_open_object_is_not_native_and_the_prompt_path_works() throws Exception {
        OutputSchema<Tally> tally = OutputSchema.of(Tally.class);
        StructuredOutputDecision decision = openai("gpt-4o").decide(REQUEST, tally);
        assertThat(decision.support()).isEqualTo(INFEASIBLE);
        assertThat(decision.reasons()).anySatisfy(reason -> {
            assertThat(reason.code()).isEqualTo(ReasonCode.OPEN_OBJECT);
            assertThat(reason.pointer()).isEqualTo("/properties/counts");
        });
        assertThat(json(openai("gpt-4o").buildRequest(REQUEST, tally)).has("response_format"))
                .isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> openai("gpt-4o").buildRequest(with(StructuredOutputStrategy.NATIVE), tally))
                .withMessageContaining("/properties/counts");
        ChatRequest omit = ChatRequest.builder()
                .messages(REQUEST.messages())
                .strategy(StructuredOutputStrategy.NATIVE)
                .whenInfeasible(WhenInfeasible.OMIT)
                .build();
        assertThat(json(openai("gpt-4o").buildRequest(omit, tally)).path("messages"))
                .hasSize(2);
    }

    @Test
    void pr1270_a_row_is_never_native() {
        OutputSchema<List<Object>> row = OutputSchema.ofRow(List.of("code"), List.of(String.class));
        assertThat(openai("gpt-4o").decide(REQUEST, row).has(ReasonCode.ROW_TYPE))
                .isTrue();
        assertThat(openai("gpt-4o").support(row, null, null)).isEqualTo(INFEASIBLE);
    }

    // ---- requests

    @Test
    void a_native_request_carries_the_strict_schema_and_no_secret() throws Exception {
        HttpCall call = openai("gpt-4o")
                .buildRequest(
                        ChatRequest.builder()
                                .messages(REQUEST.messages())
                                .parameter("temperature", 0.7)
                                .parameter("max_tokens", 50)
                                .build(),
                        PARCEL);
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.url()).hasToString("https://api.openai.com/v1/chat/completions");
        assertThat(call.authHeader()).isEqualToIgnoringCase("authorization");
        assertThat(call.authPrefix()).isEqualTo("Bearer ");
        assertThat(call.headers().toString()).doesNotContain("s3cr3t");
        assertThat(call.decision().isNative()).isTrue();
        JsonNode body = json(call);
        assertThat(body.path("model").asText()).isEqualTo("gpt-4o");
        assertThat(body.path("temperature").decimalValue()).isEqualTo(new BigDecimal("0.7"));
        JsonNode format = body.path("response_format").path("json_schema");
        assertThat(format.path("name").asText()).isEqualTo("Parcel");
        assertThat(format.path("strict").asBoolean()).isTrue();
        assertThat(format.path("schema").path("required").toString()).isEqualTo("[\"code\",\"weight\"]");
        assertThat(format.path("schema")
                        .path("properties")
                        .path("weight")
                        .path("type")
                        .toString())
                .isEqualTo("[\"integer\",\"null\"]");
        assertThat(call.toString())
                .contains("https://api.openai.com/v1/chat/completions")
                .doesNotContain("Where");
    }

    @Test
    void a_keyless_server_gets_no_auth_header() {
        assertThat(ChatModel.builder(Provider.OPENAI)
                        .model("m")
                        .keyless()
                        .build()
                        .buildRequest(REQUEST)
                        .authHeader())
                .isNull();
    }

    @Test
    void every_block_reaches_the_wire() throws Exception {
        ChatRequest request = ChatRequest.builder()
                .message(ChatMessage.user(
                        List.of(new TextBlock("see"), ImageBlock.fromUrl("image/png", "https://example.org/a.png"))))
                .message(ChatMessage.assistant(
                        List.of(new ReasoningBlock("hm"), new ToolCallBlock("c1", "find", Map.of("n", 1.10)))))
                .message(ChatMessage.tool(ToolResultBlock.of("c1", "found")))
                .tool(new ToolSpec(
                        "find", "Finds.", "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"number\"}}}"))
                .build();
        JsonNode body = json(openai("gpt-4o").buildRequest(request));
        assertThat(body.at("/messages/0/content/1/image_url/url").asText()).isEqualTo("https://example.org/a.png");
        assertThat(body.at("/messages/1/tool_calls/0/function/arguments").asText())
                .isEqualTo("{\"n\":1.1}");
        assertThat(body.at("/messages/2/tool_call_id").asText()).isEqualTo("c1");
        assertThat(body.at("/tools/0/function/name").asText()).isEqualTo("find");
    }

    @Test
    void an_unpaired_surrogate_is_named_by_message_and_block() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> openai("gpt-4o")
                        .buildRequest(ChatRequest.of(ChatMessage.user("ok"), ChatMessage.user("a\ud800"))))
                .withMessageContaining("messages[1].blocks[0].text");
    }

    @Test
    void pr1164_media_that_a_provider_cannot_send_is_named_without_its_address() {
        ChatRequest request = ChatRequest.of(
                ChatMessage.user(List.of(AudioBlock.fromUrl("audio/wav", "https://example.org/s3cr3t"))));
        assertThatThrownBy(() -> openai("gpt-4o").buildRequest(request))
                .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                .hasMessage("OpenAI Chat Completions cannot send an audio block (audio/wav, url source):"
                        + " audio input takes base64 data, not a URL.")
                .satisfies(e -> assertThat(((UnsupportedContentBlockException) e).path())
                        .isEqualTo("messages[0].blocks[0]"));
    }

    @Test
    void pr1364_c05_media_in_a_tool_result_is_named_by_its_place() {
        ToolResultBlock result = new ToolResultBlock(
                "c1",
                List.of(new TextBlock("a"), VideoBlock.fromUrl("video/mp4", "https://example.org/s3cr3t")),
                false);
        ChatModel model = ChatModel.builder(Provider.OPENAI_RESPONSES)
                .model("gpt-4o")
                .apiKey("sk-x")
                .build();
        assertThatThrownBy(() -> model.buildRequest(ChatRequest.of(ChatMessage.tool(result))))
                .isExactlyInstanceOf(UnsupportedContentBlockException.class)
                .hasMessage("OpenAI Responses cannot send a video block (video/mp4, url source):"
                        + " OpenAI Responses takes images and documents only.")
                .satisfies(e -> assertThat(((UnsupportedContentBlockException) e).path())
                        .isEqualTo("messages[0].blocks[0].blocks[1]"));
    }

    @Test
    void b087_a_tool_without_a_strict_form_says_why_it_is_not_strict() throws Exception {
        ToolSpec tool = new ToolSpec("t", null, "{\"type\":\"object\",\"additionalProperties\":true}", true);
        ChatRequest request =
                ChatRequest.builder().messages(REQUEST.messages()).tool(tool).build();
        HttpCall call = openai("gpt-4o").buildRequest(request);
        assertThat(call.reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.code()).isEqualTo(ReasonCode.TOOL_NOT_STRICT);
            assertThat(reason.details()).containsEntry("tool", "t");
        });
        assertThat(json(call).at("/tools/0/function").has("strict")).isFalse();
        assertThat(openai("gpt-4o").explain(request, null)).contains("Tool t: tool_not_strict at the root");
    }

    @Test
    void explain_shows_decision_url_headers_and_body_but_no_key() {
        String text = ChatModel.builder(Provider.OPENAI)
                .model("my-own")
                .apiKey("sk-s3cr3t")
                .build()
                .explain(REQUEST, PARCEL);
        assertThat(text)
                .contains("model_not_listed", "strategy_auto_needs_recommended")
                .contains("POST https://api.openai.com/v1/chat/completions\n")
                .contains("Authorization: Bearer ***\n")
                .endsWith("}")
                .doesNotContain("s3cr3t");
        assertThat(openai("gpt-4o").explain(with(StructuredOutputStrategy.NATIVE), OutputSchema.of(Tally.class)))
                .contains("strategy_native_infeasible", "open_object at /properties/counts", "No request: ");
    }

    @Test
    void an_unknown_parameter_or_setting_is_named() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> openai("gpt-4o")
                        .buildRequest(ChatRequest.builder()
                                .messages(REQUEST.messages())
                                .parameter("temprature", 1)
                                .build()))
                .withMessageContaining("temprature");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChatModel.builder(Provider.OPENAI)
                        .keyless()
                        .model("m")
                        .setting("api_bse_url", "x")
                        .build()
                        .buildRequest(REQUEST))
                .withMessageContaining("api_bse_url");
    }

    // ---- answers

    @Test
    void a_typed_answer_is_a_success() throws Exception {
        ChatModel model = openai("gpt-4o");
        HttpCall call = model.buildRequest(REQUEST, PARCEL);
        byte[] body = completion("{\\\"code\\\":\\\"A\\\",\\\"weight\\\":null}", "stop");
        ChatOutcome<Parcel> outcome = model.settle(call, PARCEL, 200, Map.of("Content-Type", "application/json"), body);
        assertThat(outcome.isSuccess()).as(outcome.error()).isTrue();
        assertThat(outcome.value()).isEqualTo(new Parcel("A", Optional.empty()));
        assertThat(outcome.decision()).isEqualTo(call.decision());
        ChatResult result = model.parseResponse(call, 200, Map.of(), body);
        assertThat(result).isEqualTo(outcome.result());
        assertThat(result.text()).contains("code");
        assertThat(result.usage()).isEqualTo(new TokenUsage(7L, 5L));
        assertThat(result.responseId()).isEqualTo("chatcmpl-1");
    }

    @Test
    void b010_a_list_travels_in_a_wrapper_and_comes_back_as_a_list() throws Exception {
        record Code(String code) {}
        class Types {
            List<Code> codes;
        }
        OutputSchema<List<Code>> codes =
                OutputSchema.ofType(Types.class.getDeclaredField("codes").getGenericType());
        ChatModel model = openai("gpt-4o");
        HttpCall call = model.buildRequest(REQUEST, codes);
        assertThat(call.decision().wrapper()).isEqualTo("values");
        assertThat(json(call)
                        .at("/response_format/json_schema/schema/properties/values/type")
                        .asText())
                .isEqualTo("array");
        for (String text : List.of("{\\\"values\\\":[{\\\"code\\\":\\\"A\\\"}]}", "[{\\\"code\\\":\\\"A\\\"}]")) {
            assertThat(model.settle(call, codes, 200, Map.of(), completion(text, "stop"))
                            .value())
                    .containsExactly(new Code("A"));
        }
    }

    @Test
    void b065_a_row_comes_back_in_the_declared_classes() {
        OutputSchema<List<Object>> row =
                OutputSchema.ofRow(List.of("id", "price"), List.of(Long.class, BigDecimal.class));
        ChatModel model = openai("gpt-4o");
        HttpCall call = model.buildRequest(REQUEST, row);
        assertThat(model.settle(call, row, 200, Map.of(), completion("{\\\"id\\\":5,\\\"price\\\":1.10}", "stop"))
                        .value())
                .containsExactly(5L, new BigDecimal("1.10"));
        ChatOutcome<List<Object>> missing =
                model.settle(call, row, 200, Map.of(), completion("{\\\"id\\\":5}", "stop"));
        assertThat(missing.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
        assertThat(missing.details().get("pointer")).asString().contains("price");
    }

    @Test
    void pr1040_a_cut_answer_fails_with_the_class_that_upstream_throws() {
        ChatModel model = openai("gpt-4o");
        HttpCall call = model.buildRequest(REQUEST, PARCEL);
        ChatOutcome<Parcel> outcome = model.settle(call, PARCEL, 200, Map.of(), completion("{\\\"code\\\":", "length"));
        assertThat(outcome.kind()).isEqualTo(ErrorKind.TRUNCATED);
        assertThat(outcome.error())
                .startsWith(
                        "java.lang.IllegalStateException: ChatModel response is truncated (finish_reason='length')");
        assertThat(outcome.response().finishReason()).isEqualTo("length");
    }

    @Test
    void pr930_c16_a_refusal_is_a_result_and_a_typed_failure() throws Exception {
        ChatModel model = openai("gpt-4o");
        HttpCall call = model.buildRequest(REQUEST, PARCEL);
        byte[] body =
                ("{\"id\":\"x\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":"
                                + "{\"role\":\"assistant\",\"content\":null,\"refusal\":\"No.\"}}]}")
                        .getBytes(StandardCharsets.UTF_8);
        ChatResult result = model.parseResponse(call, 200, Map.of(), body);
        assertThat(result.text()).isEmpty();
        assertThat(result.message().metadata()).containsEntry("refusal", "No.");
        assertThat(model.settle(call, PARCEL, 200, Map.of(), body).kind()).isEqualTo(ErrorKind.REFUSAL);
        assertThat(model.settle(call, null, 200, Map.of(), body).isSuccess()).isTrue();
    }

    @Test
    void an_answer_with_tool_calls_has_no_typed_value() {
        ChatModel model = openai("gpt-4o");
        HttpCall call = model.buildRequest(REQUEST, PARCEL);
        byte[] body =
                ("{\"id\":\"x\",\"choices\":[{\"index\":0,\"finish_reason\":\"tool_calls\",\"message\":{\"role\":\"assistant\",\"content\":null,"
                                + "\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"find\",\"arguments\":\"{\\\"n\\\":9007199254740993}\"}}]}}]}")
                        .getBytes(StandardCharsets.UTF_8);
        ChatOutcome<Parcel> outcome = model.settle(call, PARCEL, 200, Map.of(), body);
        assertThat(outcome.isSuccess()).isTrue();
        assertThat(outcome.value()).isNull();
        assertThat(outcome.result().toolCalls())
                .containsExactly(new ToolCallBlock("c1", "find", Map.of("n", 9007199254740993L)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "500 | {\"error\":{\"message\":\"boom\",\"type\":\"server_error\"}} | PROVIDER_ERROR",
                "401 | {\"error\":{\"message\":\"bad key\",\"code\":\"invalid_api_key\"}} | PROVIDER_ERROR",
                "502 | <html>Bad gateway</html> | PROVIDER_ERROR",
                "200 | {\"choices\":[] | PROVIDER_ERROR",
                "200 | '' | EMPTY_RESPONSE"
            })
    void whatever_comes_back_settles_as_a_failure_with_a_kind(int status, String body, ErrorKind kind) {
        ChatModel model = openai("gpt-4o");
        HttpCall call = model.buildRequest(REQUEST, PARCEL);
        ChatOutcome<Parcel> outcome =
                model.settle(call, PARCEL, status, Map.of(), body.getBytes(StandardCharsets.UTF_8));
        assertThat(outcome.isSuccess()).isFalse();
        assertThat(outcome.kind()).as(outcome.error()).isEqualTo(kind);
        assertThat(outcome.error()).startsWith("io.github.flinkagentsnative.ChatModelException: ");
    }

    private static ChatRequest with(StructuredOutputStrategy strategy) {
        return ChatRequest.builder()
                .messages(REQUEST.messages())
                .strategy(strategy)
                .build();
    }

    private static ChatModel openai(String model) {
        return ChatModel.builder(Provider.OPENAI)
                .model(model)
                .apiKey("sk-s3cr3t")
                .build();
    }

    private static ChatModel azure(String deployment, String backing, String version) {
        return ChatModel.builder(Provider.AZURE_OPENAI)
                .model(deployment)
                .modelOfAzureDeployment(backing)
                .apiKey("sk-s3cr3t")
                .azureEndpoint("https://example.openai.azure.com")
                .apiVersion(version)
                .build();
    }

    private static JsonNode json(HttpCall call) throws Exception {
        return MAPPER.reader()
                .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .readTree(call.body());
    }

    private static byte[] completion(String escapedText, String finishReason) {
        return ("{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"model\":\"gpt-4o\",\"choices\":[{\"index\":0,\"finish_reason\":\""
                        + finishReason + "\",\"message\":{\"role\":\"assistant\",\"content\":\"" + escapedText
                        + "\"}}],"
                        + "\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5,\"total_tokens\":12}}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
