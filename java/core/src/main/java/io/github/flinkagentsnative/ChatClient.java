package io.github.flinkagentsnative;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends a model's requests and brings back answers. Thread-safe; one client serves a whole task. It never repeats a call.
 *
 * <p>{@link #chat} gives the provider's answer or throws; {@link #ask} gives a typed, final {@link ChatOutcome} whatever happened.
 *
 * <p>A thread that waits can be interrupted: the call is cancelled, and {@link InterruptedException} is thrown <em>with the
 * thread's interrupt flag set</em>, so that code which swallows the exception still ends. Cancelling a future cancels its call. What
 * follows a future runs on threads of this library unless an {@code ...Async} method says otherwise; it may block.
 */
public final class ChatClient implements AutoCloseable {

    private static final int MIN_HEADER_SECRET = 8;

    private final ChatModel model;
    private final TransportOptions options;
    private final List<Secret> transportSecrets;
    private final List<Secret> headerSecrets;
    private final CallRuntime runtime;
    private final long client;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ChatClient(ChatModel model, TransportOptions options, CallRuntime.Opened opened) {
        this.model = model;
        this.options = options;
        this.transportSecrets = options.secrets();
        this.headerSecrets = headerSecrets(model);
        this.runtime = opened.runtime();
        this.client = opened.client();
    }

    /** Values of the user's own headers that may be keys; short ones are words, and would be hidden everywhere. */
    private static List<Secret> headerSecrets(ChatModel model) {
        return model.defaultHeaders().values().stream()
                .map(String::valueOf)
                .filter(value ->
                        value.length() >= MIN_HEADER_SECRET && value.chars().allMatch(c -> c > 0x20 && c <= 0x7e))
                .map(value -> Secret.of("default_headers", value))
                .toList();
    }

    /** A client with default options. */
    public static ChatClient open(ChatModel model) {
        return open(model, TransportOptions.defaults());
    }

    /**
     * A client.
     *
     * @throws ChatConfigurationException for settings of the model and options that cannot work, such as a CA file that cannot be read
     * @throws UnsatisfiedLinkError if the native library cannot be loaded
     */
    public static ChatClient open(ChatModel model, TransportOptions options) {
        Objects.requireNonNull(model, "model");
        NativeLibrary.load();
        model.decide(null, null); // wrong settings are told now, and not with each call
        return new ChatClient(model, options, CallRuntime.open(options.openFrame()));
    }

    /**
     * The provider's answer. A refusal or a cut answer is an answer too: see its metadata and finish reason.
     *
     * @throws IllegalArgumentException for what the provider cannot carry, before anything is sent
     * @throws ChatModelException for every other failure
     * @throws InterruptedException if the thread is interrupted, with its flag set
     */
    public ChatResult chat(ChatRequest request) throws ChatModelException, InterruptedException {
        return chat(request, null);
    }

    /** As {@link #chat(ChatRequest)}, with an output schema that the answer is asked for, but not checked against. */
    public ChatResult chat(ChatRequest request, OutputSchema<?> schema)
            throws ChatModelException, InterruptedException {
        rejectInterrupted();
        Sent sent = send(model.buildRequest(request, schema), request.timeout());
        return result(sent, await(sent));
    }

    /**
     * As {@link #chat(ChatRequest)}, without waiting. Whatever fails, also before sending, is in the future: argument errors and
     * {@link ChatModelException} as they are, which {@code get} wraps once.
     */
    public CompletableFuture<ChatResult> chatAsync(ChatRequest request) {
        return chatAsync(request, null);
    }

    /** As {@link #chatAsync(ChatRequest)}, with an output schema that the answer is asked for, but not checked against. */
    public CompletableFuture<ChatResult> chatAsync(ChatRequest request, OutputSchema<?> schema) {
        CompletableFuture<ChatResult> future = new CompletableFuture<>();
        try {
            Sent sent = send(model.buildRequest(request, schema), request.timeout());
            whenAnswered(sent, future, () -> future.complete(result(sent, await(sent))));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            future.completeExceptionally(e);
        } catch (ChatModelException | RuntimeException e) {
            future.completeExceptionally(e);
        }
        return future;
    }

    /**
     * One call and its outcome: SUCCESS with the typed answer, or FAILED, also for arguments that cannot be sent.
     *
     * @param schema null gives an outcome without a typed answer
     * @throws InterruptedException if the thread is interrupted, with its flag set
     */
    public <T> ChatOutcome<T> ask(ChatRequest request, OutputSchema<T> schema) throws InterruptedException {
        Objects.requireNonNull(request, "request");
        Attempt<T> attempt = new Attempt<>(schema);
        try {
            rejectInterrupted();
            attempt.send(request);
            return attempt.outcome();
        } catch (ChatModelException | RuntimeException e) {
            return attempt.failed(e);
        }
    }

    /** As {@link #ask}, without waiting. The future fails only when it is cancelled, and for an {@link Error}. */
    public <T> CompletableFuture<ChatOutcome<T>> askAsync(ChatRequest request, OutputSchema<T> schema) {
        Objects.requireNonNull(request, "request");
        CompletableFuture<ChatOutcome<T>> future = new CompletableFuture<>();
        Attempt<T> attempt = new Attempt<>(schema);
        try {
            attempt.send(request);
            whenAnswered(attempt.sent, future, () -> future.complete(attempt.outcome()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            future.completeExceptionally(e);
        } catch (ChatModelException | RuntimeException e) {
            future.complete(attempt.failed(e));
        } catch (Error e) {
            future.completeExceptionally(e);
        }
        return future;
    }

    ChatModel model() {
        return model;
    }

    /** Ends the client. Calls in flight fail with kind {@link ErrorKind#CLOSED}, as later ones do. Closing twice is no error. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            runtime.close(client);
        }
    }

    @Override
    public String toString() {
        return "ChatClient[" + model + ", " + (closed.get() ? "closed" : "open") + "]";
    }

    /** A call that has been handed over, and every secret that an error text about it might repeat. */
    private record Sent(HttpCall call, CallRuntime.PendingCall pending, List<Secret> secrets, Secret credential) {}

    /** What {@link #ask} does, in parts that the waiting and the other form share. */
    private final class Attempt<T> {
        private final long start = System.nanoTime();
        private final OutputSchema<T> schema;
        private HttpCall call;
        private Sent sent;

        Attempt(OutputSchema<T> schema) {
            this.schema = schema;
        }

        void send(ChatRequest request) throws ChatModelException, InterruptedException {
            call = model.buildRequest(request, schema);
            sent = ChatClient.this.send(call, request.timeout());
        }

        ChatOutcome<T> outcome() throws InterruptedException {
            try {
                HttpAnswer answer = await(sent);
                return finished(model.settle(call, schema, answer.status(), answer.headers(), answer.body())
                        .hiding(sent.secrets()));
            } catch (ChatModelException | RuntimeException e) {
                return failed(e);
            }
        }

        ChatOutcome<T> failed(Exception failure) {
            ChatOutcome<T> outcome = ChatOutcome.failed(failure);
            return finished(call == null ? outcome : outcome.withDecision(call.decision()));
        }

        private ChatOutcome<T> finished(ChatOutcome<T> outcome) {
            return outcome.withElapsed(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /** Hands a call over. */
    private Sent send(HttpCall call, Duration timeout) throws ChatModelException, InterruptedException {
        if (closed.get()) {
            throw CallRuntime.closed();
        }
        List<Secret> secrets = new ArrayList<>(transportSecrets);
        secrets.addAll(headerSecrets);
        Secret credential = null;
        HttpCall.AwsScope scope = call.awsScope();
        FrameWriter frame = new FrameWriter(call.bodyBytes().length + 1024)
                .map(scope == null ? 6 : 7)
                .key("method")
                .text(call.method())
                .key("url")
                .text(call.url().toString())
                .key("headers")
                .value(call.headers())
                .key("body")
                .bytes(call.bodyBytes())
                .key("timeout_ms")
                .integer(TransportOptions.milliseconds(timeout == null ? options.timeout() : timeout))
                .key("secret_headers");
        if (scope != null) {
            AwsKeys keys = awsKeys();
            secrets.addAll(keys.secrets());
            frame.map(0).key("aws_sigv4").value(signing(scope, keys));
        } else if (call.authHeader() == null) {
            frame.map(0);
        } else {
            credential = credential();
            secrets.add(credential);
            frame.map(1).key(call.authHeader()).text(call.authPrefix() + credential.reveal());
        }
        return new Sent(call, runtime.submit(client, frame.toBytes()), secrets, credential);
    }

    private static Map<String, Object> signing(HttpCall.AwsScope scope, AwsKeys keys) {
        Map<String, Object> signing = new LinkedHashMap<>();
        signing.put("region", scope.region());
        signing.put("service", scope.service());
        signing.put("access_key_id", keys.accessKeyId().reveal());
        signing.put("secret_access_key", keys.secretAccessKey().reveal());
        if (keys.sessionToken() != null) {
            signing.put("session_token", keys.sessionToken().reveal());
        }
        return signing;
    }

    /** The key for this call. */
    private Secret credential() throws ChatModelException, InterruptedException {
        CredentialSupplier supplier = model.credentials();
        if (supplier == null) {
            throw new ChatConfigurationException(
                    "Setting 'api_key' is missing; set it, or choose keyless() for a server that wants none");
        }
        return supplied(supplier::get, "credential supplier", supplier instanceof WatsonxCredentials);
    }

    /** The AWS keys for this call. */
    private AwsKeys awsKeys() throws ChatModelException, InterruptedException {
        AwsCredentials supplier = model.awsCredentials();
        if (supplier == null) {
            throw new ChatConfigurationException("AWS keys are missing; set them with awsCredentials(...)");
        }
        return supplied(supplier::get, "supplier of AWS keys", false);
    }

    /**
     * What a supplier says in its failure is not repeated: it may hold the secret. The library's own names none, and its kind tells
     * whether a repeat may help.
     */
    private static <T> T supplied(Callable<T> supplier, String name, boolean own)
            throws ChatModelException, InterruptedException {
        T secret;
        try {
            secret = supplier.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw e;
        } catch (ChatConfigurationException e) {
            throw e;
        } catch (Exception e) {
            if (own && e instanceof ChatModelException failure) {
                throw failure;
            }
            throw new ChatConfigurationException(
                    "The " + name + " failed with " + e.getClass().getName()
                            + "; its message is left out because it may hold a secret. Check the supplier that was set");
        }
        if (secret == null) {
            throw new ChatConfigurationException("The " + name + " returned null; it must return a secret");
        }
        return secret;
    }

    private ChatResult result(Sent sent, HttpAnswer answer) throws ChatModelException {
        try {
            return model.parseResponse(sent.call(), answer.status(), answer.headers(), answer.body());
        } catch (ChatModelException e) {
            throw NativeErrors.redact(e, sent.secrets());
        }
    }

    /** Waits for a call; an interrupt cancels it. */
    private HttpAnswer await(Sent sent) throws ChatModelException, InterruptedException {
        try {
            HttpAnswer answer = sent.pending().get();
            if (answer.status() == 401 && model.credentials() instanceof WatsonxCredentials tokens) {
                tokens.forget(sent.credential());
            }
            return answer;
        } catch (InterruptedException e) {
            runtime.cancel(sent.pending());
            Thread.currentThread().interrupt();
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ChatModelException failure) {
                throw NativeErrors.redact(failure, sent.secrets());
            }
            // Configuration and frame errors; the native side puts no secret into its own words.
            throw (RuntimeException) e.getCause();
        }
    }

    private static void rejectInterrupted() throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("The thread was interrupted before the call was sent");
        }
    }

    /** Reads an answer. */
    private interface Reading {
        void run() throws ChatModelException, InterruptedException;
    }

    /** Once the answer is there, reads it away from the waiting thread; a cancelled future cancels its call. */
    private void whenAnswered(Sent sent, CompletableFuture<?> future, Reading reading) {
        future.whenComplete((value, failure) -> {
            if (future.isCancelled()) {
                runtime.cancel(sent.pending());
            }
        });
        sent.pending()
                .whenComplete((answer, failure) -> runtime.dispatch(() -> {
                    try {
                        reading.run();
                    } catch (Throwable e) {
                        future.completeExceptionally(e);
                    }
                }));
    }
}
