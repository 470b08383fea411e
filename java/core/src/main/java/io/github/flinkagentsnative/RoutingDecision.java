package io.github.flinkagentsnative;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a routing strategy decided (upstream #964). Immutable.
 *
 * @param selectedModel name of the candidate; null abstains, and the request goes to the router's default model
 * @param reason one sentence for people, or null
 * @param score how sure the strategy is, in its own measure, or null
 * @param metadata JSON values for the outcome
 * @param decisionMs milliseconds that the decision took, or null
 */
public record RoutingDecision(
        String selectedModel, String reason, BigDecimal score, Map<String, Object> metadata, Long decisionMs) {

    /**
     * @throws IllegalArgumentException for a blank name, a negative time, or metadata that JSON cannot hold
     */
    public RoutingDecision {
        if (selectedModel != null && selectedModel.isBlank()) {
            throw new IllegalArgumentException(
                    "The selected model's name is blank; name a candidate, or use abstain(...).");
        }
        if (decisionMs != null && decisionMs < 0) {
            throw new IllegalArgumentException("A decision cannot take " + decisionMs + " ms.");
        }
        metadata = JsonValues.copyObject(metadata, "/metadata");
    }

    public static RoutingDecision select(String model) {
        return select(model, null);
    }

    /**
     * @throws IllegalArgumentException for a missing or blank name
     */
    public static RoutingDecision select(String model, String reason) {
        if (model == null) {
            throw new IllegalArgumentException("The selected model is null; name a candidate, or use abstain(...).");
        }
        return new RoutingDecision(model, reason, null, Map.of(), null);
    }

    public static RoutingDecision abstain(String reason) {
        return new RoutingDecision(null, reason, null, Map.of(), null);
    }

    /** Whether the strategy leaves it to the default model. */
    public boolean abstains() {
        return selectedModel == null;
    }

    /**
     * @throws IllegalArgumentException for a score that is not finite
     */
    public RoutingDecision withScore(double newScore) {
        if (!Double.isFinite(newScore)) {
            throw new IllegalArgumentException("A score must be finite, not " + newScore + ".");
        }
        return new RoutingDecision(selectedModel, reason, BigDecimal.valueOf(newScore), metadata, decisionMs);
    }

    /** The same decision with the time it took. */
    RoutingDecision withDecisionMs(long milliseconds) {
        return new RoutingDecision(selectedModel, reason, score, metadata, milliseconds);
    }

    public RoutingDecision withMetadata(Map<String, ?> newMetadata) {
        return new RoutingDecision(
                selectedModel, reason, score, JsonValues.copyObject(newMetadata, "/metadata"), decisionMs);
    }

    /** Upstream's six keys. */
    Map<String, Object> frame() {
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("selected_model", selectedModel);
        frame.put("abstain", abstains());
        frame.put("reason", reason);
        frame.put("score", score);
        frame.put("metadata", metadata);
        frame.put("decision_ms", decisionMs);
        return frame;
    }
}
