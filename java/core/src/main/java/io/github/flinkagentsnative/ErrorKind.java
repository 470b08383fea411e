package io.github.flinkagentsnative;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What kind of failure, for programs. The {@link #wireName names} are the same in outcomes, metrics and docs. */
public enum ErrorKind {
    /** The caller passed something unusable. */
    INVALID_ARGUMENT,
    /** A content block that this provider cannot carry. */
    UNSUPPORTED_BLOCK,
    /** A setting is missing or wrong; repeating the call cannot help. */
    CONFIGURATION,
    /** The provider answered with an error. Details: status, code, type, request_id, retryable, retry_after_ms. */
    PROVIDER_ERROR,
    /** A deadline passed. Details: phase, timeout_ms. */
    TIMEOUT,
    /** The connection failed before an answer was complete. */
    TRANSPORT,
    /** The model refused to answer. */
    REFUSAL,
    /** The answer was cut at a token limit. */
    TRUNCATED,
    /** The provider's content filter withheld the answer. */
    CONTENT_FILTER,
    /** The answer does not fit the schema. Details: pointer, violations. */
    INVALID_OUTPUT,
    /** A tool call cannot be used. */
    INVALID_TOOL_CALL,
    /** The provider answered with nothing. */
    EMPTY_RESPONSE,
    /** A router could not choose a model. */
    ROUTING,
    /** The call was cancelled by its caller. */
    CANCELLED,
    /** The client was closed while the call was in flight, or before. */
    CLOSED,
    /** A record of the journal cannot be used, or the journal failed. */
    JOURNAL,
    /** The two sides of the native boundary do not understand each other: a defect of this library. */
    FRAME;

    private static final Map<String, ErrorKind> BY_NAME =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(ErrorKind::wireName, kind -> kind));

    /** The name in lower snake case, for example {@code provider_error}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The kind of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ErrorKind of(String wireName) {
        ErrorKind kind = wireName == null ? null : BY_NAME.get(wireName);
        if (kind == null) {
            throw new IllegalArgumentException("Unknown error kind '" + wireName + "'; known are " + BY_NAME.keySet());
        }
        return kind;
    }
}
