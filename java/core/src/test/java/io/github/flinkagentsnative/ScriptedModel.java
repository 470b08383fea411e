package io.github.flinkagentsnative;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A model whose answers stand in a script; it keeps what it was asked. */
final class ScriptedModel implements ModelCaller {

    /** One call. */
    record Asked(ChatRequest request, OutputSchema<?> schema) {
        String lastText() {
            return request.messages().get(request.messages().size() - 1).text();
        }
    }

    final List<Asked> asked = Collections.synchronizedList(new ArrayList<>());
    private final Deque<Object> script = new ArrayDeque<>();
    private StructuredOutputDecision decision;

    /** A {@link ChatResult}, a {@link Throwable} to fail with, or a future. */
    synchronized ScriptedModel then(Object answer) {
        script.add(answer);
        return this;
    }

    ScriptedModel thenText(String text) {
        return then(text(text));
    }

    ScriptedModel decides(boolean natively) {
        decision = new StructuredOutputDecision(
                natively ? NativeStructuredOutputSupport.NATIVE_RECOMMENDED : NativeStructuredOutputSupport.FEASIBLE,
                StructuredOutputStrategy.AUTO,
                natively,
                List.of(),
                "2026-11",
                "Bag",
                null);
        return this;
    }

    static ChatResult text(String text) {
        return new ChatResult(ChatMessage.assistant(text), "m", "r-1", new TokenUsage(10L, 5L), "stop", Map.of());
    }

    static ChatResult toolCall(String id, String name) {
        ToolCallBlock call = new ToolCallBlock(id, name, Map.of("q", 1));
        return new ChatResult(new ChatMessage(MessageRole.ASSISTANT, List.of(call)));
    }

    @Override
    public StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) {
        if (decision == null) {
            throw new IllegalStateException("nobody was to ask");
        }
        return decision;
    }

    @Override
    @SuppressWarnings("unchecked")
    public synchronized CompletableFuture<ChatResult> call(ChatRequest request, OutputSchema<?> schema) {
        asked.add(new Asked(request, schema));
        Object answer = script.isEmpty() ? new AssertionError("one call too many") : script.remove();
        if (answer instanceof Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
        return answer instanceof CompletableFuture<?> future
                ? (CompletableFuture<ChatResult>) future
                : CompletableFuture.completedFuture((ChatResult) answer);
    }
}
