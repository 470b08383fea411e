package io.github.flinkagentsnative;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Map;

/** An output schema from a Java type: victools writes it, from what Jackson would read. */
final class ClassSchema {

    private ClassSchema() {}

    /**
     * @throws IllegalArgumentException when the type holds something that no schema and reader agree on
     */
    static OutputSchema<?> derive(Type type) {
        ObjectMapper mapper = AnswerMapper.create();
        JavaType javaType = mapper.constructType(type);
        String text = ClassSchemaGenerator.generate(mapper, type);
        String name = javaType.getRawClass().getSimpleName();
        ObjectReader reader = mapper.readerFor(javaType);
        return new OutputSchema<>(
                OutputSchema.documentFrame(name, text),
                javaType.getRawClass().getName(),
                answer -> read(reader, answer, javaType));
    }

    private static Object read(ObjectReader reader, Answer answer, JavaType type) throws ChatModelException {
        try {
            return reader.readValue(answer.json());
        } catch (InvalidDefinitionException e) {
            throw new ChatModelException(
                    ErrorKind.CONFIGURATION,
                    "Jackson cannot make a " + type.getRawClass().getName() + ": " + e.getOriginalMessage(),
                    Map.of(),
                    e);
        } catch (JsonMappingException e) {
            throw misfit(pointer(e), e);
        } catch (JsonProcessingException e) {
            throw misfit("", e);
        } catch (IOException e) {
            throw new IllegalStateException("Reading bytes from memory failed", e);
        } catch (RuntimeException e) {
            // A class that refuses the value in a way that Jackson does not know, such as DateTimeException.
            throw new ChatModelException(
                    ErrorKind.INVALID_OUTPUT,
                    "The answer cannot be read as " + type.getRawClass().getName() + ": "
                            + e.getClass().getName() + ".",
                    Map.of("pointer", ""));
        }
    }

    /** Jackson's own message repeats the value, so neither it nor the exception goes on. */
    private static ChatModelException misfit(String pointer, JsonProcessingException failure) {
        Class<?> target = failure instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        String message = "The answer's value at " + (pointer.isEmpty() ? "the root" : pointer) + " does not fit "
                + (target == null ? "its Java type" : "the Java type " + target.getName()) + ".";
        return new ChatModelException(ErrorKind.INVALID_OUTPUT, message, Map.of("pointer", pointer));
    }

    private static String pointer(JsonMappingException failure) {
        StringBuilder pointer = new StringBuilder();
        for (JsonMappingException.Reference step : failure.getPath()) {
            String name = step.getFieldName() != null
                    ? JsonValues.escape(step.getFieldName())
                    : String.valueOf(step.getIndex());
            pointer.append('/').append(name);
        }
        return pointer.toString();
    }
}
