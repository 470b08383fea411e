package io.github.flinkagentsnative;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON that the native side writes into Java values with exact numbers (see {@link JsonValues}).
 *
 * <p>The native side has parsed and checked it before, so anything else is a defect of this library and an
 * {@link IllegalStateException} with the offset.
 */
final class JsonReader {

    /** Levels of arrays and objects; the native side allows no more. */
    private static final int MAX_DEPTH = 128;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    static Object read(byte[] json) {
        JsonReader reader = new JsonReader(new String(json, StandardCharsets.UTF_8));
        Object value = reader.value(0);
        reader.skipSpace();
        if (reader.at != reader.text.length()) {
            throw reader.broken("text after the value");
        }
        return value;
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw broken("more than " + MAX_DEPTH + " levels");
        }
        skipSpace();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> literal("true", Boolean.TRUE);
            case 'f' -> literal("false", Boolean.FALSE);
            case 'n' -> literal("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        if (next('}')) {
            return members;
        }
        do {
            skipSpace();
            String key = string();
            expect(':');
            members.put(key, value(depth + 1));
        } while (next(','));
        expect('}');
        return members;
    }

    private List<Object> array(int depth) {
        List<Object> items = new ArrayList<>();
        at++;
        if (next(']')) {
            return items;
        }
        do {
            items.add(value(depth + 1));
        } while (next(','));
        expect(']');
        return items;
    }

    private String string() {
        expect('"');
        int start = at;
        while (peek() != '"' && peek() != '\\') {
            at++;
        }
        if (peek() == '"') {
            return text.substring(start, at++);
        }
        StringBuilder unescaped = new StringBuilder(text.substring(start, at));
        while (peek() != '"') {
            char c = text.charAt(at++);
            unescaped.append(c == '\\' ? escaped() : c);
        }
        at++;
        return unescaped.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw broken("an unknown escape");
        };
    }

    private char unicode() {
        if (at + 4 > text.length()) {
            throw broken("a cut escape");
        }
        int code = 0;
        for (int end = at + 4; at < end; at++) {
            int digit = Character.digit(text.charAt(at), 16);
            if (digit < 0) {
                throw broken("an unknown escape");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Object literal(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw broken("an unknown word");
        }
        at += word.length();
        return value;
    }

    private Object number() {
        int start = at;
        boolean integer = true;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            char c = text.charAt(at++);
            integer &= c == '-' || c >= '0' && c <= '9';
        }
        if (at == start) {
            throw broken("no value");
        }
        String digits = text.substring(start, at);
        try {
            if (integer) {
                return digits.length() < 19
                        ? JsonValues.integer(Long.parseLong(digits))
                        : JsonValues.integer(new BigInteger(digits));
            }
            return new BigDecimal(digits);
        } catch (NumberFormatException e) {
            throw broken("no number");
        }
    }

    private boolean next(char expected) {
        skipSpace();
        boolean found = peek() == expected;
        if (found) {
            at++;
        }
        return found;
    }

    private void expect(char expected) {
        if (!next(expected)) {
            throw broken("no " + expected);
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw broken("the end");
        }
        return text.charAt(at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalStateException broken(String what) {
        return new IllegalStateException("The native library's JSON has " + what + " at offset " + at
                + ". This is a defect of flink-agents-native; please report it");
    }
}
