package io.github.flinkagentsnative.example;

/**
 * One line of the input file.
 *
 * @param file the file's name
 * @param number the line's number, from 1
 * @param text the line without its end; null when it is no text
 * @param problem why it is no text; null when it is
 */
public record Line(String file, long number, String text, String problem) {

    /** Names the line in messages and outcomes, for example {@code messages.jsonl:12}. */
    public String place() {
        return file + ":" + number;
    }
}
