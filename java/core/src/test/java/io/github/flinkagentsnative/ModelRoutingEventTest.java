package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ModelRoutingEventTest {

    private static final UUID ID = UUID.fromString("0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0");
    private static final UUID REQUEST = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");

    private static ModelRoutingEvent event() {
        return ModelRoutingEvent.of(REQUEST, "r", List.of("a", "b"), "b", "default", true)
                .withId(ID);
    }

    @Test
    void an_event_is_written_in_upstreams_form() {
        assertThat(event().toJson())
                .isEqualTo("{\"id\":\"" + ID + "\",\"attributes\":{\"request_id\":\"" + REQUEST
                        + "\",\"router\":\"r\",\"candidates\":[\"a\",\"b\"],\"selected_model\":\"b\","
                        + "\"decision_source\":\"default\",\"fallback_enabled\":true,\"metadata\":{}},"
                        + "\"attachments\":{},\"type\":\"_model_routing_event\"}");
    }

    @Test
    void all_that_is_optional_survives_json() {
        ModelRoutingEvent event = event().withReason("rule 1")
                .withScore(new BigDecimal("0.90"))
                .withMetadata(Map.of("judge_model", "j"))
                .withDecisionMs(12);
        String json = event.toJson();
        assertThat(json).contains("\"reason\":\"rule 1\",\"score\":0.90,\"metadata\":{\"judge_model\":\"j\"}");
        ModelRoutingEvent read = ModelRoutingEvent.fromJson(json);
        assertThat(read).isEqualTo(event).hasSameHashCodeAs(event).isNotEqualTo(event());
        assertThat(read.getScore()).isEqualTo(new BigDecimal("0.90"));
        assertThat(read.getDecisionMs()).isEqualTo(12L);
        assertThat(read.toString()).doesNotContain("rule 1");
    }

    @Test
    void an_event_without_names_cannot_be_made() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ModelRoutingEvent.of(REQUEST, "", List.of("a"), "a", "strategy", false))
                .withMessageContaining("router");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ModelRoutingEvent.of(REQUEST, "r", List.of(), "a", "strategy", false))
                .withMessageContaining("candidate");
        assertThatIllegalArgumentException().isThrownBy(() -> event().withDecisionMs(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> event().withScore(Double.NaN));
    }
}
