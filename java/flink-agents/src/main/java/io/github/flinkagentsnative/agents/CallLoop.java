package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatClient;
import io.github.flinkagentsnative.ChatExecutor;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatModelException;
import io.github.flinkagentsnative.ChatOutcome;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ChatResult;
import io.github.flinkagentsnative.ModelCaller;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.RetryOn;
import io.github.flinkagentsnative.StructuredOutputDecision;
import io.github.flinkagentsnative.TransportOptions;
import io.github.flinkagentsnative.UnsupportedContentBlockException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls of one open connection. Each goes through the library's one retry loop; the run behind it is shown only that an answer came,
 * because a refusal, a cut answer or a tool call is the caller's business here.
 */
final class CallLoop implements AutoCloseable {

    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(8);
    private static final ChatResult ANSWERED = new ChatResult(ChatMessage.assistant("answered"));

    private final String owner;
    private final ChatModel model;
    private final ChatClient client;
    private final int maxRetries;
    private final Set<ChatExecutor> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    CallLoop(String owner, ChatModel model, TransportOptions options, int maxRetries) {
        this.owner = owner;
        this.model = model;
        this.client = ChatClient.open(model, options);
        this.maxRetries = maxRetries;
    }

    ChatClient client() {
        return client;
    }

    /**
     * The provider's answer, whatever it holds.
     *
     * @throws ChatCallException for a failure that no retry has mended
     * @throws CancellationException if the thread is interrupted, with its flag set
     * @throws IllegalStateException when the connection is closed, also during the call
     */
    ChatResult call(ChatRequest request, OutputSchema<?> schema) {
        OneCall call = new OneCall(request, schema);
        try (ChatExecutor executor = ChatExecutor.builder(call)
                .maxRetries(maxRetries)
                .retryWaitInterval(FIRST_WAIT)
                .maxRetryWait(LONGEST_WAIT)
                .retryOn(RetryOn.RETRYABLE)
                .build()) {
            running.add(executor);
            try {
                if (closed) {
                    throw closed(null);
                }
                ChatOutcome<?> outcome = executor.execute("call", ChatRequest.of(), null);
                return call.answer(outcome);
            } finally {
                running.remove(executor);
            }
        } catch (InterruptedException e) {
            CancellationException cancelled = new CancellationException("The call of " + owner + " was interrupted");
            cancelled.initCause(e);
            throw cancelled;
        } catch (IllegalStateException e) {
            throw closed ? closed(e) : e;
        }
    }

    private IllegalStateException closed(Throwable cause) {
        return new IllegalStateException("The connection " + owner + " was closed; open a new one.", cause);
    }

    /** Calls that are under way end with {@link IllegalStateException}, also those that wait for a retry. */
    @Override
    public void close() {
        closed = true;
        running.forEach(ChatExecutor::close);
        client.close();
    }

    /** Sends the same request in each attempt, and keeps what came of the last one. */
    private final class OneCall implements ModelCaller {
        private final ChatRequest request;
        private final OutputSchema<?> schema;
        private volatile ChatResult result;
        private volatile Throwable failure;

        OneCall(ChatRequest request, OutputSchema<?> schema) {
            this.request = request;
            this.schema = schema;
        }

        @Override
        public StructuredOutputDecision decide(ChatRequest asked, OutputSchema<?> askedSchema) {
            return model.decide(asked, askedSchema);
        }

        @Override
        public CompletableFuture<ChatResult> call(ChatRequest asked, OutputSchema<?> askedSchema) {
            CompletableFuture<ChatResult> sent = client.chatAsync(request, schema);
            CompletableFuture<ChatResult> seen = sent.handle((answer, failed) -> {
                result = answer;
                failure = failed;
                if (failed != null) {
                    throw failed instanceof CompletionException wrapped ? wrapped : new CompletionException(failed);
                }
                return ANSWERED;
            });
            seen.whenComplete((answer, failed) -> {
                if (seen.isCancelled()) {
                    sent.cancel(true);
                }
            });
            return seen;
        }

        ChatResult answer(ChatOutcome<?> outcome) {
            if (outcome.isSuccess()) {
                return result;
            }
            Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
            if (cause instanceof ChatModelException failed) {
                throw new ChatCallException(failed);
            } else if (cause instanceof UnsupportedContentBlockException unsupported) {
                throw (IllegalArgumentException)
                        new org.apache.flink.agents.api.chat.messages.UnsupportedContentBlockException(
                                        unsupported.getMessage())
                                .initCause(unsupported);
            } else if (cause instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IllegalStateException(outcome.error(), cause);
        }
    }
}
