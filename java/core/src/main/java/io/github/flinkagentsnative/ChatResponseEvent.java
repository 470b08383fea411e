package io.github.flinkagentsnative;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Upstream's terminal event of a chat request: SUCCESS with a response or FAILED with an error text, never both (upstream #1149,
 * #1185). Immutable. Two events are equal when all that they hold is equal, the id included.
 */
public final class ChatResponseEvent {

    /** The {@code type} of the event in JSON. */
    public static final String EVENT_TYPE = "_chat_response_event";

    /** Upstream's text for every inconsistency (#1149). */
    private static final String INCONSISTENT = "Chat response requires SUCCESS with response or FAILED with error.";

    private static final String WIRE_NAME = "response_event";

    private final Parts parts;

    private ChatResponseEvent(Parts parts) {
        this.parts = parts;
    }

    /** A success without retries. */
    public static ChatResponseEvent success(UUID requestId, ChatResult response) {
        return success(requestId, response, 0, 0);
    }

    /**
     * A success. The event gets a random id.
     *
     * @param requestId id of the initial request, over all retries and tool rounds
     * @param retryCount retries that were started
     * @param totalRetryWaitSec seconds that were waited before retries
     * @throws IllegalArgumentException without a response, and for a negative count
     */
    public static ChatResponseEvent success(
            UUID requestId, ChatResult response, int retryCount, int totalRetryWaitSec) {
        return new ChatResponseEvent(new Parts(
                UUID.randomUUID(),
                requestId,
                response,
                null,
                retryCount,
                totalRetryWaitSec,
                null,
                null,
                null,
                Map.of()));
    }

    /**
     * A failure. The event gets a random id.
     *
     * @param error what happened, {@code class: message}; cut to 4,096 characters
     * @throws IllegalArgumentException for an empty error or a negative count
     */
    public static ChatResponseEvent failed(UUID requestId, String error, int retryCount, int totalRetryWaitSec) {
        return new ChatResponseEvent(new Parts(
                UUID.randomUUID(),
                requestId,
                null,
                NativeErrors.cut(error),
                retryCount,
                totalRetryWaitSec,
                null,
                null,
                null,
                Map.of()));
    }

