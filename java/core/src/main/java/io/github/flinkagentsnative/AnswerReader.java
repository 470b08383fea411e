package io.github.flinkagentsnative;

/** Makes a value of an answer that has been checked against the schema. */
@FunctionalInterface
interface AnswerReader<T> {

    T read(Answer answer) throws ChatModelException;
}
