package io.github.flinkagentsnative;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Reads the native side's answers, and turns failures into exceptions and into the error text of outcomes. */
final class NativeErrors {

    /** Longest error text of an outcome, in UTF-16 units. */
    static final int MAX_ERROR_TEXT = 4096;

    private NativeErrors() {}

    /**
     * The result frame of an answer.
     *
     * @throws IllegalArgumentException for kinds invalid_argument, unsupported_block and configuration, each with its own class
     * @throws IllegalStateException for kind frame, and for an answer that is no frame
     * @throws ChatModelException for every other kind
     */
    static Map<String, Object> result(byte[] answer) throws ChatModelException {
        Map<String, Object> frame = new FrameReader(answer, 1).frame();
        if (answer[0] == Frames.STATUS_RESULT) {
            return frame;
        }
        if (answer[0] != Frames.STATUS_ERROR) {
            throw new IllegalStateException("The native library returned unknown status " + answer[0]
                    + ". This is a defect of flink-agents-native; please report it");
        }
        Exception failure = exception(frame);
        if (failure instanceof ChatModelException expected) {
            throw expected;
        }
        throw (RuntimeException) failure;
    }

    /**
     * The result frame of an operation that has no expected failure but wrong arguments and settings.
     *
     * @throws IllegalArgumentException as {@link #result}
     * @throws IllegalStateException for every other kind
     */
    static Map<String, Object> resultUnchecked(byte[] answer) {
        try {
            return result(answer);
        } catch (ChatModelException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** The exception for an error map {@code {kind, message, details}}: a {@link ChatModelException} or unchecked. */
    static Exception exception(Map<String, Object> error) {
        ErrorKind kind;
        try {
            kind = ErrorKind.of(String.valueOf(error.get("kind")));
        } catch (IllegalArgumentException e) {
            return new IllegalStateException(
                    "The native library returned an error of unknown kind: " + error.get("kind"), e);
        }
        String message = String.valueOf(error.get("message"));
        return switch (kind) {
            case INVALID_ARGUMENT -> new IllegalArgumentException(message);
            case UNSUPPORTED_BLOCK ->
                new UnsupportedContentBlockException(
                        message, MessageFrames.text(MessageFrames.object(error.get("details")), "path"));
            case CONFIGURATION -> new ChatConfigurationException(message);
            case JOURNAL -> new JournalException(message);
            case FRAME -> new IllegalStateException(message);
            default -> new ChatModelException(kind, message, details(error.get("details")));
        };
    }

    /** What kind a failure is, whatever its class. */
    static ErrorKind kindOf(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof ChatModelException expected) {
            return expected.kind();
        } else if (cause instanceof ChatConfigurationException) {
            return ErrorKind.CONFIGURATION;
        } else if (cause instanceof UnsupportedContentBlockException) {
            return ErrorKind.UNSUPPORTED_BLOCK;
        } else if (cause instanceof IllegalArgumentException) {
            return ErrorKind.INVALID_ARGUMENT;
        } else if (cause instanceof JournalException) {
            return ErrorKind.JOURNAL;
        }
        return ErrorKind.FRAME;
    }

    /** What is known about a failure, for programs. */
    static Map<String, Object> detailsOf(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof UnsupportedContentBlockException unsupported && unsupported.path() != null) {
            return Map.of("path", unsupported.path());
        }
        return cause instanceof ChatModelException expected ? expected.details() : Map.of();
    }

    /**
     * The error text of an outcome: fully qualified class name, colon, message, at most {@link #MAX_ERROR_TEXT} characters
     * (apache/flink-agents PR 1149). A rejected finish reason is named as the {@code IllegalStateException} that upstream
     * throws for it.
     */
    static String errorText(Throwable failure) {
        Throwable cause = unwrap(failure);
        String type = cause instanceof ChatModelException expected && isRejectedFinishReason(expected.kind())
                ? IllegalStateException.class.getName()
                : cause.getClass().getName();
        return cut(Texts.wellFormed(type + ": " + cause.getMessage()));
    }

    private static boolean isRejectedFinishReason(ErrorKind kind) {
        return kind == ErrorKind.TRUNCATED || kind == ErrorKind.CONTENT_FILTER;
    }

    /** The first {@link #MAX_ERROR_TEXT} UTF-16 units, never half a character. */
    static String cut(String text) {
        if (text == null || text.length() <= MAX_ERROR_TEXT) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_ERROR_TEXT - 1)) ? MAX_ERROR_TEXT - 1 : MAX_ERROR_TEXT;
        return text.substring(0, end);
    }

    /** What wrappers hold, as long as that is an {@link Exception}. */
    static Throwable unwrap(Throwable failure) {
        Throwable current = failure;
        while ((current instanceof InvocationTargetException
                        || current instanceof ExecutionException
                        || current instanceof CompletionException)
                && current.getCause() instanceof Exception cause) {
            current = cause;
        }
        return current;
    }

    /** The same text with every secret replaced. Providers like to repeat the key they refuse. */
    static String redact(String text, List<Secret> secrets) {
        String clean = text;
        for (Secret secret : secrets) {
            clean = secret.hideIn(clean);
        }
        return clean;
    }

    /** The same value with every secret in its texts replaced; maps and lists are copied. */
    static Object redact(Object value, List<Secret> secrets) {
        if (value instanceof String text) {
            return redact(text, secrets);
        } else if (value instanceof Map<?, ?> map) {
            Map<Object, Object> clean = new LinkedHashMap<>();
            map.forEach((key, member) -> clean.put(redact(key, secrets), redact(member, secrets)));
            return clean;
        } else if (value instanceof List<?> list) {
            List<Object> clean = new ArrayList<>(list.size());
            list.forEach(item -> clean.add(redact(item, secrets)));
            return clean;
        }
        return value;
    }

    /** The same failure, raised here, with every secret in its message and details replaced. */
    static ChatModelException redact(ChatModelException failure, List<Secret> secrets) {
        return new ChatModelException(
                failure.kind(),
                redact(failure.getMessage(), secrets),
                details(redact((Object) failure.details(), secrets)),
                failure.getCause());
    }

    private static Map<String, Object> details(Object details) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (details instanceof Map<?, ?> map) {
            map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        }
        return copy;
    }
}