    /**
     * The event of an outcome. A typed answer becomes the structured output, as JSON values. What only an outcome has (kind,
     * details, decision) is left out.
     */
    public static ChatResponseEvent of(UUID requestId, ChatOutcome<?> outcome) {
        Objects.requireNonNull(requestId, "requestId");
        int retries = outcome.retryCount();
        int waited = outcome.totalRetryWaitSec();
        ChatResponseEvent event = outcome.isSuccess()
                ? success(requestId, outcome.result(), retries, waited)
                : failed(requestId, outcome.error(), retries, waited);
        if (!outcome.modelRouting().isEmpty()) {
            event = event.withRoutingMetadata(outcome.modelRouting());
        }
        Object value = outcome.valueAsJson();
        return value == null ? event : event.withStructuredOutput(value);
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

    public ChatOutcome.Status getStatus() {
        return isSuccess() ? ChatOutcome.Status.SUCCESS : ChatOutcome.Status.FAILED;
    }

    public boolean isSuccess() {
        return parts.error == null;
    }

    public boolean isFailed() {
        return !isSuccess();
    }

    /**
     * The provider's answer.
     *
     * @throws ChatResponseException on a failure, so that one which nobody asked about is not lost
     */
    public ChatResult getResponse() {
        if (isFailed()) {
            throw new ChatResponseException(parts.requestId, parts.error);
        }
        return parts.response;
    }

    /**
     * The error text.
     *
     * @throws IllegalStateException on a success
     */
    public String getError() {
        if (isSuccess()) {
            throw new IllegalStateException("A successful chat response has no error.");
        }
        return parts.error;
    }

    /** Retries that were started. */
    public int getRetryCount() {
        return parts.retryCount;
    }

    /** Seconds that were waited before retries. */
    public int getTotalRetryWaitSec() {
        return parts.totalRetryWaitSec;
    }

    /** The typed answer as JSON values (Map, List, String, Boolean, exact numbers), or null when there is none. */
    public Object getStructuredOutput() {
        return parts.structuredOutput;
    }

    /** What a router did, or null when none was asked. */
    public Map<String, Object> getRoutingMetadata() {
        return parts.routingMetadata;
    }

    /** The request's own map (upstream #1352), or null when it had none. */
    public Map<String, Object> getUserContext() {
        return parts.userContext;
    }

    /** What upstream attached to an event that was read; empty in events that are made here. */
    public Map<String, Object> getAttachments() {
        return parts.attachments;
    }

    /** The same event under another id, for whoever derives ids from something that is stable over restarts. */
    public ChatResponseEvent withId(UUID newId) {
        return new ChatResponseEvent(new Parts(
                newId,
                parts.requestId,
                parts.response,
                parts.error,
                parts.retryCount,
                parts.totalRetryWaitSec,
                parts.structuredOutput,
                parts.routingMetadata,
                parts.userContext,
                parts.attachments));
    }

    /**
     * The same event with a typed answer.
     *
     * @param newStructuredOutput JSON values, or null for none
     * @throws IllegalArgumentException for what JSON cannot hold, and on a failure
     */
    public ChatResponseEvent withStructuredOutput(Object newStructuredOutput) {
        return new ChatResponseEvent(new Parts(
                parts.id,
                parts.requestId,
                parts.response,
                parts.error,
                parts.retryCount,
                parts.totalRetryWaitSec,
                newStructuredOutput,
                parts.routingMetadata,
                parts.userContext,
                parts.attachments));
    }

    /**
     * The same event with what a router did (docs/failures.md names the members).
     *
     * @param newRoutingMetadata JSON values, or null for none
     * @throws IllegalArgumentException for what JSON cannot hold
     */
    public ChatResponseEvent withRoutingMetadata(Map<String, Object> newRoutingMetadata) {
        return new ChatResponseEvent(new Parts(
                parts.id,
                parts.requestId,
                parts.response,
                parts.error,
                parts.retryCount,
                parts.totalRetryWaitSec,
                parts.structuredOutput,
                newRoutingMetadata,
                parts.userContext,
                parts.attachments));
    }

    /**
     * The same event with the request's own map.
     *
     * @param newUserContext JSON values, or null for none
     * @throws IllegalArgumentException for what JSON cannot hold
     */
    public ChatResponseEvent withUserContext(Map<String, Object> newUserContext) {
        return new ChatResponseEvent(new Parts(
                parts.id,
                parts.requestId,
                parts.response,
                parts.error,
                parts.retryCount,
                parts.totalRetryWaitSec,
                parts.structuredOutput,
                parts.routingMetadata,
                newUserContext,
                parts.attachments));
    }

    /** Upstream's JSON, the same for the same event. */
    public String toJson() {
        FrameWriter frame = new FrameWriter(1024);
        frame.map(2).key("type").text(WIRE_NAME).key("value").map(4);
        frame.key("id").text(parts.id.toString()).key("attributes").map(9);
        frame.key("request_id").text(parts.requestId.toString());
        frame.key("status").text(getStatus().name()).key("response");
        if (parts.response == null) {
            frame.nil();
        } else {
            MessageFrames.write(frame, parts.response);
        }
        frame.key("error")
                .text(parts.error)
                .key("retry_count")
                .integer(parts.retryCount)
                .key("total_retry_wait_sec")
                .integer(parts.totalRetryWaitSec)
                .key("structured_output")
                .value(parts.structuredOutput)
                .key("model_routing")
                .value(parts.routingMetadata)
                .key("user_context")
                .value(parts.userContext);
        frame.key("attachments").value(parts.attachments).key("type").text(EVENT_TYPE);
        return MessageFrames.json(frame);
    }

    /**
     * Reads upstream's JSON. The response may be a bare assistant message, as it was between #1149 and #1185.
     *
     * @throws IllegalArgumentException for a text that is no such event: unknown attributes, wrong types, mixed payloads
     */
    public static ChatResponseEvent fromJson(String json) {
        Map<?, ?> event = MessageFrames.parsed(WIRE_NAME, json);
        Map<?, ?> attributes = (Map<?, ?>) event.get("attributes");
        return new ChatResponseEvent(new Parts(
                UUID.fromString(MessageFrames.text(event, "id")),
                UUID.fromString(MessageFrames.text(attributes, "request_id")),
                attributes.get("response") instanceof Map<?, ?> response ? MessageFrames.result(response) : null,
                MessageFrames.text(attributes, "error"),
                ((Number) attributes.get("retry_count")).intValue(),
                ((Number) attributes.get("total_retry_wait_sec")).intValue(),
                attributes.get("structured_output"),
                optional(attributes.get("model_routing")),
                optional(attributes.get("user_context")),
                MessageFrames.object(event.get("attachments"))));
    }

    private static Map<String, Object> optional(Object map) {
        return map == null ? null : MessageFrames.object(map);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChatResponseEvent event && parts.equals(event.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    /** Neither answer nor error text: both may hold what belongs into no log. */
    @Override
    public String toString() {
        return "ChatResponseEvent[" + parts.requestId + ", " + getStatus() + ", " + parts.retryCount + " retries]";
    }

    private record Parts(
            UUID id,
            UUID requestId,
            ChatResult response,
            String error,
            int retryCount,
            int totalRetryWaitSec,
            Object structuredOutput,
            Map<String, Object> routingMetadata,
            Map<String, Object> userContext,
            Map<String, Object> attachments) {

        Parts {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(requestId, "requestId");
            boolean isSuccess = response != null && error == null;
            boolean isFailed = response == null && error != null && !error.isEmpty() && structuredOutput == null;
            if (!isSuccess && !isFailed) {
                throw new IllegalArgumentException(INCONSISTENT);
            }
            if (retryCount < 0 || totalRetryWaitSec < 0) {
                throw new IllegalArgumentException("The counts of a chat response must not be negative, but are "
                        + retryCount + " and " + totalRetryWaitSec + ".");
            }
            structuredOutput = JsonValues.copy(structuredOutput, "/structured_output");
            routingMetadata = copyOptional(routingMetadata, "/model_routing");
            userContext = copyOptional(userContext, "/user_context");
            attachments = JsonValues.copyObject(attachments, "/attachments");
        }

        private static Map<String, Object> copyOptional(Map<String, Object> map, String pointer) {
            return map == null ? null : JsonValues.copyObject(map, pointer);
        }
    }

    /** The failure of a chat request, thrown where a response was asked for; its message is the error text. */
    public static final class ChatResponseException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final UUID requestId;

        public ChatResponseException(UUID requestId, String error) {
            super(error);
            this.requestId = requestId;
        }

        /** The id of the initial request. */
        public UUID getRequestId() {
            return requestId;
        }
    }
}
