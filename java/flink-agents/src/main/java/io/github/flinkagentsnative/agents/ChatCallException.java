package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatModelException;
import io.github.flinkagentsnative.ErrorKind;
import java.util.Map;

/** A connection's call failed, after its retries; unchecked, because Flink Agents' {@code chat} declares no exception. */
public class ChatCallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;
    private final transient ChatModelException failure;

    /** With the message of {@code failure}, which is also the cause. */
    public ChatCallException(ChatModelException failure) {
        super(failure.getMessage(), failure);
        this.kind = failure.kind();
        this.failure = failure;
    }

    /** What kind of failure. */
    public ErrorKind kind() {
        return kind;
    }

    /** HTTP status of the provider's answer, or null when there was none. */
    public Integer status() {
        return failure == null ? null : failure.status();
    }

    /** The provider's error code, or null. */
    public String code() {
        return failure == null ? null : failure.code();
    }

    /** The provider's id of the request, for its support, or null. */
    public String requestId() {
        return failure == null ? null : failure.requestId();
    }

    /** Facts for programs, as {@link ChatModelException#details()}; empty after Java serialization. */
    public Map<String, Object> details() {
        return failure == null ? Map.of() : failure.details();
    }
}
