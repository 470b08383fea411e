package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ModelCaller;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.Provider;
import io.github.flinkagentsnative.ReasonCode;
import io.github.flinkagentsnative.StructuredOutputDecision;
import io.github.flinkagentsnative.StructuredOutputStrategy;
import io.github.flinkagentsnative.TransportOptions;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.model.BaseChatModelConnection;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.agents.api.tools.Tool;

/**
 * What the connections share. The constructor checks arguments only; {@link #open} loads the native library and opens the HTTP client,
 * {@link #close} ends it. Between the two, any number of threads may call.
 *
 * <p>A failed call is repeated by the library's one retry loop, up to {@code max_retries} times, where repeating can help: 0.5 s after
 * the first failure, doubling up to 8 s, longer where the provider asks for it.
 *
 * <p>The answer is never judged: a refusal or a cut answer is a result, with its {@code refusal} and finish reason.
 */
public abstract class NativeChatModelConnection extends BaseChatModelConnection {

    private static final List<String> COMMON =
            List.of("api_key", "credentials_class", "timeout", "max_retries", "allow_insecure_http");

    private static final int DEFAULT_TIMEOUT_SECONDS = 60;
    private static final int DEFAULT_MAX_RETRIES = 3;

    private final ChatModel model;
    private final TransportOptions options;
    private final int maxRetries;
    private final String defaultModel;
    private final OmittedSchemas omitted = new OmittedSchemas();
    /** Null unless open; changes under the monitor. */
    private volatile CallLoop calls;

    /**
     * @param start begins the model: with what this connection has beside settings
     * @param settings further arguments, which become settings
     * @param others further arguments, which {@code start} reads
     * @throws IllegalArgumentException for an argument that is missing, unknown or wrong; the message names it
     */
    NativeChatModelConnection(
            ResourceDescriptor descriptor,
            ResourceContext context,
            Function<ResourceDescriptor, ChatModel.Builder> start,
            Names settings,
            String... others) {
        super(descriptor, context);
        Arguments.checked(descriptor, getClass(), Arguments.join(Arguments.join(COMMON, settings.arguments()), others));
        ChatModel.Builder builder = start.apply(descriptor);
        Credentials.give(builder, descriptor, getClass());
        settings.targets().forEach((argument, setting) -> {
            Object value = descriptor.getArgument(argument);
            builder.setting(setting, value instanceof Enum<?> constant ? constant.name() : value);
        });
        model = builder.build();
        defaultModel = settings.targets().containsKey("model") ? descriptor.getArgument("model") : null;
        maxRetries = maxRetries(descriptor);
        options = TransportOptions.builder()
                .timeout(timeout(descriptor))
                .allowInsecureHttp(Boolean.TRUE.equals(descriptor.getArgument("allow_insecure_http")))
                .build();
    }

    /** A provider that needs a key, from the argument {@code api_key} or {@code credentials_class}. */
    static Function<ResourceDescriptor, ChatModel.Builder> keyed(Provider provider, Class<?> owner) {
        return descriptor -> {
            if (descriptor.getArgument("credentials_class") == null) {
                Arguments.require(descriptor, owner, "api_key");
            }
            return ChatModel.builder(provider);
        };
    }

    private Duration timeout(ResourceDescriptor descriptor) {
        Number seconds = descriptor.<Number>getArgument("timeout", DEFAULT_TIMEOUT_SECONDS);
        double given = seconds.doubleValue();
        if (!(given >= 0.001 && given <= 86_400)) {
            throw new IllegalArgumentException("Argument 'timeout' of "
                    + getClass().getSimpleName() + " must be from 0.001 to 86400 seconds, not " + seconds + ".");
        }
        return Duration.ofMillis(
                new BigDecimal(seconds.toString()).movePointRight(3).longValue());
    }

    private int maxRetries(ResourceDescriptor descriptor) {
        long retries = descriptor
                .<Number>getArgument("max_retries", DEFAULT_MAX_RETRIES)
                .longValue();
        if (retries < 0 || retries > 1_000) {
            throw new IllegalArgumentException("Argument 'max_retries' of "
                    + getClass().getSimpleName() + " must be from 0 to 1000, not " + retries + ".");
        }
        return (int) retries;
    }

    /** Loads the native library and opens the client; once more is no error, and after {@link #close} opens a new one. */
    @Override
    public synchronized void open() throws Exception {
        if (calls == null) {
            super.open();
            calls = new CallLoop(getClass().getSimpleName(), model, options, maxRetries);
        }
    }

    /** Ends the client; calls that are under way end with {@link IllegalStateException}. Once more is no error. */
    @Override
    public synchronized void close() throws Exception {
        CallLoop open = calls;
        calls = null;
        if (open != null) {
            open.close();
            super.close();
        }
    }

