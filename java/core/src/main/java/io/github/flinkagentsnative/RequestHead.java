package io.github.flinkagentsnative;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that the native side says about a built request, apart from body and decision. For one model it is nearly always what it
 * was for the request before, byte for byte; comparing the bytes takes a tenth of the time of reading them. Immutable.
 */
final class RequestHead {

    /** How the key {@code body} stands in a frame. */
    private static final byte[] BODY_KEY = "\u00a4body".getBytes(StandardCharsets.ISO_8859_1);

    private final String method;
    private final URI url;
    private final Map<String, String> headers;
    private final String authHeader;
    private final String authPrefix;

    /** The answer up to its body; null where the body does not come last, because a decision follows. */
    private final byte[] bytes;

    private RequestHead(Map<String, Object> built, byte[] bytes, RequestHead before) {
        String newUrl = MessageFrames.text(built, "url");
        Map<?, ?> auth = built.get("auth") instanceof Map<?, ?> map ? map : Map.of();
        this.method = MessageFrames.text(built, "method");
        this.url = before != null && before.url.toString().equals(newUrl) ? before.url : URI.create(newUrl);
        this.headers = texts((Map<?, ?>) built.get("headers"));
        this.authHeader = MessageFrames.text(auth, "header");
        this.authPrefix = auth.get("prefix") instanceof String prefix ? prefix : "";
        this.bytes = bytes;
    }

    /**
     * @param answer the native side's answer
     * @param built the frame in it
     * @param before the head of an earlier request, or null
     */
    static RequestHead of(byte[] answer, Map<String, Object> built, RequestHead before) {
        return new RequestHead(built, upToLastBody(answer, (byte[]) built.get("body")), before);
    }

    private static byte[] upToLastBody(byte[] answer, byte[] body) {
        int header = body.length < 0x100 ? 2 : body.length < 0x10000 ? 3 : 5;
        int end = answer.length - body.length - header;
        int key = end - BODY_KEY.length;
        boolean isLast = key > 0
                && Arrays.equals(answer, key, end, BODY_KEY, 0, BODY_KEY.length)
                && new FrameReader(answer, end).lastBytes() != null;
        return isLast ? Arrays.copyOf(answer, end) : null;
    }

    /** The body of an answer with this head and without a decision; null for any other answer, which is to be read as a frame. */
    byte[] bodyOf(byte[] answer) {
        if (bytes == null
                || answer.length <= bytes.length
                || !Arrays.equals(answer, 0, bytes.length, bytes, 0, bytes.length)) {
            return null;
        }
        return new FrameReader(answer, bytes.length).lastBytes();
    }

    HttpCall call(byte[] body, StructuredOutputDecision decision, Map<String, Object> parameters) {
        return new HttpCall(method, url, headers, body, decision, authHeader, authPrefix, parameters);
    }

    private static Map<String, String> texts(Map<?, ?> map) {
        Map<String, String> texts = new LinkedHashMap<>();
        map.forEach((key, value) -> texts.put((String) key, (String) value));
        return Collections.unmodifiableMap(texts);
    }
}
