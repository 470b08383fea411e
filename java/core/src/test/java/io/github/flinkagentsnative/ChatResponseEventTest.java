package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ChatResponseEventTest {

    private static final UUID ID = UUID.fromString("0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0");
    private static final UUID REQUEST = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
    private static final ChatResult RESULT = new ChatResult(ChatMessage.assistant("hi"));
    private static final BigInteger BIG = new BigInteger("123456789012345678901234567890");
    private static final String INCONSISTENT = "Chat response requires SUCCESS with response or FAILED with error.";

    @Test
    void pr1149_c01_a_failure_is_written_with_all_six_attributes() {
        ChatResponseEvent event = ChatResponseEvent.failed(REQUEST, "TimeoutError: timed out", 2, 3)
                .withId(ID);
        assertThat(event.toJson())
                .isEqualTo("{\"id\":\"" + ID + "\",\"attributes\":{\"request_id\":\"" + REQUEST
                        + "\",\"status\":\"FAILED\",\"response\":null,\"error\":\"TimeoutError: timed out\","
                        + "\"retry_count\":2,\"total_retry_wait_sec\":3},\"attachments\":{},"
                        + "\"type\":\"_chat_response_event\"}");
        assertThat(ChatResponseEvent.fromJson(event.toJson())).isEqualTo(event);
    }

    @Test
    void pr1149_c01_a_success_survives_json_with_exact_numbers() {
        ChatResponseEvent event = ChatResponseEvent.success(REQUEST, RESULT, 1, 2)
                .withStructuredOutput(Map.of("price", new BigDecimal("1.10")))
                .withRoutingMetadata(Map.of("router", "r", "score", new BigDecimal("0.50")))
                .withUserContext(Map.of("n", BIG));
        String json = event.toJson();
        assertThat(json)
                .contains(
                        "\"status\":\"SUCCESS\"",
                        "\"error\":null,\"retry_count\":1,\"total_retry_wait_sec\":2,",
                        "\"structured_output\":{\"price\":1.10}",
                        "\"score\":0.50",
                        "\"user_context\":{\"n\":" + BIG + "}");
        ChatResponseEvent read = ChatResponseEvent.fromJson(json);
        assertThat(read).isEqualTo(event).hasSameHashCodeAs(event);
        assertThat(read.getResponse()).isEqualTo(RESULT);
        assertThat(read.getRoutingMetadata()).containsEntry("router", "r");
        assertThat(read.getUserContext()).containsEntry("n", BIG);
        assertThat(read.toJson()).isEqualTo(json);
    }

    @Test
    void pr1149_c01_optional_attributes_are_written_only_where_they_are_set() {
        ChatResponseEvent event = ChatResponseEvent.success(REQUEST, RESULT);
        assertThat(event.toJson()).doesNotContain("structured_output", "model_routing", "user_context");
        assertThat(event.getStructuredOutput()).isNull();
        assertThat(event.getRoutingMetadata()).isNull();
        assertThat(event.getUserContext()).isNull();
        assertThat(event.withUserContext(Map.of()).toJson()).contains("\"user_context\":{}");
        assertThat(ChatResponseEvent.success(REQUEST, RESULT).getId()).isNotEqualTo(event.getId());
    }

    @Test
    void pr1149_c01_inconsistent_events_cannot_be_made() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChatResponseEvent.success(REQUEST, null))
                .withMessage(INCONSISTENT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChatResponseEvent.failed(REQUEST, "", 0, 0))
                .withMessage(INCONSISTENT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChatResponseEvent.failed(REQUEST, "e", 0, 0).withStructuredOutput(1))
                .withMessage(INCONSISTENT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChatResponseEvent.success(REQUEST, RESULT, -1, 0))
                .withMessageContaining("must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChatResponseEvent.fromJson("{"))
                .withMessageContaining("JSON");
    }

    @Test
    void pr1149_c02_failed_access_throws_and_status_and_error_stay_readable() {
        ChatResponseEvent failed = ChatResponseEvent.failed(REQUEST, "java.io.IOException: late", 0, 0);
        assertThatExceptionOfType(ChatResponseEvent.ChatResponseException.class)
                .isThrownBy(failed::getResponse)
                .withMessage("java.io.IOException: late")
                .satisfies(thrown -> assertThat(thrown.getRequestId()).isEqualTo(REQUEST));
        assertThat(failed.isFailed()).isTrue();
        assertThat(failed.getStatus()).isEqualTo(ChatOutcome.Status.FAILED);
        assertThat(failed.getError()).isEqualTo("java.io.IOException: late");
        ChatResponseEvent success = ChatResponseEvent.success(REQUEST, RESULT);
        assertThat(success.isSuccess()).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(success::getError)
                .withMessage("A successful chat response has no error.");
        assertThat(failed.toString() + success).doesNotContain("late").doesNotContain("hi,");
    }

    @Test
    void pr1149_an_event_is_made_of_an_outcome() {
        ChatOutcome<Object> typed = ChatOutcome.success(RESULT, Map.of("price", new BigDecimal("1.10"), "n", BIG));
        ChatResponseEvent event = ChatResponseEvent.of(REQUEST, typed);
        assertThat(event.getRequestId()).isEqualTo(REQUEST);
        assertThat(event.getResponse()).isEqualTo(RESULT);
        assertThat(event.getStructuredOutput()).isEqualTo(typed.value());
        assertThat(ChatResponseEvent.of(REQUEST, ChatOutcome.success(RESULT, null))
                        .getStructuredOutput())
                .isNull();
        ChatOutcome<Object> failure = ChatOutcome.failed(new IllegalArgumentException("no"));
        assertThat(ChatResponseEvent.of(REQUEST, failure).getError())
                .isEqualTo("java.lang.IllegalArgumentException: no");
    }

    @Test
    void pr1149_an_event_is_not_changed_by_its_maps() {
        Map<String, Object> context = new HashMap<>(Map.of("a", 1));
        ChatResponseEvent event = ChatResponseEvent.success(REQUEST, RESULT).withUserContext(context);
        context.put("a", 2);
        assertThat(event.getUserContext()).isEqualTo(Map.of("a", 1));
    }

    /** What Rust reads and writes, the Java classes read and write, too. */
    @TestFactory
    Stream<DynamicTest> pr1149_c01_the_vectors_through_the_classes() {
        return Vectors.of("outcome")
                .filter(vector -> vector.get("operation").equals("readJson"))
                .filter(vector -> List.of("response_event", "routing_event")
                        .contains(Vectors.frame(vector).get("type")))
                .map(vector -> dynamicTest((String) vector.get("name"), () -> checkVector(vector)));
    }

    private static void checkVector(Map<String, Object> vector) {
        Map<String, Object> frame = Vectors.frame(vector);
        String json = new String((byte[]) frame.get("json"), StandardCharsets.UTF_8);
        boolean routing = frame.get("type").equals("routing_event");
        if (Vectors.expect(vector).get("error") instanceof Map<?, ?> error) {
            String starts =
                    String.valueOf(error.containsKey("message") ? error.get("message") : error.get("message_starts"));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> {
                        Object event = routing ? ModelRoutingEvent.fromJson(json) : ChatResponseEvent.fromJson(json);
                        assertThat(event).isNull();
                    })
                    .withMessageStartingWith(starts);
            return;
        }
        String written = routing
                ? ModelRoutingEvent.fromJson(json).toJson()
                : ChatResponseEvent.fromJson(json).toJson();
        assertThat(String.valueOf(JsonReader.read(written.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(String.valueOf(Vectors.expect(vector).get("value")));
    }
}
