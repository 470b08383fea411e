package io.github.flinkagentsnative;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Upstream's event that tells which model a router chose, and why (upstream #964, #1042). It is for logs and metrics only; nothing
 * is decided by it. Immutable. Two events are equal when all that they hold is equal, the id included.
 */
public final class ModelRoutingEvent {

    /** The {@code type} of the event in JSON. */
    public static final String EVENT_TYPE = "_model_routing_event";

    private static final String WIRE_NAME = "routing_event";

    private final Parts parts;

    private ModelRoutingEvent(Parts parts) {
        this.parts = parts;
    }

    /**
     * An event with all that is required. It gets a random id.
     *
     * @param requestId id of the initial request
     * @param candidates names of the models in declaration order, at least one
     * @param decisionSource who chose: {@code strategy}, {@code default}, {@code fallback}, or a judge
     * @throws IllegalArgumentException for an empty name or no candidate
     */
    public static ModelRoutingEvent of(
            UUID requestId,
            String router,
            List<String> candidates,
            String selectedModel,
            String decisionSource,
            boolean fallbackEnabled) {
        return new ModelRoutingEvent(new Parts(
                UUID.randomUUID(),
                requestId,
                router,
                candidates,
                selectedModel,
                decisionSource,
                fallbackEnabled,
                null,
                null,
                Map.of(),
                null,
                Map.of()));
    }

    /** The id of the event itself. */
    public UUID getId() {
        return parts.id;
    }

    /** {@link #EVENT_TYPE}. */
    public String getType() {
        return EVENT_TYPE;
    }

    /** The id of the initial request. */
    public UUID getRequestId() {
        return parts.requestId;
    }

    public String getRouter() {
        return parts.router;
    }

    /** The models in declaration order. */
    public List<String> getCandidates() {
        return parts.candidates;
    }

    public String getSelectedModel() {
        return parts.selectedModel;
    }

    /** Who chose. */
    public String getDecisionSource() {
        return parts.decisionSource;
    }

    public boolean isFallbackEnabled() {
        return parts.fallbackEnabled;
    }

    /** Why this model, or null. */
    public String getReason() {
        return parts.reason;
    }

    /** Exact: Integer, Long, BigInteger or BigDecimal; or null. */
    public Number getScore() {
        return parts.score;
    }

    /** JSON values of the strategy. */
    public Map<String, Object> getMetadata() {
        return parts.metadata;
    }

    /** Milliseconds that the decision took, or null. */
    public Long getDecisionMs() {
        return parts.decisionMs;
    }

    /** What upstream attached to an event that was read; empty in events that are made here. */
    public Map<String, Object> getAttachments() {
        return parts.attachments;
    }

    /** The same event under another id, for whoever derives ids from something that is stable over restarts. */
    public ModelRoutingEvent withId(UUID newId) {
        return with(newId, parts.reason, parts.score, parts.metadata, parts.decisionMs);
    }

    /** The same event with a reason, or without for null. */
    public ModelRoutingEvent withReason(String newReason) {
        return with(parts.id, newReason, parts.score, parts.metadata, parts.decisionMs);
    }

    /**
     * The same event with a score, or without for null.
     *
     * @throws IllegalArgumentException for a number that is not finite
     */
    public ModelRoutingEvent withScore(Number newScore) {
        return with(parts.id, parts.reason, newScore, parts.metadata, parts.decisionMs);
    }

    /**
     * The same event with JSON values of the strategy.
     *
     * @throws IllegalArgumentException for what JSON cannot hold
     */
    public ModelRoutingEvent withMetadata(Map<String, Object> newMetadata) {
        return with(parts.id, parts.reason, parts.score, newMetadata, parts.decisionMs);
    }

    /**
     * The same event with the time that the decision took.
     *
     * @throws IllegalArgumentException for a negative time
     */
    public ModelRoutingEvent withDecisionMs(long newDecisionMs) {
        return with(parts.id, parts.reason, parts.score, parts.metadata, newDecisionMs);
    }

    private ModelRoutingEvent with(
            UUID id, String reason, Number score, Map<String, Object> metadata, Long decisionMs) {
        return new ModelRoutingEvent(new Parts(
                id,
                parts.requestId,
                parts.router,
                parts.candidates,
                parts.selectedModel,
                parts.decisionSource,
                parts.fallbackEnabled,
                reason,
                score,
                metadata,
                decisionMs,
                parts.attachments));
    }

