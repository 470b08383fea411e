package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolCallBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What only OpenAI, Responses, Azure and vLLM have. */
@Timeout(60)
class OpenAiFamilyTest extends ServiceTest {

    private ChatResult chat(Map<String, Object> parameters) {
        return connection.chat(ASK, List.of(), parameters);
    }

    @Test
    void pr930_azuresErrorsBeginAsUpstreamsDid() throws Exception {
        connect(Services.AZURE, "max_retries", 0);
        server.enqueue(wire.error(500, "server_error", "broken"));
        assertThatThrownBy(() -> chat(parameters()))
                .isInstanceOfSatisfying(ChatCallException.class, e -> {
                    assertThat(e.requestId()).startsWith("req_");
                    assertThat(e.code()).isEqualTo("server_error");
                })
                .hasMessageStartingWith("Failed to call Azure OpenAI chat completions API.");
    }

    @Test
    void pr930_c02_theRequestGoesToTheDeploymentAndTheBackingModelStaysHere() throws Exception {
        connect(Services.AZURE);
        server.enqueue(wire.text("hi"));
        chat(parameters());
        assertThat(server.only().path())
                .isEqualTo("/openai/deployments/our-deployment/chat/completions?api-version=2024-10-21");
        assertThat(server.only().text()).doesNotContain("gpt-4o-mini", "model_of_azure_deployment");
    }

    @Test
    void pr930_c13_azureHasUsageOnlyWithABackingModel() throws Exception {
        connect(Services.AZURE);
        server.enqueue(wire.text("hi"), wire.text("hi"));
        assertThat(chat(Map.of("model", "our-deployment")).getUsage()).isNull();
        assertThat(chat(parameters()).getUsage()).isNotNull();
    }

    @Test
    void pr930_c05_azuresOldVersionsCarryNoSchema() throws Exception {
        connect(Services.AZURE, "api_version", "2024-06-01");
        CountingMetrics metrics = new CountingMetrics();
        connection.setMetricGroup(metrics);
        server.enqueue(wire.text("{}"));
        connection.chat(ASK, List.of(), parameters(), Verdict.class);
        assertThat(metrics.counts()).containsExactly(Map.entry("reason=api_version_below_floor/schemaOmitted", 1L));
        assertThat(wire.schema(body()).isMissingNode()).isTrue();
    }

    @Test
    void anUrlPathModeIsTakenInAnyCase() throws Exception {
        connect(Services.AZURE, "azure_url_path_mode", "unified");
        server.enqueue(wire.text("hi"));
        chat(parameters());
        assertThat(server.only().path()).startsWith("/openai/v1/chat/completions");
    }

    /** Defect 11 of upstream's. */
    @Test
    void azureSendsTopLogprobsAndReasoningEffort() throws Exception {
        connect(Services.AZURE);
        server.enqueue(wire.text("hi"));
        Services.AZURE
                .setUp(connection, "logprobs", true, "top_logprobs", 2, "reasoning_effort", "low")
                .chat(ASK);
        assertThat(body().path("top_logprobs").asInt()).isEqualTo(2);
        assertThat(body().path("reasoning_effort").asText()).isEqualTo("low");
    }

