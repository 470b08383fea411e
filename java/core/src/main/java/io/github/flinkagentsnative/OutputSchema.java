package io.github.flinkagentsnative;

import java.lang.reflect.Type;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * What an answer has to look like, and how it becomes a {@code T}. Immutable and thread-safe; make one and keep it.
 *
 * <table>
 * <caption>Forms</caption>
 * <tr><td>{@link #of}, {@link #ofType}</td><td>a class; needs victools and Jackson on the class path</td></tr>
 * <tr><td>{@link #ofJsonSchema}</td><td>a JSON Schema document (draft 2020-12)</td></tr>
 * <tr><td>{@link #ofRow}</td><td>names and basic types, as in Flink rows</td></tr>
 * </table>
 *
 * <p>Whatever a provider gets of it, an answer is always checked against the whole schema.
 *
 * @param <T> type of the answer
 */
public final class OutputSchema<T> {

    private final Map<String, Object> frame;
    private final String label;
    private final AnswerReader<? extends T> reader;
    private volatile Map<String, Object> texts;

    OutputSchema(Map<String, Object> frame, String label, AnswerReader<? extends T> reader) {
        this.frame = Collections.unmodifiableMap(frame);
        this.label = label;
        this.reader = reader;
    }

    /**
     * A schema from a class: record, bean, enum, or a base type with {@code @JsonTypeInfo}. It says what Jackson reads into that
     * class; every property is required, except {@code Optional} ones and those with an annotation called {@code Nullable}.
     *
     * @throws IllegalArgumentException when the class holds something that no schema and reader agree on; the message names it
     * @throws IllegalStateException when victools or Jackson is missing; the message names what to add
     */
    public static <T> OutputSchema<T> of(Class<T> type) {
        return ofType(type);
    }

    /**
     * As {@link #of}, for generic types such as {@code List<Parcel>}; {@code T} has to be that type.
     */
    @SuppressWarnings("unchecked") // the caller names T and the type; nothing else can tie them together
    public static <T> OutputSchema<T> ofType(Type type) {
        return (OutputSchema<T>) ClassSchemaCache.get(Objects.requireNonNull(type, "type"));
    }

    /**
     * A schema from a JSON Schema document. Answers come as Map, List, String, Boolean, null, and exact numbers: Integer, Long or
     * BigInteger by size, BigDecimal for the rest.
     *
     * @throws IllegalArgumentException for a blank text; what is wrong inside the document is found when it is first used
     */
    public static OutputSchema<Object> ofJsonSchema(String document) {
        if (document == null || document.isBlank()) {
            throw new IllegalArgumentException(
                    "The JSON Schema document is empty; pass its text, for example {\"type\":\"object\",...}.");
        }
        return new OutputSchema<>(
                documentFrame(null, document), "JSON Schema document", answer -> JsonReader.read(answer.json()));
    }

    /**
     * A schema from field names and types of a row (upstream #1270). Answers come as values of these types in field order; all
     * fields are required.
     *
     * @param names field names, or null for {@code f0}, {@code f1}, ...
     * @param types String, Boolean, Byte, Short, Integer, Long, Float, Double, Character, java.util.Date, Void, BigInteger,
     *     BigDecimal or Instant
     * @throws IllegalArgumentException for another type, a name that occurs twice, or counts that differ
     */
    public static OutputSchema<List<Object>> ofRow(List<String> names, List<Class<?>> types) {
        RowFields fields = RowFields.of(names, types);
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("form", "row");
        frame.put("names", fields.names());
        frame.put("types", fields.typeNames());
        return new OutputSchema<>(frame, fields.toString(), answer -> fields.convert(answer.values()));
    }

    static Map<String, Object> documentFrame(String name, String text) {
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("form", "json");
        if (name != null) {
            frame.put("name", name);
        }
        frame.put("text", text);
        return frame;
    }

    /** The same schema whose answers become something else. What {@code mapping} throws makes the answer an invalid output. */
    public <R> OutputSchema<R> map(Function<? super T, ? extends R> mapping) {
        Objects.requireNonNull(mapping, "mapping");
        return new OutputSchema<>(frame, label, answer -> {
            T value = reader.read(answer);
            try {
                return mapping.apply(value);
            } catch (RuntimeException e) {
                throw new ChatModelException(
                        ErrorKind.INVALID_OUTPUT,
                        "The answer fits " + label + ", but the function that maps it failed with "
                                + e.getClass().getName(),
                        Map.of(),
                        e);
            }
        });
    }

    /** The schema's name on the wire: class name, document title or {@code schema}, in the characters that providers take. */
    public String name() {
        return MessageFrames.text(texts(), "name");
    }

    /** The schema as the prompt shows it: JSON Schema text, or a row's string form where it has none. */
    public String text() {
        return MessageFrames.text(texts(), "text");
    }

    /** What a prompt has to say so that the answer fits: one constant instruction and the {@link #text}. */
    public String instruction() {
        return MessageFrames.text(texts(), "instruction");
    }

    /**
     * Reads an answer's text: a fence around it is removed, the JSON is checked against the schema, and becomes a {@code T}.
     *
     * @throws ChatModelException kind INVALID_OUTPUT, with the JSON Pointer of the first violation in the details
     */
    public T read(String answerText) throws ChatModelException {
        NativeLibrary.load();
        FrameWriter request = new FrameWriter();
        request.map(2).key("schema").value(frame).key("text").text(Objects.requireNonNull(answerText, "answerText"));
        return read(Answer.of(NativeErrors.result(Native.readAnswer(request.toBytes()))));
    }

    T read(Answer answer) throws ChatModelException {
        return reader.read(answer);
    }

    /** The {@code SCHEMA} of docs/boundary.md. */
    Map<String, Object> frame() {
        return frame;
    }

    private Map<String, Object> texts() {
        Map<String, Object> known = texts;
        if (known == null) {
            NativeLibrary.load();
            known = NativeErrors.resultUnchecked(Native.schemaText(Frames.pack(Map.of("schema", frame))));
            texts = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return "OutputSchema[" + label + "]";
    }
}
