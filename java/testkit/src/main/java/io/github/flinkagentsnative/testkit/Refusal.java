package io.github.flinkagentsnative.testkit;

/**
 * Why the service does not take a request: thrown by the checks, sent as the provider's error body.
 */
final class Refusal extends Exception {
    private final int status;
    private final String type;
    private final String param;
    private final String code;

    private Refusal(int status, String type, String param, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.type = type;
        this.param = param;
        this.code = code;
    }

    /** A 400 {@code invalid_request_error}; {@code param} and {@code code} may be null. */
    static Refusal badRequest(String param, String code, String message) {
        return new Refusal(400, "invalid_request_error", param, code, message);
    }

    static Refusal of(int status, String type, String param, String code, String message) {
        return new Refusal(status, type, param, code, message);
    }

    Reply reply() {
        return Reply.error(status, type, param, code, getMessage());
    }
}