    /** With a class that renews them; the key of a resource goes into another header. */
    @Test
    void azureTakesEntraTokens() throws Exception {
        connect(Services.AZURE, "auth", "bearer");
        server.enqueue(wire.text("hi"));
        chat(parameters());
        assertThat(server.only().header("authorization")).isEqualTo("Bearer " + LocalService.KEY);
        assertThat(server.only().headers()).doesNotContainKey("api-key");
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENAI", "RESPONSES"})
    void aKeyMayTravelAsAzureTakesIt(Services service) throws Exception {
        connect(service, "auth", "api_key_header");
        server.enqueue(wire.text("hi"));
        try {
            chat(parameters());
        } catch (ChatCallException refused) {
            // The local server wants it elsewhere on this path.
        }
        assertThat(server.only().header("api-key")).isEqualTo(LocalService.KEY);
        assertThat(server.only().headers()).doesNotContainKey("authorization");
    }

    @Test
    void vllmWithoutAKeySendsEmpty() throws Exception {
        connect(Services.VLLM, "api_key", null);
        server.enqueue(wire.text("hi"));
        chat(parameters());
        assertThat(server.only().header("authorization")).isEqualTo("Bearer EMPTY");
    }

    @Test
    void responsesSendsStoreAndInstructionsAndWhatComesInAdditionalKwargs() throws Exception {
        connect(Services.RESPONSES);
        server.enqueue(wire.text("hi"));
        Services.RESPONSES
                .setUp(
                        connection,
                        "store",
                        false,
                        "instructions",
                        "Be brief.",
                        "additional_kwargs",
                        Map.of(
                                "include",
                                List.of("reasoning.encrypted_content"),
                                "parallel_tool_calls",
                                false,
                                "reasoning",
                                Map.of("effort", "low", "summary", "auto"),
                                "truncation",
                                "auto"))
                .chat(ASK);
        assertThat(body().path("reasoning")).isEqualTo(Json.read("{\"effort\":\"low\",\"summary\":\"auto\"}"));
        assertThat(body().path("instructions").asText()).isEqualTo("Be brief.");
        assertThat(body().path("store").asBoolean(true)).isFalse();
        assertThat(body().path("include")).hasSize(1);
        assertThat(body().path("truncation").asText()).isEqualTo("auto");
    }

    /** Defect 5 of upstream's: texts were sent after the calls. */
    @Test
    void responsesKeepsTheOrderOfBlocks() throws Exception {
        connect(Services.RESPONSES);
        server.enqueue(wire.text("hi"));
        connection.chat(
                List.of(
                        ASK.get(0),
                        ChatMessage.assistant(
                                List.of(TextBlock.of("let me look"), new ToolCallBlock("call_1", "weather", Map.of()))),
                        result("call_1", "sun", false)),
                WEATHER,
                parameters());
        assertThat(server.only().text().indexOf("let me look"))
                .isBetween(0, server.only().text().indexOf("function_call"));
    }

    /** Upstream's own example of this argument. */
    @ParameterizedTest
    @EnumSource(names = {"OPENAI", "AZURE", "VLLM"})
    void upstreamsExampleOfAdditionalKwargsWorks(Services service) throws Exception {
        connect(service);
        server.enqueue(wire.text("hi"));
        service.setUp(connection, "additional_kwargs", Map.of("seed", 42, "user", "user-123"))
                .chat(ASK);
        assertThat(body().path("seed").asInt()).isEqualTo(42);
        assertThat(body().path("user").asText()).isEqualTo("user-123");
    }

    /** Defect 12 of upstream's: this flag and the framework's own schemas of tools were always a 400. */
    @ParameterizedTest
    @EnumSource(names = {"OPENAI", "RESPONSES", "VLLM"})
    void strictToolsAreSentInTheStrictForm(Services service) throws Exception {
        connect(service);
        server.enqueue(wire.text("hi"));
        service.setUp(connection, "strict", true, "tools", List.of("weather")).chat(ASK);
        assertThat(body().findValue("strict").asBoolean()).isTrue();
    }

    /** Defect 5 of upstream's: the error's text was lost, and nothing was said about a repeat. */
    @Test
    void aFailedResponseTellsItsErrorAndIsRepeated() throws Exception {
        connect(Services.RESPONSES, "max_retries", 1);
        Answer failed = Answer.of(
                200,
                "{\"id\":\"resp_1\",\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":\"The model broke.\"},"
                        + "\"output\":[]}");
        server.enqueue(failed, failed);
        assertThatThrownBy(() -> chat(parameters()))
                .isInstanceOfSatisfying(
                        ChatCallException.class, e -> assertThat(e.code()).isEqualTo("server_error"))
                .hasMessageContaining("The model broke.");
        assertThat(server.requests()).hasSize(2);
    }

    /** Defect 10 of upstream's: such calls were dropped. */
    @Test
    void aCustomToolCallComesBack() throws Exception {
        connect(Services.OPENAI);
        server.enqueue(((ChatCompletionsWire) wire)
                .completion(
                        Json.object(
                                "role",
                                "assistant",
                                "tool_calls",
                                Json.array(Json.object(
                                        "id",
                                        "call_1",
                                        "type",
                                        "custom",
                                        "custom",
                                        Json.object("name", "sql", "input", "select 1")))),
                        "tool_calls"));
        ToolCallBlock call = chat(parameters()).getToolCalls().get(0);
        assertThat(call.getName()).isEqualTo("sql");
        assertThat(call.getInput()).isEqualTo(Map.of("input", "select 1"));
    }
}