    private CallLoop calls() {
        CallLoop open = calls;
        if (open == null) {
            throw new IllegalStateException("The connection " + getClass().getSimpleName()
                    + " is not open: call open() first, and nothing after close().");
        }
        return open;
    }

    /** As {@link #chat(List, List, Map, Object)}, without a schema. */
    @Override
    public ChatResult chat(List<ChatMessage> messages, List<Tool> tools, Map<String, Object> modelParams) {
        return chat(messages, tools, modelParams, null);
    }

    /**
     * The provider's answer. A schema that a request can carry is sent natively, whatever the model; one that no request can carry is left
     * off and counted, for Flink Agents has put it into the prompt then.
     *
     * @param outputSchema a class, Flink Agents' or this library's own OutputSchema, or null
     * @throws IllegalArgumentException for what cannot be sent, unwrapped: an unknown parameter, a block that the provider does not take
     *     (as Flink Agents' {@code UnsupportedContentBlockException}), a response format of the caller beside a schema
     * @throws ChatCallException when the call failed
     * @throws java.util.concurrent.CancellationException if the thread is interrupted, with its flag set
     * @throws IllegalStateException before {@link #open}, after {@link #close}, and when the connection is closed during the call
     */
    @Override
    public ChatResult chat(
            List<ChatMessage> messages, List<Tool> tools, Map<String, Object> modelParams, Object outputSchema) {
        CallLoop open = calls();
        ChatRequest request = AgentMessages.request(messages, tools, modelParams);
        OutputSchema<?> schema = carried(request, outputSchema);
        return AgentMessages.result(open.call(natively(request), schema));
    }

    private static ChatRequest natively(ChatRequest request) {
        return new ChatRequest(
                request.messages(),
                request.tools(),
                request.parameters(),
                StructuredOutputStrategy.NATIVE,
                request.whenInfeasible(),
                request.timeout());
    }

    /** The schema, or null when no request can carry it. */
    private OutputSchema<?> carried(ChatRequest request, Object outputSchema) {
        if (outputSchema == null) {
            return null;
        }
        OutputSchema<?> schema = translated(outputSchema);
        if (schema == null) {
            omitted.count(getMetricGroup(), ReasonCode.UNTRANSLATABLE);
            return null;
        }
        StructuredOutputDecision decision = model.decide(request, schema);
        if (decision.support() == io.github.flinkagentsnative.NativeStructuredOutputSupport.INFEASIBLE) {
            omitted.count(getMetricGroup(), decision);
            return null;
        }
        return schema;
    }

    /** Null for what has no schema. */
    private static OutputSchema<?> translated(Object outputSchema) {
        try {
            return AgentSchemas.of(outputSchema);
        } catch (IllegalArgumentException noSchema) {
            return null;
        }
    }

    /** Works before {@link #open} and after {@link #close} too; null means no schema, no tools, no parameters. */
    @Override
    protected NativeStructuredOutputSupport supportsNativeStructuredOutput(
            Object outputSchema, List<Tool> tools, Map<String, Object> modelParams) {
        OutputSchema<?> schema = translated(outputSchema);
        if (schema == null && outputSchema != null) {
            return NativeStructuredOutputSupport.INFEASIBLE;
        }
        ChatRequest request = AgentMessages.request(List.of(), tools, modelParams);
        return NativeStructuredOutputSupport.valueOf(
                model.support(schema, request.tools(), request.parameters()).name());
    }

    /** The model of the call, else the connection's own; null when there is neither. */
    @Override
    protected String effectiveModelFor(Map<String, Object> modelParams) {
        Object called = modelParams == null ? null : modelParams.get("model");
        return called instanceof String name && !name.isBlank() ? name : defaultModel;
    }

    /** The decision about a schema with its reasons, for logs and tests; the arguments are those of a call. */
    public StructuredOutputDecision decide(Object outputSchema, Map<String, Object> modelParams) {
        return model.decide(AgentMessages.request(List.of(), List.of(), modelParams), AgentSchemas.of(outputSchema));
    }

    /**
     * The open connection for a {@link io.github.flinkagentsnative.ChatExecutor}: it makes each call once, whatever {@code max_retries}
     * is, because repeating is the executor's business then, and blocks no thread. Requests are the executor's own: put a setup's
     * {@code getParameters()} into them.
     *
     * @throws IllegalStateException unless the connection is open
     */
    public ModelCaller modelCaller() {
        return ModelCaller.of(calls().client());
    }

    /** Without arguments: one of them is the key. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + model + ", " + (calls == null ? "closed" : "open") + "]";
    }
}
