package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NativeErrorsTest {

    @ParameterizedTest
    @EnumSource(ErrorKind.class)
    void every_kind_becomes_the_exception_that_belongs_to_it(ErrorKind kind) {
        Throwable thrown = catchThrowable(() -> NativeErrors.result(answer(kind.wireName())));
        Class<?> expected = switch (kind) {
            case INVALID_ARGUMENT -> IllegalArgumentException.class;
            case UNSUPPORTED_BLOCK -> UnsupportedContentBlockException.class;
            case CONFIGURATION -> ChatConfigurationException.class;
            case JOURNAL -> JournalException.class;
            case FRAME -> IllegalStateException.class;
            default -> ChatModelException.class;
        };
        assertThat(thrown).isExactlyInstanceOf(expected).hasMessage("what, where, what to do");
        assertThat(NativeErrors.kindOf(thrown)).isEqualTo(kind);
        assertThat(NativeErrors.kindOf(new ExecutionException(new CompletionException(thrown))))
                .isEqualTo(kind);
    }

    @Test
    void details_are_there_for_programs() {
        ChatModelException e = (ChatModelException) catchThrowable(() -> NativeErrors.result(answer("provider_error")));
        assertThat(e.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
        assertThat(e.status()).isEqualTo(429);
        assertThat(e.code()).isEqualTo("rate_limit_exceeded");
        assertThat(e.requestId()).isEqualTo("req_1");
        assertThat(e.retryable()).isTrue();
        assertThatThrownBy(() -> e.details().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void without_a_word_from_the_provider_only_passing_troubles_are_retryable() {
        for (ErrorKind kind : ErrorKind.values()) {
            assertThat(new ChatModelException(kind, "m", null).retryable())
                    .as("%s", kind)
                    .isEqualTo(List.of(ErrorKind.TIMEOUT, ErrorKind.TRANSPORT, ErrorKind.EMPTY_RESPONSE)
                            .contains(kind));
        }
    }

    @Test
    void a_result_is_a_result() throws ChatModelException {
        byte[] frame = Frames.pack(Map.of("a", 1));
        byte[] answer = new byte[frame.length + 1];
        System.arraycopy(frame, 0, answer, 1, frame.length);
        assertThat(NativeErrors.result(answer)).isEqualTo(Map.of("a", 1));
    }

    @Test
    void an_answer_that_makes_no_sense_is_a_defect() {
        assertThatThrownBy(() -> NativeErrors.result(new byte[] {7, (byte) 0x80}))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> NativeErrors.result(new byte[0])).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> NativeErrors.result(answer("no_such_kind")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no_such_kind");
    }

    @Test
    void pr1149_c2_error_text_is_class_name_and_message_of_what_wrappers_hold() {
        Exception inner = new IllegalArgumentException("bad");
        for (Exception wrapped : List.of(
                inner, new ExecutionException(inner), new CompletionException(new InvocationTargetException(inner)))) {
            assertThat(NativeErrors.errorText(wrapped)).isEqualTo("java.lang.IllegalArgumentException: bad");
        }
        assertThat(NativeErrors.errorText(new RuntimeException((String) null)))
                .isEqualTo("java.lang.RuntimeException: null");
        assertThat(NativeErrors.errorText(new ExecutionException("e", new AssertionError("error"))))
                .isEqualTo("java.util.concurrent.ExecutionException: e");
        assertThat(NativeErrors.errorText(new ChatModelException(ErrorKind.TIMEOUT, "late", null)))
                .isEqualTo("io.github.flinkagentsnative.ChatModelException: late");
    }

    @Test
    void pr1040_c6_a_rejected_finish_reason_is_named_as_upstreams_illegal_state() {
        for (ErrorKind kind : List.of(ErrorKind.TRUNCATED, ErrorKind.CONTENT_FILTER)) {
            assertThat(NativeErrors.errorText(new ChatModelException(kind, "cut", null)))
                    .isEqualTo("java.lang.IllegalStateException: cut");
        }
    }

    @Test
    void error_text_is_cut_at_4096_without_halving_a_character() {
        String text = NativeErrors.errorText(new IllegalStateException("x".repeat(10_000)));
        assertThat(text).hasSize(4096).startsWith("java.lang.IllegalStateException: xxx");
        String astral = NativeErrors.cut("x".repeat(4095) + "\uD83D\uDD75".repeat(10));
        assertThat(astral).hasSize(4095).doesNotContain("\uD83D");
    }

    @Test
    void secrets_are_replaced_wherever_a_provider_repeats_them() {
        List<Secret> secrets = List.of(Secret.of("sk-12345"));
        ChatModelException leaky = new ChatModelException(
                ErrorKind.PROVIDER_ERROR,
                "Incorrect API key: sk-12345",
                Map.of("code", "sk-12345", "nested", Map.of("list", Arrays.asList("sk-12345", 1, null))));
        ChatModelException clean = NativeErrors.redact(leaky, secrets);
        assertThat(clean).hasMessage("Incorrect API key: ***");
        assertThat(clean.details().toString()).doesNotContain("12345").contains("[***, 1, null]");
        assertThat(clean.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
    }

    private static byte[] answer(String kind) {
        byte[] frame = Frames.pack(Map.of(
                "kind",
                kind,
                "message",
                "what, where, what to do",
                "details",
                Map.of("status", 429, "code", "rate_limit_exceeded", "request_id", "req_1", "retryable", true)));
        byte[] answer = new byte[frame.length + 1];
        answer[0] = Frames.STATUS_ERROR;
        System.arraycopy(frame, 0, answer, 1, frame.length);
        return answer;
    }
}