    /** Upstream's JSON, the same for the same event. */
    public String toJson() {
        FrameWriter frame = new FrameWriter();
        frame.map(2).key("type").text(WIRE_NAME).key("value").map(4);
        frame.key("id").text(parts.id.toString()).key("attributes").map(10);
        frame.key("request_id")
                .text(parts.requestId.toString())
                .key("router")
                .text(parts.router)
                .key("candidates")
                .value(parts.candidates)
                .key("selected_model")
                .text(parts.selectedModel)
                .key("decision_source")
                .text(parts.decisionSource)
                .key("fallback_enabled")
                .bool(parts.fallbackEnabled)
                .key("reason")
                .text(parts.reason)
                .key("score")
                .value(parts.score)
                .key("metadata")
                .value(parts.metadata)
                .key("decision_ms")
                .value(parts.decisionMs);
        frame.key("attachments").value(parts.attachments).key("type").text(EVENT_TYPE);
        return MessageFrames.json(frame);
    }

    /**
     * Reads upstream's JSON.
     *
     * @throws IllegalArgumentException for a text that is no such event: unknown attributes, wrong types
     */
    public static ModelRoutingEvent fromJson(String json) {
        Map<?, ?> event = MessageFrames.parsed(WIRE_NAME, json);
        UUID id = UUID.fromString(MessageFrames.text(event, "id"));
        return of(id, (Map<?, ?>) event.get("attributes"), MessageFrames.object(event.get("attachments")));
    }

    /** The event of a run that the native side tells about. */
    static ModelRoutingEvent ofAttributes(Map<?, ?> attributes) {
        return of(UUID.randomUUID(), attributes, Map.of());
    }

    private static ModelRoutingEvent of(UUID id, Map<?, ?> attributes, Map<String, Object> attachments) {
        return new ModelRoutingEvent(new Parts(
                id,
                UUID.fromString(MessageFrames.text(attributes, "request_id")),
                MessageFrames.text(attributes, "router"),
                MessageFrames.list(attributes.get("candidates")).stream()
                        .map(String.class::cast)
                        .toList(),
                MessageFrames.text(attributes, "selected_model"),
                MessageFrames.text(attributes, "decision_source"),
                Boolean.TRUE.equals(attributes.get("fallback_enabled")),
                MessageFrames.text(attributes, "reason"),
                (Number) attributes.get("score"),
                MessageFrames.object(attributes.get("metadata")),
                attributes.get("decision_ms") instanceof Number millis ? (Long) millis.longValue() : null,
                attachments));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelRoutingEvent event && parts.equals(event.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    /** No reason and no metadata: a judge wrote them. */
    @Override
    public String toString() {
        return "ModelRoutingEvent[" + parts.requestId + ", " + parts.router + " -> " + parts.selectedModel + ", "
                + parts.decisionSource + "]";
    }

    private record Parts(
            UUID id,
            UUID requestId,
            String router,
            List<String> candidates,
            String selectedModel,
            String decisionSource,
            boolean fallbackEnabled,
            String reason,
            Number score,
            Map<String, Object> metadata,
            Long decisionMs,
            Map<String, Object> attachments) {

        Parts {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(requestId, "requestId");
            requireText(router, "router");
            requireText(selectedModel, "selected model");
            requireText(decisionSource, "decision source");
            candidates = List.copyOf(candidates);
            if (candidates.isEmpty() || candidates.contains("")) {
                throw new IllegalArgumentException(
                        "A model routing event requires at least one candidate, and names that are not empty.");
            }
            if (decisionMs != null && decisionMs < 0) {
                throw new IllegalArgumentException(
                        "The time of a decision must not be negative, but is " + decisionMs + " ms.");
            }
            score = (Number) JsonValues.copy(score, "/score");
            metadata = JsonValues.copyObject(metadata, "/metadata");
            attachments = JsonValues.copyObject(attachments, "/attachments");
        }

        private static void requireText(String text, String what) {
            if (text == null || text.isEmpty()) {
                throw new IllegalArgumentException("A model routing event requires a " + what + ".");
            }
        }
    }
}
