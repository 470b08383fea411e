package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ChatMessageTest {

    private static final ToolCallBlock CALL = new ToolCallBlock("c1", "find", Map.of());
    private static final ToolResultBlock RESULT = ToolResultBlock.of("c1", "found");
    private static final ImageBlock IMAGE = ImageBlock.fromUrl("image/png", "https://example.org/a.png?sig=s3cr3t");

    static Stream<Arguments> wrongMessages() {
        return Stream.of(
                Arguments.of(MessageRole.TOOL, List.of(), "A TOOL message requires exactly one ToolResultBlock"),
                Arguments.of(
                        MessageRole.TOOL,
                        List.of(RESULT, RESULT),
                        "A TOOL message requires exactly one ToolResultBlock"),
                Arguments.of(
                        MessageRole.TOOL,
                        List.of(new TextBlock("x")),
                        "A TOOL message requires exactly one ToolResultBlock"),
                Arguments.of(MessageRole.USER, List.of(RESULT), "ToolResultBlock requires TOOL role"),
                Arguments.of(MessageRole.ASSISTANT, List.of(RESULT), "ToolResultBlock requires TOOL role"),
                Arguments.of(MessageRole.SYSTEM, List.of(IMAGE), "SYSTEM messages accept only text"),
                Arguments.of(MessageRole.USER, List.of(CALL), "USER messages accept only text and media"),
                Arguments.of(
                        MessageRole.USER,
                        List.of(new ReasoningBlock("hm")),
                        "USER messages accept only text and media"),
                Arguments.of(MessageRole.ASSISTANT, List.of(CALL, CALL), "Duplicate tool call ID in one message"));
    }

    @ParameterizedTest
    @MethodSource("wrongMessages")
    void pr1185_a_block_that_does_not_belong_into_a_role_is_refused(
            MessageRole role, List<ContentBlock> blocks, String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ChatMessage(role, blocks))
                .withMessage(text);
    }

    @Test
    void pr1060_media_needs_type_and_source_and_no_negative_size() {
        MediaSource source = new UrlSource("u");
        assertThatThrownBy(() -> new ImageBlock("", source, null, null, null))
                .hasMessage("A media block requires a media type.");
        assertThatThrownBy(() -> new AudioBlock("audio/wav", null, null, null, null))
                .hasMessage("A media block requires a source.");
        assertThatThrownBy(() -> new VideoBlock("video/mp4", source, null, -1L, null))
                .hasMessage("size_bytes must not be negative.");
        assertThatThrownBy(() -> DocumentBlock.fromBytes("application/pdf", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Base64Source("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UrlSource(null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void pr1060_bytes_are_encoded_once_and_their_size_is_inferred() {
        for (int size = 1; size < 10; size++) {
            ImageBlock image = ImageBlock.fromBytes("image/png", new byte[size]);
            assertThat(((Base64Source) image.source()).sizeBytes()).isEqualTo(size);
        }
        assertThat(new Base64Source("=").sizeBytes()).isZero();
    }

    @Test
    void pr1060_text_is_the_top_level_text_without_separator() {
        ChatMessage message = ChatMessage.assistant(
                List.of(new ReasoningBlock("hm"), new TextBlock("a"), CALL, IMAGE, new TextBlock("b")));
        assertThat(message.text()).isEqualTo("ab");
        assertThat(message.toolCalls()).containsExactly(CALL);
        assertThat(ChatMessage.tool(RESULT).text()).isEmpty();
        assertThat(RESULT.text()).isEqualTo("found");
    }

    @Test
    void pr1060_an_empty_text_gives_no_block() {
        assertThat(ChatMessage.user("").blocks()).isEmpty();
        assertThat(ChatMessage.user((String) null).blocks()).isEmpty();
    }

    @Test
    void pr1185_a_result_is_the_assistants_message() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ChatResult(ChatMessage.user("hi")))
                .withMessage("ChatResult requires an ASSISTANT message");
        assertThatIllegalArgumentException().isThrownBy(() -> new TokenUsage(-1L, null));
        assertThatIllegalArgumentException().isThrownBy(() -> new TokenUsage(1L, 1L, Map.of("cached", -2L), Map.of()));
    }

    @Test
    void nothing_prints_what_it_carries() {
        ToolCallBlock call = new ToolCallBlock("c1", "find", Map.of("card", "s3cr3t"), Map.of("x", "s3cr3t"));
        ChatMessage message = new ChatMessage(
                MessageRole.ASSISTANT,
                List.of(
                        new TextBlock("s3cr3t"),
                        new ReasoningBlock("s3cr3t"),
                        IMAGE,
                        ImageBlock.fromBase64("image/png", "s3cr3t"),
                        call),
                Map.of("refusal", "s3cr3t"));
        assertThat(message.toString()).doesNotContain("s3cr3t").contains("ASSISTANT", "image/png", "find");
        assertThat(new ChatResult(message, "m", "r", null, "stop", Map.of("x", "s3cr3t")).toString())
                .doesNotContain("s3cr3t");
        assertThat(ChatRequest.builder()
                        .message(message)
                        .parameter("user", "s3cr3t")
                        .build()
                        .toString())
                .doesNotContain("s3cr3t");
        assertThat(ChatMessage.tool(ToolResultBlock.of("c1", "s3cr3t")).toString())
                .doesNotContain("s3cr3t");
    }

    @Test
    void a_message_keeps_what_it_was_given() {
        List<ContentBlock> blocks = new ArrayList<>(List.of(new TextBlock("a")));
        Map<String, Object> inner = new HashMap<>(Map.of("k", 1));
        Map<String, Object> metadata =
                new HashMap<>(Map.of("inner", inner, "list", new ArrayList<>(Arrays.asList(1, null))));
        ChatMessage message = new ChatMessage(MessageRole.USER, blocks, metadata);
        blocks.clear();
        inner.clear();
        metadata.clear();
        assertThat(message.text()).isEqualTo("a");
        assertThat(message.metadata()).isEqualTo(Map.of("inner", Map.of("k", 1), "list", Arrays.asList(1, null)));
        assertThatThrownBy(() -> message.metadata().put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void b063_a_record_holds_what_json_holds_with_one_class_for_each_number() {
        Map<String, Object> input = Map.of(
                "values",
                Arrays.asList(
                        5L,
                        (short) 6,
                        (byte) 7,
                        3_000_000_000L,
                        BigInteger.TEN,
                        BigInteger.ONE.shiftLeft(70),
                        new BigDecimal("1.10"),
                        new BigDecimal("4"),
                        0.5,
                        1.5f,
                        null,
                        true,
                        "x"));
        assertThat(new ToolCallBlock("c", "n", input).input().get("values"))
                .isEqualTo(Arrays.asList(
                        5,
                        6,
                        7,
                        3_000_000_000L,
                        10,
                        BigInteger.ONE.shiftLeft(70),
                        new BigDecimal("1.10"),
                        4,
                        new BigDecimal("0.5"),
                        new BigDecimal("1.5"),
                        null,
                        true,
                        "x"));
    }

    @Test
    void b063_other_java_values_are_refused_with_their_path() {
        record Parcel(String code) {}
        assertRefused(Map.of("nested", List.of("ok", new byte[] {0, 1, -1})), "/input/nested/1");
        assertRefused(Map.of("a/b~c", new Parcel("A")), "/input/a~1b~0c");
        assertRefused(Map.of("n", Double.NaN), "/input/n");
        assertRefused(Map.of("m", Map.of(1, "x")), "/input/m");
        Map<String, Object> endless = new HashMap<>();
        endless.put("self", endless);
        assertRefused(endless, "deeper than 100 levels");
    }

    private static void assertRefused(Map<String, Object> input, String where) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ToolCallBlock("c", "n", input))
                .withMessageContaining(where);
    }

    static Stream<Arguments> messagesForLogs() {
        return Vectors.of("sanitized").map(vector -> Arguments.of(vector.get("name"), vector));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("messagesForLogs")
    void pr1060_messages_for_logs_hold_neither_payload_nor_url(String name, Map<String, Object> vector)
            throws Exception {
        String json = new ObjectMapper().writeValueAsString(vector.get("message"));
        Map<String, Object> form = ChatMessage.fromJson(json).sanitize();
        assertThat(form).hasToString(vector.get("sanitized").toString()).isEqualTo(vector.get("sanitized"));
        assertThat(form.toString()).doesNotContain("SECRET");
    }
}
