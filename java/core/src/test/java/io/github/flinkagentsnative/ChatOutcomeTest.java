package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ChatOutcomeTest {

    private static final String ID = "123e4567-e89b-12d3-a456-426614174000";
    private static final StructuredOutputDecision DECISION = new StructuredOutputDecision(
            NativeStructuredOutputSupport.NATIVE_RECOMMENDED,
            StructuredOutputStrategy.AUTO,
            true,
            List.of(new Reason(ReasonCode.MODEL_LISTED, "gpt-4o is listed.", null, Map.of("model", "gpt-4o"))),
            "2026-11-30",
            "Parcel",
            null);

    private static ChatResult result() {
        ChatMessage message = new ChatMessage(
                MessageRole.ASSISTANT,
                List.of(
                        new TextBlock("{\"price\":1.10}"),
                        new ToolCallBlock("c1", "find", Map.of("n", 9007199254740993L))),
                Map.of("refusal", "no"));
        return new ChatResult(
                message,
                "gpt-4o",
                "id-1",
                new TokenUsage(1L, null, Map.of("cached_tokens", 1L), Map.of()),
                "stop",
                Map.of("fingerprint", "fp"));
    }

    @Test
    void pr1149_c02_failed_access_throws_and_status_and_error_stay_readable() {
        ChatOutcome<String> failed = ChatOutcome.failed(ErrorKind.TIMEOUT, "java.lang.Exception: late");
        assertThat(failed.status()).isEqualTo(ChatOutcome.Status.FAILED);
        assertThat(failed.error()).isEqualTo("java.lang.Exception: late");
        assertThatIllegalStateException().isThrownBy(failed::result).withMessageContaining("late");
        assertThatIllegalStateException().isThrownBy(failed::value);
        assertThat(failed.response()).isNull();
        ChatOutcome<String> success = ChatOutcome.success(result(), "v");
        assertThat(success.error()).isNull();
        assertThat(success.kind()).isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> ChatOutcome.failed(ErrorKind.TIMEOUT, ""));
    }

    @Test
    void pr1149_error_text_is_class_and_message_and_not_too_long() {
        Exception wrapped = new CompletionException(new IllegalArgumentException("x".repeat(10_000)));
        ChatOutcome<Object> outcome = ChatOutcome.failed(wrapped);
        assertThat(outcome.kind()).isEqualTo(ErrorKind.INVALID_ARGUMENT);
        assertThat(outcome.error())
                .startsWith("java.lang.IllegalArgumentException: xxx")
                .hasSize(4096);
    }

    @Test
    void a_success_survives_json() {
        ChatOutcome<Object> outcome = ChatOutcome.<Object>success(
                        result(), Map.of("price", new BigDecimal("1.10"), "tags", Arrays.asList("a", null)))
                .withDecision(DECISION)
                .withElapsed(Duration.ofMillis(1234));
        String json = outcome.toJson(ID);
        assertThat(json)
                .contains("\"request_id\":\"" + ID + "\"", "\"status\":\"SUCCESS\"", "\"error\":null", "1.10")
                .doesNotContain("\n");
        ChatOutcome<Object> read = ChatOutcome.fromJson(json);
        assertThat(read.result()).isEqualTo(result());
        assertThat(read.value()).isEqualTo(outcome.value());
        assertThat(read.decision()).isEqualTo(DECISION);
        assertThat(read.elapsed()).isEqualTo(Duration.ofMillis(1234));
        assertThat(read.toJson(UUID.fromString(ID))).isEqualTo(json);
    }

    @Test
    void a_failure_survives_json() {
        ChatOutcome<Object> outcome = ChatOutcome.failed(
                new ChatModelException(ErrorKind.PROVIDER_ERROR, "no", Map.of("status", 429, "retryable", true)));
        String json = outcome.withResponse(result()).toJson(ID);
        assertThat(json).contains("\"status\":\"FAILED\"", "\"response\":null", "\"kind\":\"provider_error\"");
        ChatOutcome<Object> read = ChatOutcome.fromJson(json);
        assertThat(read.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
        assertThat(read.details()).isEqualTo(Map.of("status", 429, "retryable", true));
        assertThat(read.error()).isEqualTo(outcome.error());
        assertThat(read.toJson(ID)).isEqualTo(json);
    }

    @Test
    void what_is_no_outcome_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChatOutcome.failed(ErrorKind.TIMEOUT, "x").toJson("17"))
                .withMessageContaining("request_id must be a UUID");
        assertThatIllegalArgumentException().isThrownBy(() -> ChatOutcome.fromJson("{}"));
        assertThatIllegalArgumentException().isThrownBy(() -> ChatOutcome.fromJson("{"));
        assertThatIllegalArgumentException().isThrownBy(() -> ChatOutcome.fromJson("\ud800"));
    }

    @Test
    void a_secret_in_a_providers_error_is_replaced() {
        Secret secret = Secret.of("sk-s3cr3t");
        ChatOutcome<Object> outcome = ChatOutcome.failed(new ChatModelException(
                ErrorKind.PROVIDER_ERROR, "bad key sk-s3cr3t", Map.of("body", List.of("sk-s3cr3t"))));
        ChatOutcome<Object> clean = outcome.hiding(List.of(secret));
        assertThat(clean.error() + clean.details()).doesNotContain("s3cr3t");
    }

    @Test
    void messages_and_results_survive_json() {
        ChatMessage message = ChatMessage.user(List.of(
                new TextBlock("a\u0000\ud83d\ude00"),
                new DocumentBlock("application/pdf", new Base64Source("AA=="), "a.pdf", 1L, "ff"),
                ImageBlock.fromUrl("image/png", "u")));
        assertThat(ChatMessage.fromJson(message.toJson())).isEqualTo(message);
        ChatMessage tool =
                ChatMessage.tool(new ToolResultBlock("c", List.of(new TextBlock("x")), true, Map.of("k", 1)));
        assertThat(ChatMessage.fromJson(tool.toJson())).isEqualTo(tool);
        assertThat(ChatResult.fromJson(result().toJson())).isEqualTo(result());
        assertThat(ChatMessage.fromJson("{\"role\":\"user\",\"content\":\"hi\",\"tool_calls\":[],\"extra_args\":{}}"))
                .isEqualTo(ChatMessage.user("hi"));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> ChatMessage.fromJson(
                                "{\"role\":\"system\",\"blocks\":[{\"type\":\"reasoning\",\"text\":\"x\",\"metadata\":{}}],\"metadata\":{}}"))
                .withMessageContaining("SYSTEM messages accept only text");
    }
}
