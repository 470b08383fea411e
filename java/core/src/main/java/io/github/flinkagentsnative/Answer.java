package io.github.flinkagentsnative;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * An answer that fits its schema: the {@code ANSWER} of docs/boundary.md.
 *
 * @param json the value as JSON in UTF-8, or null for a row
 * @param values a row's values in field order, or null
 */
record Answer(byte[] json, List<Object> values) {

    /**
     * @throws ChatModelException when the response arrived but is no typed answer
     */
    static Answer of(Map<String, Object> answer) throws ChatModelException {
        if (answer.get("failure") instanceof Map<?, ?> failure) {
            Exception exception = NativeErrors.exception(MessageFrames.object(failure));
            if (exception instanceof ChatModelException expected) {
                throw expected;
            }
            throw (RuntimeException) exception;
        }
        if (answer.get("json") instanceof byte[] json) {
            return new Answer(json, null);
        }
        if (answer.get("values") instanceof List<?> values) {
            return new Answer(null, Collections.unmodifiableList(values));
        }
        throw new IllegalStateException("The native library returned an answer without a value."
                + " This is a defect of flink-agents-native; please report it");
    }
}
