package io.github.flinkagentsnative;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** A chat call failed for a reason that is not the caller's argument: what kind, and what is known about it. */
public class ChatModelException extends Exception {

    private final ErrorKind kind;
    private final transient Map<String, Object> details;

    /**
     * @param kind what kind of failure
     * @param message what went wrong, where, and what to do; never a secret
     * @param details facts for programs; null means none
     */
    public ChatModelException(ErrorKind kind, String message, Map<String, Object> details) {
        this(kind, message, details, null);
    }

    /** As above, with a cause. */
    public ChatModelException(ErrorKind kind, String message, Map<String, Object> details, Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.details = details == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /** What kind of failure. */
    public ErrorKind kind() {
        return kind;
    }

    /** Facts for programs, by snake_case name; {@link ErrorKind} says which. Empty after Java serialization. */
    public Map<String, Object> details() {
        return details == null ? Map.of() : details;
    }

    /** HTTP status of the provider's answer, or null when there was none. */
    public Integer status() {
        return details().get("status") instanceof Number status ? status.intValue() : null;
    }

    /** The provider's error code, or null. */
    public String code() {
        return text("code");
    }

    /** The provider's id of the request, for its support, or null. */
    public String requestId() {
        return text("request_id");
    }

    /**
     * Whether the same request may succeed when it is sent again later. Where the details do not say, time-outs, broken
     * connections and empty answers may.
     */
    public boolean retryable() {
        if (details().get("retryable") instanceof Boolean retryable) {
            return retryable;
        }
        return switch (kind) {
            case TIMEOUT, TRANSPORT, EMPTY_RESPONSE -> true;
            default -> false;
        };
    }

    private String text(String detail) {
        Object value = details().get(detail);
        return value == null ? null : value.toString();
    }
}
