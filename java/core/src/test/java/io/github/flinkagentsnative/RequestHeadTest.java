package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A head is reused for an answer that begins with the same bytes, and for no other. */
class RequestHeadTest {

    private static final byte[] BODY = {1, 2, 3};

    @Test
    void the_body_of_an_answer_with_the_same_head_is_found_at_every_length() {
        RequestHead head = head(answer("https://a/v1", BODY, null));
        for (int length : new int[] {0, 1, 255, 256, 65_535, 65_536}) {
            byte[] body = new byte[length];
            assertThat(head.bodyOf(answer("https://a/v1", body, null))).isEqualTo(body);
        }
    }

    @Test
    void any_other_answer_is_read_as_a_frame() {
        RequestHead head = head(answer("https://a/v1", BODY, null));
        byte[] same = answer("https://a/v1", BODY, null);
        byte[] failure = same.clone();
        failure[0] = Frames.STATUS_ERROR;
        byte[] text = same.clone();
        text[text.length - BODY.length - 2] = (byte) 0xd9;
        byte[] longer = java.util.Arrays.copyOf(same, same.length + 1);
        for (byte[] other : List.of(
                failure,
                text,
                longer,
                answer("https://b/v1", BODY, null),
                answer("https://a/v1", BODY, Map.of("native", false)),
                new byte[] {Frames.STATUS_RESULT})) {
            assertThat(head.bodyOf(other)).isNull();
        }
    }

    @Test
    void a_head_of_an_answer_with_a_decision_fits_no_answer() {
        byte[] decided = answer("https://a/v1", BODY, Map.of("native", false));
        assertThat(head(decided).bodyOf(decided)).isNull();
        assertThat(head(decided).bodyOf(answer("https://a/v1", BODY, null))).isNull();
    }

    @Test
    void a_body_that_does_not_come_last_makes_no_head() {
        // The last member ends with the bytes of a body, but is none.
        Map<String, Object> frame = new LinkedHashMap<>(frame("https://a/v1", new byte[] {7}));
        frame.put("other", new byte[] {7});
        byte[] answer = withStatus(frame);
        assertThat(head(answer).bodyOf(answer)).isNull();
    }

    @Test
    void a_request_says_what_its_answer_said_whatever_came_before() {
        RequestHead first = head(answer("https://a/v1", BODY, null));
        byte[] second = answer("https://b/v1", BODY, null);
        RequestHead head = RequestHead.of(second, NativeErrors.resultUnchecked(second), first);
        HttpCall call = head.call(BODY, null, Map.of());
        assertThat(call.url()).hasToString("https://b/v1");
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.headers()).containsExactly(Map.entry("Accept", "application/json"));
        assertThat(call.authHeader()).isEqualTo("Authorization");
        assertThat(call.authPrefix()).isEqualTo("Bearer ");
    }

    private static RequestHead head(byte[] answer) {
        return RequestHead.of(answer, NativeErrors.resultUnchecked(answer), null);
    }

    private static byte[] answer(String url, byte[] body, Map<String, Object> decision) {
        Map<String, Object> frame = frame(url, body);
        if (decision != null) {
            frame.put("decision", decision);
        }
        return withStatus(frame);
    }

    private static Map<String, Object> frame(String url, byte[] body) {
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("method", "POST");
        frame.put("url", url);
        frame.put("headers", Map.of("Accept", "application/json"));
        frame.put("auth", Map.of("header", "Authorization", "prefix", "Bearer "));
        frame.put("body", body);
        return frame;
    }

    private static byte[] withStatus(Map<String, Object> frame) {
        byte[] packed = Frames.pack(frame);
        byte[] answer = new byte[packed.length + 1];
        System.arraycopy(packed, 0, answer, 1, packed.length);
        return answer;
    }
}
