package io.github.flinkagentsnative.flink;

import io.github.flinkagentsnative.ChatClient;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatOutcome;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.TransportOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;
import org.apache.flink.util.function.SerializableFunction;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * Asks a chat model once for each element and emits exactly one record for it, whatever happens.
 *
 * <pre>{@code
 * ChatFunction<String, Verdict, String> chat = ChatFunction.of(
 *         () -> ChatModel.builder(Provider.OPENAI).apiKey(System.getenv("OPENAI_API_KEY")).model("gpt-4o-mini").build(),
 *         text -> ChatRequest.of(ChatMessage.system("Classify the message."), ChatMessage.user(text)),
 *         () -> OutputSchema.of(Verdict.class),
 *         (text, outcome) -> outcome.toJson(UUID.randomUUID().toString()),
 *         Types.STRING);
 * AsyncDataStream.unorderedWait(texts, chat, 90, TimeUnit.SECONDS, 32);
 * }</pre>
 *
 * <p>A failure of the call (an error of the provider, a time-out, a broken answer, ...) is a FAILED outcome, and so is an element that the
 * request function refuses with an {@link IllegalArgumentException}. When Flink's own time-out for an element comes first, the call is
 * cancelled and the element gets a FAILED outcome of kind {@link ErrorKind#TIMEOUT}; give it more time than the call's deadline, which
 * says better what was slow. The job fails only for errors of another kind: in the configuration (when the function is opened), in the
 * user's own functions, in the JVM.
 *
 * <p>Model, schema and options come from suppliers that run on the task managers, so that nothing but the suppliers is serialized: no
 * key travels with the job when the supplier reads it from the environment.
 *
 * @param <IN> elements
 * @param <T> the answer's type
 * @param <OUT> records
 */
public final class ChatFunction<IN, T, OUT> extends RichAsyncFunction<IN, OUT> implements ResultTypeQueryable<OUT> {
    private static final long serialVersionUID = 1L;

    private final SerializableSupplier<ChatModel> model;
    private final SerializableSupplier<TransportOptions> options;
    private final SerializableFunction<IN, ChatRequest> request;
    private final SerializableSupplier<OutputSchema<T>> schema;
    private final OutcomeMapper<IN, T, OUT> mapper;
    private final TypeInformation<OUT> type;

    private transient ChatClient client;
    private transient OutputSchema<T> openedSchema;
    private transient Map<ResultFuture<OUT>, CompletableFuture<ChatOutcome<T>>> calls;

    private ChatFunction(
            SerializableSupplier<ChatModel> model,
            SerializableSupplier<TransportOptions> options,
            SerializableFunction<IN, ChatRequest> request,
            SerializableSupplier<OutputSchema<T>> schema,
            OutcomeMapper<IN, T, OUT> mapper,
            TypeInformation<OUT> type) {
        this.model = Objects.requireNonNull(model, "model");
        this.options = options;
        this.request = Objects.requireNonNull(request, "request");
        this.schema = Objects.requireNonNull(schema, "schema");
        this.mapper = Objects.requireNonNull(mapper, "mapper");
        this.type = Objects.requireNonNull(type, "type");
    }

    /**
     * @param model makes the model; runs when a task opens the function
     * @param request makes the request for an element; an {@link IllegalArgumentException} becomes the element's FAILED outcome
     * @param schema makes the schema that the answer has to follow
     * @param mapper makes the record from element and outcome
     * @param type the record's type
     */
    public static <IN, T, OUT> ChatFunction<IN, T, OUT> of(
            SerializableSupplier<ChatModel> model,
            SerializableFunction<IN, ChatRequest> request,
            SerializableSupplier<OutputSchema<T>> schema,
            OutcomeMapper<IN, T, OUT> mapper,
            TypeInformation<OUT> type) {
        return new ChatFunction<>(model, null, request, schema, mapper, type);
    }

    /** The same function with options for the HTTP client, made when a task opens the function. */
    public ChatFunction<IN, T, OUT> withOptions(SerializableSupplier<TransportOptions> options) {
        return new ChatFunction<>(model, Objects.requireNonNull(options, "options"), request, schema, mapper, type);
    }

    @Override
    public TypeInformation<OUT> getProducedType() {
        return type;
    }

    @Override
    public void open(OpenContext context) {
        calls = new ConcurrentHashMap<>();
        openedSchema = schema.get();
        client = options == null ? ChatClient.open(model.get()) : ChatClient.open(model.get(), options.get());
    }

    @Override
    public void asyncInvoke(IN element, ResultFuture<OUT> result) {
        CompletableFuture<ChatOutcome<T>> call;
        try {
            call = client.askAsync(request.apply(element), openedSchema);
        } catch (IllegalArgumentException refused) {
            emit(result, () -> mapper.map(element, ChatOutcome.failed(ErrorKind.INVALID_ARGUMENT, refused.toString())));
            return;
        }
        calls.put(result, call);
        call.whenComplete((outcome, failure) -> {
            if (calls.remove(result, call)) {
                settle(element, result, outcome, failure);
            }
        });
    }

    /** Comes instead of an outcome when the element's time is up: whoever takes the call out of {@code calls} answers the element. */
    @Override
    public void timeout(IN element, ResultFuture<OUT> result) {
        CompletableFuture<ChatOutcome<T>> call = calls.remove(result);
        if (call != null) {
            call.cancel(true);
            String message = TimeoutException.class.getName()
                    + ": The element's time in the stream was up before the call had finished:"
                    + " raise the time-out of AsyncDataStream above the call's own, or lower its capacity.";
            emit(result, () -> mapper.map(element, ChatOutcome.failed(ErrorKind.TIMEOUT, message)));
        }
    }

    @Override
    public void close() {
        if (calls != null) {
            calls.clear(); // the task is going down: what still finishes has nobody to go to
        }
        if (client != null) {
            client.close();
            client = null;
        }
    }

    private void settle(IN element, ResultFuture<OUT> result, ChatOutcome<T> outcome, Throwable failure) {
        if (failure != null) {
            result.completeExceptionally(failure);
        } else {
            emit(result, () -> mapper.map(element, outcome));
        }
    }

    /** An error of the mapper fails the job: without its record the element would be lost in silence. */
    private void emit(ResultFuture<OUT> result, Supplier<OUT> record) {
        OUT made;
        try {
            made = record.get();
        } catch (Throwable bug) {
            result.completeExceptionally(bug);
            return;
        }
        result.complete(List.of(made));
    }
}
