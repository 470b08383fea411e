package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The shared wire vectors through the boundary, and the requests among them through the public types. */
class VectorTest {

    /** The vectors of a provider stand in a folder of its name. */
    private static Stream<String> providers() {
        return Stream.of(Provider.values()).map(Provider::wireName);
    }

    @TestFactory
    Stream<DynamicTest> the_boundary_gives_what_the_vectors_say() {
        NativeLibrary.load();
        return Vectors.of(Stream.concat(Stream.of("messages", "outcome"), providers())
                        .toArray(String[]::new))
                .map(vector -> dynamicTest((String) vector.get("name"), () -> checkBoundary(vector)));
    }

    private static void checkBoundary(Map<String, Object> vector) {
        Map<String, Object> expect = Vectors.expect(vector);
        byte[] answer = call((String) vector.get("operation"), Frames.pack(Vectors.frame(vector)));
        Map<String, Object> frame = new FrameReader(answer, 1).frame();
        if (expect.get("error") instanceof Map<?, ?> error) {
            assertThat(answer[0]).as("fails").isEqualTo(Frames.STATUS_ERROR);
            covers(error, frame, "error");
            assertThat(NativeErrors.exception(frame)).hasMessage((String) frame.get("message"));
        } else {
            assertThat(answer[0]).as("%s", frame).isEqualTo(Frames.STATUS_RESULT);
            covers(expect, frame, "");
        }
    }

    private static byte[] call(String operation, byte[] frame) {
        return switch (operation) {
            case "decide" -> Native.decide(frame);
            case "buildRequest" -> Native.buildRequest(frame);
            case "parseResponse" -> Native.parseResponse(frame);
            case "readJson" -> Native.readJson(frame);
            case "writeJson" -> Native.writeJson(frame);
            default -> throw new IllegalArgumentException(operation);
        };
    }

    /** Whether {@code actual} has everything that {@code expected} asks for; the keys are explained beside the Rust runner. */
    private static void covers(Map<?, ?> expected, Map<?, ?> actual, String path) {
        expected.forEach((key, value) -> {
            String place = path + "/" + key;
            Object found = actual.get(key);
            switch ((String) key) {
                case "message_starts" ->
                    assertThat((String) actual.get("message")).as(place).startsWith((String) value);
                case "message_contains" ->
                    assertThat((String) actual.get("message")).as(place).contains(texts(value));
                case "message_lacks" -> assertThat(actual.toString()).as(place).doesNotContain(texts(value));
                case "body_contains" ->
                    assertThat(text(actual.get("body"))).as(place).contains(texts(value));
                case "body_lacks" ->
                    assertThat(text(actual.get("body"))).as(place).doesNotContain(texts(value));
                case "codes" -> assertThat(ofReasons(actual, "code")).as(place).contains(texts(value));
                case "reasons_contain" -> {
                    for (String part : texts(value)) {
                        assertThat(ofReasons(actual, "message")).as(place).anyMatch(message -> message.contains(part));
                    }
                }
                case "roles" ->
                    assertThat(String.join(" ", roles(actual.get("body"))))
                            .as(place)
                            .isEqualTo(String.join(" ", texts(value)));
                case "result", "value", "headers", "auth" ->
                    assertThat(String.valueOf(found)).as(place).isEqualTo(String.valueOf(value));
                case "body", "json" -> assertBytes(found, value, place);
                default -> {
                    if (value instanceof Map<?, ?> members && found instanceof Map<?, ?> map) {
                        covers(members, map, place);
                    } else {
                        assertThat(found).as(place).isEqualTo(value);
                    }
                }
            }
        });
    }

    /** The order of members counts, so texts of the values are compared as well. */
    private static void assertBytes(Object found, Object expected, String place) {
        Object actual =
                found instanceof byte[] bytes && !(expected instanceof String) ? JsonReader.read(bytes) : text(found);
        assertThat(actual).as(place).isEqualTo(expected).hasToString(String.valueOf(expected));
    }

    private static String text(Object bytes) {
        return bytes instanceof byte[] utf8 ? new String(utf8, StandardCharsets.UTF_8) : String.valueOf(bytes);
    }

