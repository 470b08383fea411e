package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the server answers: an assistant message, which it wraps into a completion (on Responses into a response) with ids and usage, or a
 * raw HTTP answer, or a cut connection. Finish reasons are those of Chat Completions; on Responses {@code length} and {@code content_filter}
 * become an incomplete response with its reason. Immutable.
 */
public final class Reply {
    enum Cut {
        NONE,
        BEFORE_THE_ANSWER,
        IN_THE_BODY
    }

    private final ObjectNode message;
    private final String finishReason;
    private final int status;
    private final String contentType;
    private final byte[] body;
    private final Cut cut;
    private final Duration delay;
    private final Map<String, String> headers;

    private Reply(
            ObjectNode message,
            String finishReason,
            int status,
            String contentType,
            byte[] body,
            Cut cut,
            Duration delay,
            Map<String, String> headers) {
        this.message = message;
        this.finishReason = finishReason;
        this.status = status;
        this.contentType = contentType;
        this.body = body;
        this.cut = cut;
        this.delay = delay;
        this.headers = headers;
    }

    /** An answer with this text; finish reason {@code stop}. */
    public static Reply text(String content) {
        return message(content, null, null, "stop");
    }

    /** An answer that ends before it is complete; finish reason {@code length}. */
    public static Reply truncated(String content) {
        return message(content, null, null, "length");
    }

    /** An answer held back by the content filter: no text, finish reason {@code content_filter}. */
    public static Reply contentFilter() {
        return message(null, null, null, "content_filter");
    }

    /** A refusal: no text, the explanation in {@code refusal}, finish reason {@code stop}. */
    public static Reply refusal(String explanation) {
        return message(null, explanation, null, "stop");
    }

    /** An answer with tool calls; finish reason {@code tool_calls}. */
    public static Reply toolCalls(ToolCall... calls) {
        ArrayNode list = Json.array();
        for (ToolCall call : List.of(calls)) {
            ObjectNode node = list.addObject().put("id", call.id()).put("type", "function");
            node.putObject("function").put("name", call.name()).put("arguments", call.arguments());
        }
        return message(null, null, list, "tool_calls");
    }

    /**
     * One call of {@link #toolCalls}.
     *
     * @param id the call's id
     * @param name the function's name
     * @param arguments the arguments as the model wrote them: usually a JSON object, but any text can be given
     */
    public record ToolCall(String id, String name, String arguments) {}

    /** Any status with any JSON body, sent as {@code application/json}. */
    public static Reply json(int status, String body) {
        return raw(status, "application/json", body);
    }

    /** Any status, content type and body. */
    public static Reply raw(int status, String contentType, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return new Reply(null, null, status, contentType, bytes, Cut.NONE, Duration.ZERO, Map.of());
    }

    /** An error in the provider's form; {@code type}, {@code param} and {@code code} may be null. */
    public static Reply error(int status, String type, String param, String code, String message) {
        ObjectNode root = Json.object();
        root.putObject("error")
                .put("message", message)
                .put("type", type)
                .put("param", param)
                .put("code", code);
        return json(status, Json.write(root));
    }

    /** 429 {@code rate_limit_exceeded} with {@code Retry-After} in whole seconds. */
    public static Reply rateLimited(Duration retryAfter) {
        return error(429, "requests", null, "rate_limit_exceeded", "Rate limit reached: too many requests.")
                .header("retry-after", String.valueOf(retryAfter.toSeconds()))
                .header("retry-after-ms", String.valueOf(retryAfter.toMillis()));
    }

    /** 500 {@code server_error}. */
    public static Reply serverError() {
        return error(
                500, "server_error", null, "server_error", "The server had an error while processing the request.");
    }

    /** A page as a gateway sends it: HTML, with this status. */
    public static Reply htmlPage(int status) {
        return raw(
                status, "text/html; charset=utf-8", "<html><body><h1>" + status + "</h1><p>gateway</p></body></html>");
    }

    /** 200 with no body at all. */
    public static Reply emptyBody() {
        return json(200, "");
    }

    /** 200 with JSON that ends in the middle of the answer's text; the HTTP answer itself is complete. */
    public static Reply cutJson() {
        return json(
                200,
                "{\"id\":\"chatcmpl-cut\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assis");
    }

    /** A complete answer with this text, labelled {@code text/plain}. */
    public static Reply wrongContentType(String content) {
        Reply reply = text(content);
        return new Reply(reply.message, "stop", 200, "text/plain", null, Cut.NONE, Duration.ZERO, Map.of());
    }

    /** The connection ends before a single byte of the answer. */
    public static Reply cutConnection() {
        return new Reply(
                null, null, 200, "application/json", new byte[0], Cut.BEFORE_THE_ANSWER, Duration.ZERO, Map.of());
    }

    /** The connection ends in the middle of the body: headers promise more bytes than come. */
    public static Reply cutBody() {
        byte[] half = "{\"id\":\"chatcmpl-half\",\"choices\":[".getBytes(StandardCharsets.UTF_8);
        return new Reply(null, null, 200, "application/json", half, Cut.IN_THE_BODY, Duration.ZERO, Map.of());
    }

    /** The same answer, sent after a delay. */
    public Reply after(Duration delay) {
        return new Reply(message, finishReason, status, contentType, body, cut, delay, headers);
    }

    /** The same answer with one more header (or another value for it). */
    public Reply header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Reply(message, finishReason, status, contentType, body, cut, delay, Map.copyOf(more));
    }

    /** The same assistant message with another finish reason; null leaves it out. */
    public Reply finishReason(String reason) {
        return new Reply(message, reason, status, contentType, body, cut, delay, headers);
    }

    private static Reply message(String content, String refusal, JsonNode toolCalls, String finishReason) {
        ObjectNode message =
                Json.object().put("role", "assistant").put("content", content).put("refusal", refusal);
        if (toolCalls != null) {
            message.set("tool_calls", toolCalls);
        }
        message.putArray("annotations");
        return new Reply(message, finishReason, 200, "application/json", null, Cut.NONE, Duration.ZERO, Map.of());
    }

    /** The body to send; an assistant message becomes a completion or a response. */
    byte[] bodyFor(ReceivedRequest request) {
        if (message == null) {
            return body;
        }
        return Endpoint.of(request.path()).responses()
                ? ResponseObject.write(request, message, finishReason)
                : Completion.write(request, message, finishReason);
    }

    int status() {
        return status;
    }

    String contentType() {
        return contentType;
    }

    Cut cut() {
        return cut;
    }

    Duration delay() {
        return delay;
    }

    Map<String, String> headers() {
        return headers;
    }
}
