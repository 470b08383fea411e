package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.ReasoningBlock;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What only watsonx.ai has: tokens, and where they come from. */
@Timeout(60)
class WatsonxTest extends ServiceTest {

    private final WatsonxWire watsonx = new WatsonxWire();

    @BeforeEach
    void startWatsonx() {
        watsonx.model = Services.WATSONX.model;
        start(Services.WATSONX, watsonx);
    }

    private String chat() throws Exception {
        server.enqueue(wire.text("hi"));
        return connection.chat(ASK, List.of(), parameters()).getText();
    }

    @Test
    void oneTokenServesManyCalls() throws Exception {
        reconnect();
        assertThat(chat()).isEqualTo("hi");
        assertThat(chat()).isEqualTo("hi");
        assertThat(server.last().header("authorization")).isEqualTo("Bearer token-1");
        assertThat(watsonx.tokens()).isEqualTo(1);
    }

    @Test
    void aTokenThatTheServiceRefusesIsReplacedOnceAndTheCallMadeAgain() throws Exception {
        reconnect("max_retries", 0);
        server.enqueue(wire.error(401, "authentication_token_expired", "Failed to authenticate"));
        assertThat(chat()).isEqualTo("hi");
        assertThat(server.requests())
                .extracting(request -> request.header("authorization"))
                .containsExactly("Bearer token-1", "Bearer token-2");
        Answer refused = wire.error(401, "authentication_token_expired", "Failed to authenticate");
        server.enqueue(refused, refused);
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                .isInstanceOfSatisfying(
                        ChatCallException.class, e -> assertThat(e.status()).isEqualTo(401));
        assertThat(server.requests()).hasSize(4);
    }

    @Test
    void aTokenServiceThatIsBusyIsAskedAgain() throws Exception {
        reconnect("max_retries", 1);
        watsonx.trouble = Answer.of(503, "{\"errorCode\":\"BXNIM0503E\",\"errorMessage\":\"busy\"}");
        assertThat(chat()).isEqualTo("hi");
        assertThat(watsonx.tokens()).isEqualTo(1);
    }

    @Test
    void aKeyThatTheTokenServiceRefusesIsToldAndNotShown() throws Exception {
        reconnect("api_key", "wrong-key-of-the-job");
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                .isInstanceOf(ChatCallException.class)
                .hasMessageContaining("BXNIM0415E")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("wrong-key-of-the-job"));
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aTokenOfTheDescriptorIsUsedAsItIs() throws Exception {
        reconnect("api_key", null, "token", "token-of-the-job");
        assertThat(chat()).isEqualTo("hi");
        server.enqueue(wire.error(401, "authentication_token_expired", "expired"));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters())).isInstanceOf(ChatCallException.class);
        assertThat(server.requests()).hasSize(2);
        assertThat(watsonx.tokens()).isZero();
        assertThatThrownBy(() -> reconnect("token", "t")).hasMessageContainingAll("'api_key'", "'token'", "exclude");
    }

    @Test
    void theSpaceIsSentInPlaceOfTheProject() throws Exception {
        reconnect("project_id", null, "space_id", "s-1");
        assertThat(chat()).isEqualTo("hi");
        assertThat(body().path("space_id").asText()).isEqualTo("s-1");
        assertThatThrownBy(() -> reconnect("project_id", null)).hasMessageContaining("project_id");
        assertThatThrownBy(() -> reconnect("space_id", "s-1")).hasMessageContaining("space_id");
    }

    private WatsonxChatModelConnection from(Map<String, String> environment, Map<String, Object> arguments) {
        return new WatsonxChatModelConnection(
                new ResourceDescriptor(WatsonxChatModelConnection.class.getName(), arguments), null, environment);
    }

    @Test
    void whatTheDescriptorLeavesOutComesFromTheEnvironment() throws Exception {
        Map<String, String> environment = Map.of(
                "WATSONX_URL",
                server.url() + "/",
                "WATSONX_API_KEY",
                LocalService.KEY,
                "WATSONX_PROJECT_ID",
                "p-of-the-host",
                "WATSONX_SPACE_ID",
                " ");
        connection = from(environment, Map.of("iam_url", server.url() + "/"));
        connection.open();
        assertThat(chat()).isEqualTo("hi");
        assertThat(body().path("project_id").asText()).isEqualTo("p-of-the-host");
    }

    /** What is given there excludes its rivals of the environment, too. */
    @Test
    void theDescriptorWinsOverTheEnvironment() throws Exception {
        Map<String, String> environment =
                Map.of("WATSONX_URL", "https://elsewhere.example", "WATSONX_API_KEY", "k", "WATSONX_PROJECT_ID", "p");
        connection = from(environment, Map.of("url", server.url(), "token", "token-of-the-job", "space_id", "s-1"));
        connection.open();
        assertThat(chat()).isEqualTo("hi");
        assertThat(body().path("space_id").asText()).isEqualTo("s-1");
        assertThat(body().has("project_id")).isFalse();
        assertThatThrownBy(() -> from(Map.of(), Map.of("url", server.url(), "project_id", "p")))
                .hasMessageContaining("'api_key' of WatsonxChatModelConnection is missing");
    }

    @Test
    void thoughtsAreTakenOutOfTheTextOnDemand() throws Exception {
        reconnect();
        for (boolean extracted : new boolean[] {true, false}) {
            server.enqueue(wire.text("<think>I weigh</think>\n\nIt is on its way."));
            ChatResult result =
                    service.setUp(connection, "extract_reasoning", extracted).chat(ASK);
            assertThat(result.getText().contains("I weigh")).isNotEqualTo(extracted);
            assertThat(result.getMessage().getBlocks().get(0) instanceof ReasoningBlock)
                    .isEqualTo(extracted);
            assertThat(server.last().text()).doesNotContain("extract_reasoning");
        }
    }

    /** Upstream's name of the time for one call. */
    @Test
    void requestTimeoutIsTaken() throws Exception {
        reconnect("request_timeout", 0.3, "max_retries", 0);
        server.enqueue(wire.text("late").after(java.time.Duration.ofSeconds(20)));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                .isInstanceOfSatisfying(
                        ChatCallException.class,
                        e -> assertThat(e.kind()).isEqualTo(io.github.flinkagentsnative.ErrorKind.TIMEOUT));
    }

    @Test
    void aTokenServiceThatIsNoPlaceIsNamed() {
        assertThatThrownBy(() -> reconnect("iam_url", "no place at all"))
                .hasMessageContaining("'iam_url' of WatsonxChatModelConnection");
    }
}