    private static String[] texts(Object value) {
        return value instanceof String text
                ? new String[] {text}
                : MessageFrames.list(value).toArray(String[]::new);
    }

    private static List<String> ofReasons(Map<?, ?> decision, String key) {
        return MessageFrames.list(decision.get("reasons")).stream()
                .map(reason -> (String) ((Map<?, ?>) reason).get(key))
                .toList();
    }

    private static List<String> roles(Object body) {
        Map<?, ?> request = (Map<?, ?>) JsonReader.read((byte[]) body);
        return MessageFrames.list(request.get("messages")).stream()
                .map(message -> (String) ((Map<?, ?>) message).get("role"))
                .toList();
    }

    // ---- the same requests through ChatModel

    @TestFactory
    Stream<DynamicTest> chat_model_sends_what_the_vectors_say() {
        return Vectors.of(providers().toArray(String[]::new))
                .filter(vector -> vector.get("operation").equals("buildRequest")
                        && !Vectors.expect(vector).containsKey("error"))
                .map(vector -> dynamicTest((String) vector.get("name"), () -> checkModel(vector)));
    }

    private static void checkModel(Map<String, Object> vector) throws JsonProcessingException {
        Map<String, Object> frame = Vectors.frame(vector);
        HttpCall call = model(frame).buildRequest(request(frame), schema(frame.get("schema")));
        Map<String, Object> raw = NativeErrors.resultUnchecked(Native.buildRequest(Frames.pack(frame)));
        assertThat(text(call.body())).isEqualTo(text(raw.get("body")));
        assertThat(call.url()).hasToString((String) raw.get("url"));
        assertThat(call.headers()).isEqualTo(raw.get("headers") == null ? Map.of() : raw.get("headers"));
        assertThat(call.decision()).isEqualTo(DecisionFrames.read(raw.get("decision")));
        assertThat(call.reasons()).isEqualTo(DecisionFrames.readReasons(raw.get("reasons")));
    }

    private static ChatModel model(Map<String, Object> frame) {
        Map<String, Object> model = MessageFrames.object(frame.get("model"));
        Provider provider = Stream.of(Provider.values())
                .filter(known -> known.wireName().equals(model.get("provider")))
                .findFirst()
                .orElseThrow();
        ChatModel.Builder builder = ChatModel.builder(provider).apiKey("sk-vector");
        MessageFrames.object(model.get("settings")).forEach(builder::setting);
        return builder.build();
    }

    private static ChatRequest request(Map<String, Object> frame) throws JsonProcessingException {
        ChatRequest.Builder request = ChatRequest.builder()
                .parameters(MessageFrames.object(frame.get("parameters")))
                .strategy(StructuredOutputStrategy.fromArgument(frame.get("strategy"), StructuredOutputStrategy.AUTO));
        if (frame.get("when_infeasible") instanceof String choice) {
            request.whenInfeasible(WhenInfeasible.valueOf(choice));
        }
        for (Object message : MessageFrames.list(frame.get("messages"))) {
            request.message(ChatMessage.fromJson(new ObjectMapper().writeValueAsString(message)));
        }
        for (Object tool : MessageFrames.list(frame.get("tools"))) {
            Map<String, Object> spec = MessageFrames.object(tool);
            request.tool(new ToolSpec(
                    (String) spec.get("name"),
                    (String) spec.get("description"),
                    (String) spec.get("input_schema"),
                    (Boolean) spec.get("strict")));
        }
        return request.build();
    }

    private static OutputSchema<?> schema(Object frame) {
        return frame == null ? null : new OutputSchema<>(MessageFrames.object(frame), "vector", answer -> answer);
    }

    // ---- rows

    @Test
    void pr1270_a_rows_text_is_pythons_for_every_name() {
        List<Map<String, Object>> names = Vectors.list(Vectors.root().resolve("row/names.json"));
        assertThat(names).hasSizeGreaterThan(200);
        List<String> faults = new ArrayList<>();
        for (Map<String, Object> vector : names) {
            String text = OutputSchema.ofRow(List.of((String) vector.get("name")), List.of(String.class))
                    .text();
            if (!text.equals(vector.get("schema"))) {
                faults.add(vector.get("name") + ": " + text);
            }
        }
        assertThat(faults).isEmpty();
    }
}
