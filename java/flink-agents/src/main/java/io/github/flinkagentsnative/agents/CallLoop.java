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
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls of one open connection. Each goes through the library's one retry loop; the run behind it is shown only that an answer came,
 * because a refusal, a cut answer or a tool call is the caller's business here.
 */
final class CallLoop implements AutoCloseable {

    private static final int UNAUTHORIZED = 401;
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(8);
    private static final ChatResult ANSWERED = new ChatResult(ChatMessage.assistant("answered"));

    /** The one parameter of a run's request: which call it stands for. */
    private static final String CALL = "call";

    private final String owner;
    private final boolean renewing;
    private final ChatClient client;
    private final ChatExecutor executor;
    private final Map<Long, OneCall> calls = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private volatile boolean closed;

    /** @param renewing a call that is refused with 401 is made once more: its token was dropped, and the next one is new */
    CallLoop(String owner, ChatModel model, TransportOptions options, int maxRetries, boolean renewing) {
        this.owner = owner;
        this.renewing = renewing;
        client = ChatClient.open(model, options);
        executor = ChatExecutor.builder(new Sender(model))
                .maxRetries(maxRetries)
                .retryWaitInterval(FIRST_WAIT)
                .maxRetryWait(LONGEST_WAIT)
                .retryOn(RetryOn.RETRYABLE)
                .build();
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
        long id = lastId.incrementAndGet();
        OneCall call = new OneCall(request, schema);
        calls.put(id, call);
        try {
            ChatRequest run = ChatRequest.builder().parameter(CALL, id).build();
            return call.answer(executor.execute(CALL + id, run, null));
        } catch (InterruptedException e) {
            CancellationException cancelled = new CancellationException("The call of " + owner + " was interrupted");
            cancelled.initCause(e);
            throw cancelled;
        } catch (IllegalStateException e) {
            throw closed ? closed(e) : e;
        } finally {
            calls.remove(id);
        }
    }

    private IllegalStateException closed(Throwable cause) {
        return new IllegalStateException("The connection " + owner + " was closed; open a new one.", cause);
    }

    /** Calls that are under way end with {@link IllegalStateException}, also those that wait for a retry. */
    @Override
    public void close() {
        closed = true;
        executor.close();
        client.close();
    }

    /** Sends the call that a run stands for. */
    private final class Sender implements ModelCaller {
        private final ChatModel model;

        Sender(ChatModel model) {
            this.model = model;
        }

        @Override
        public StructuredOutputDecision decide(ChatRequest run, OutputSchema<?> none) {
            return model.decide(null, none);
        }

        @Override
        public CompletableFuture<ChatResult> call(ChatRequest run, OutputSchema<?> none) {
            OneCall call = calls.get(((Number) run.parameters().get(CALL)).longValue());
            if (call == null) {
                throw new CancellationException("The call is over");
            }
            return call.send(client, renewing);
        }
    }

    /** The same request in each attempt, and what came of the last one. */
    private static final class OneCall {
        private final ChatRequest request;
        private final OutputSchema<?> schema;
        private volatile ChatResult result;
        private volatile Throwable failure;

        OneCall(ChatRequest request, OutputSchema<?> schema) {
            this.request = request;
            this.schema = schema;
        }

        /** @param renewing whether a token that the service refuses may be replaced, once */
        CompletableFuture<ChatResult> send(ChatClient client, boolean renewing) {
            CompletableFuture<ChatResult> seen = new CompletableFuture<>();
            send(client, renewing, seen);
            return seen;
        }

        private void send(ChatClient client, boolean renewing, CompletableFuture<ChatResult> seen) {
            CompletableFuture<ChatResult> sent = client.chatAsync(request, schema);
            seen.whenComplete((answer, failed) -> {
                if (seen.isCancelled()) {
                    sent.cancel(true);
                }
            });
            sent.whenComplete((answer, failed) -> {
                if (renewing && isUnauthorized(failed) && !seen.isDone()) {
                    again(client, seen);
                    return;
                }
                result = answer;
                failure = failed;
                if (failed == null) {
                    seen.complete(ANSWERED);
                } else {
                    seen.completeExceptionally(failed);
                }
            });
        }

        /** Whatever happens here, somebody waits for {@code seen}. */
        private void again(ChatClient client, CompletableFuture<ChatResult> seen) {
            try {
                send(client, false, seen);
            } catch (Throwable e) {
                failure = e;
                seen.completeExceptionally(e);
            }
        }

        private static boolean isUnauthorized(Throwable failed) {
            return failed instanceof ChatModelException refused
                    && refused.status() != null
                    && refused.status() == UNAUTHORIZED;
        }

        ChatResult answer(ChatOutcome<?> outcome) {
            if (outcome.isSuccess()) {
                return result;
            }
            Throwable cause = failure;
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
