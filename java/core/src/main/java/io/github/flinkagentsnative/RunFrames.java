package io.github.flinkagentsnative;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The steps of a run as frames: {@code RUN}, {@code EVENT} and {@code ACTION} of docs/boundary.md. */
final class RunFrames {

    private RunFrames() {}

    /** The member {@code run} of each step's frame: packed once. */
    static byte[] run(ChatExecutor executor, UUID runId, ChatRequest request, OutputSchema<?> schema) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("run_id", runId.toString());
        if (executor.journal != null) {
            run.put("input", digest(request, schema));
        }
        run.put("history", shape(request.messages()));
        run.put("strategy", request.strategy().name());
        run.put("model", executor.model);
        run.put("max_retries", executor.maxRetries);
        run.put("retry_interval_ms", executor.retryWaitInterval.toMillis());
        run.put("retry_max_wait_ms", executor.maxRetryWait.toMillis());
        run.put("retry_on", executor.retryOn.wireName());
        run.put("max_tool_rounds", executor.maxToolRounds);
        run.put("finalization", executor.finalization.wireName());
        run.put("tools", !request.tools().isEmpty());
        if (schema != null) {
            run.put("schema", schema.frame());
        }
        if (executor.reask != null) {
            run.put("reask", reask(executor.reask));
        }
        if (request.parameters().get("max_tokens") instanceof Integer limit) {
            run.put("max_tokens", limit);
        }
        if (executor.router != null) {
            run.put("router", executor.router.frame());
        }
        return Frames.packMember("run", run);
    }

    private static Map<String, Object> reask(ReaskBudget budget) {
        Map<String, Object> reask = new LinkedHashMap<>();
        reask.put("attempts", budget.attempts());
        if (budget.maxTokens() != null) {
            reask.put("max_tokens", budget.maxTokens());
        }
        if (budget.maxElapsed() != null) {
            reask.put("max_ms", budget.maxElapsed().toMillis());
        }
        return reask;
    }

    /** One letter for each message. */
    private static String shape(List<ChatMessage> messages) {
        StringBuilder shape = new StringBuilder(messages.size());
        for (ChatMessage message : messages) {
            shape.append(
                    switch (message.role()) {
                        case SYSTEM -> 's';
                        case USER -> 'u';
                        case TOOL -> 't';
                        case ASSISTANT -> message.toolCalls().isEmpty() ? 'a' : 'c';
                    });
        }
        return shape.toString();
    }

    /** SHA-256 of what is asked: messages, tools, schema. */
    private static String digest(ChatRequest request, OutputSchema<?> schema) {
        FrameWriter asked = new FrameWriter(1024).map(3);
        try {
            writeMessages(asked.key("messages"), request.messages());
            asked.key("tools").array(request.tools().size());
            request.tools().forEach(tool -> MessageFrames.write(asked, tool));
            asked.key("schema").value(schema == null ? null : schema.frame());
        } catch (IllegalArgumentException e) {
            return ""; // no frame can hold it: the call will be refused, and says where
        }
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(asked.toBytes()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JVM lacks SHA-256, which every Java platform has to have", e);
        }
    }

    /** The first step. */
    static Map<String, Object> start(byte[] run, ChatExecutor executor, ChatRequest request) {
        FrameWriter frame = new FrameWriter(run.length + 256);
        frame.map(executor.router == null ? 1 : 2).member(run);
        if (executor.router != null) {
            writeMessages(frame.key("messages"), request.messages());
        }
        return step(frame);
    }

    private static void writeMessages(FrameWriter frame, List<ChatMessage> messages) {
        frame.array(messages.size());
        messages.forEach(message -> MessageFrames.write(frame, message));
    }

    /** The step after a record of the journal. */
    static Map<String, Object> replay(byte[] run, byte[] state, JournalRecord record) {
        FrameWriter frame = event(run, state, record.bytes().length).map(1);
        frame.key("record").map(2).key("key").text(record.key()).key("bytes").bytes(record.bytes());
        return step(frame);
    }

    /** The step after an event of plain values. */
    static Map<String, Object> accept(byte[] run, byte[] state, Map<String, Object> event) {
        return step(event(run, state, 256).value(event));
    }

    /** The step after an answer. */
    static Map<String, Object> answered(
            byte[] run, byte[] state, ChatResult result, ChatResult recorded, long elapsedMs) {
        FrameWriter frame = event(run, state, result.text().length());
        frame.map(recorded == null ? 2 : 3).key("elapsed_ms").integer(elapsedMs).key("result");
        MessageFrames.write(frame, result);
        if (recorded != null) {
            MessageFrames.write(frame.key("recorded"), recorded);
        }
        return step(frame);
    }

    /** The step after a tool's result. */
    static Map<String, Object> toolAnswered(byte[] run, byte[] state, ChatMessage message, long elapsedMs) {
        FrameWriter frame = event(run, state, 256).map(2).key("elapsed_ms").integer(elapsedMs);
        MessageFrames.write(frame.key("message"), message);
        return step(frame);
    }

    private static FrameWriter event(byte[] run, byte[] state, int room) {
        FrameWriter frame = new FrameWriter(run.length + state.length + room + 256);
        return frame.map(3).member(run).key("state").bytes(state).key("event");
    }

    private static Map<String, Object> step(FrameWriter frame) {
        return NativeErrors.resultUnchecked(Native.runStep(frame.toBytes()));
    }

    /** A failure of a call, for {@link #accept}. */
    static Map<String, Object> failed(Map<String, Object> failure, long elapsedMs, boolean started) {
        return Map.of("failure", failure, "elapsed_ms", elapsedMs, "started", started);
    }

    /** The {@code FAILURE} shape. */
    static Map<String, Object> failure(ErrorKind kind, String error, Map<String, Object> details) {
        return Map.of("kind", kind.wireName(), "error", error, "details", details);
    }

    static List<ChatAttempt> attempts(Object value) {
        List<ChatAttempt> attempts = new ArrayList<>();
        for (Object item : MessageFrames.list(value)) {
            Map<?, ?> attempt = (Map<?, ?>) item;
            String kind = MessageFrames.text(attempt, "kind");
            attempts.add(new ChatAttempt(
                    MessageFrames.text(attempt, "key"),
                    Boolean.TRUE.equals(attempt.get("reask")),
                    MessageFrames.text(attempt, "model"),
                    duration(attempt.get("wait_ms")),
                    duration(attempt.get("elapsed_ms")),
                    MessageFrames.text(attempt, "finish_reason"),
                    attempt.get("usage") instanceof Map<?, ?> usage ? MessageFrames.usage(usage) : null,
                    kind == null ? null : ErrorKind.of(kind),
                    MessageFrames.text(attempt, "error")));
        }
        return List.copyOf(attempts);
    }

    static void write(FrameWriter frame, List<ChatAttempt> attempts) {
        frame.array(attempts.size());
        for (ChatAttempt attempt : attempts) {
            frame.map(9)
                    .key("key")
                    .text(attempt.key())
                    .key("reask")
                    .bool(attempt.reask())
                    .key("model")
                    .text(attempt.model())
                    .key("wait_ms")
                    .integer(attempt.waited().toMillis())
                    .key("elapsed_ms")
                    .integer(attempt.elapsed().toMillis())
                    .key("finish_reason")
                    .text(attempt.finishReason())
                    .key("usage");
            MessageFrames.write(frame, attempt.usage());
            frame.key("kind")
                    .text(attempt.kind() == null ? null : attempt.kind().wireName())
                    .key("error")
                    .text(attempt.error());
        }
    }

    private static Duration duration(Object milliseconds) {
        return Duration.ofMillis(milliseconds instanceof Number number ? number.longValue() : 0);
    }
}
