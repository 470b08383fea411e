package io.github.flinkagentsnative;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Calls one model for a {@link ChatExecutor}. It makes each call once: repeating is the executor's business.
 *
 * <p>What a caller throws, or what its future fails with, is that call's failure, and is data from then on. Cancellation
 * ({@link InterruptedException}, {@link java.util.concurrent.CancellationException}), an {@link Error}, a closed client and a
 * {@link JournalException} are not: they end the run without an outcome.
 */
public interface ModelCaller {

    /** Whether there is a connection that can be asked about a schema (upstream #1215). */
    enum Binding {
        /** There is one: {@link ModelCaller#decide} answers. */
        BOUND,
        /** There is none: the schema goes into the prompt, and strategy NATIVE fails. */
        NONE,
        /** The model is reached across a language bridge, which carries no schema: as {@link #NONE}. */
        BRIDGE
    }

    /**
     * Which way {@code schema} would travel with a request of this model. Asked once for each run and candidate, before any call, with
     * the request's parameters and without tools.
     *
     * @throws Exception when it cannot be told; the model then counts as failed before any call
     */
    StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) throws Exception;

    /**
     * One call.
     *
     * @param request whole, with the messages, tools and parameters of this call
     * @param schema to be sent natively, or null: then nothing about a schema is added to the request
     * @return the answer, also a refusal or a cut one; cancelling the future cancels the call
     * @throws Exception for a call that was not made
     */
    CompletableFuture<ChatResult> call(ChatRequest request, OutputSchema<?> schema) throws Exception;

    default Binding binding() {
        return Binding.BOUND;
    }

    /** What messages about a missing connection call this model. */
    default String setupName() {
        return getClass().getName();
    }

    /** Calls through a client. Closing the client is the business of whoever opened it. */
    static ModelCaller of(ChatClient client) {
        Objects.requireNonNull(client, "client");
        return new ModelCaller() {
            @Override
            public StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) {
                return client.model().decide(request, schema);
            }

            @Override
            public CompletableFuture<ChatResult> call(ChatRequest request, OutputSchema<?> schema) {
                return client.chatAsync(request, schema);
            }

            @Override
            public String toString() {
                return "ModelCaller[" + client + "]";
            }
        };
    }
}
