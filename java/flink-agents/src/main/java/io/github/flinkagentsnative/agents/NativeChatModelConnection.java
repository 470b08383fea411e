package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ModelCaller;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.ReasonCode;
import io.github.flinkagentsnative.StructuredOutputDecision;
import io.github.flinkagentsnative.StructuredOutputStrategy;
import io.github.flinkagentsnative.TransportOptions;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.model.BaseChatModelConnection;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.apache.flink.agents.api.metrics.FlinkAgentsMetricGroup;
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

    private static final int DEFAULT_MAX_RETRIES = 3;

    private final ConnectionTable table;
    private final ChatModel model;
    private final TransportOptions options;
    private final int maxRetries;
    private final boolean renewing;
    private final String defaultModel;
    private final OmittedSchemas omitted = new OmittedSchemas();
    /** Null unless open; changes under the monitor. */
    private volatile CallLoop calls;

    /** @throws IllegalArgumentException for an argument that is missing, unknown or wrong; the message names it */
    NativeChatModelConnection(ResourceDescriptor descriptor, ResourceContext context, ConnectionTable table) {
        super(descriptor, context);
        this.table = table;
        model = table.model(descriptor, getClass());
        defaultModel = table.defaultModel(descriptor);
        renewing = table.renews(descriptor);
        maxRetries = maxRetries(descriptor);
        options = TransportOptions.builder()
                .timeout(table.timeout(descriptor, getClass()))
                .allowInsecureHttp(Boolean.TRUE.equals(descriptor.getArgument("allow_insecure_http")))
                .build();
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
            calls = new CallLoop(getClass().getSimpleName(), model, options, maxRetries, renewing);
        }
    }

    /** Ends the client; calls that are under way end with {@link IllegalStateException}. Once more is no error. */
    @Override
    public synchronized void close() throws Exception {
        CallLoop open = calls;
        calls = null;
        if (open != null) {
            try {
                open.close();
            } finally {
                super.close();
            }
        }
    }

    /** The group in which schemas are counted that had to be left off. */
    @Override
    public void setMetricGroup(FlinkAgentsMetricGroup metricGroup) {
        super.setMetricGroup(metricGroup);
        omitted.bind(metricGroup);
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
        ChatRequest request = AgentMessages.request(messages, tools, table.parameters(modelParams));
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
            omitted.count(ReasonCode.UNTRANSLATABLE);
            return null;
        }
        StructuredOutputDecision decision = model.decide(request, schema);
        if (decision.support() == io.github.flinkagentsnative.NativeStructuredOutputSupport.INFEASIBLE) {
            omitted.count(decision);
            return null;
        }
        return schema;
    }

    /** Null for what has no schema, whatever its class does when it is looked at. */
    private static OutputSchema<?> translated(Object outputSchema) {
        try {
            return AgentSchemas.of(outputSchema);
        } catch (RuntimeException noSchema) {
            return null;
        }
    }

    /**
     * Never raises: null means no schema, no tools, no parameters, and what cannot be sent is told by the call. Works before {@link #open}
     * and after {@link #close} too.
     */
    @Override
    protected NativeStructuredOutputSupport supportsNativeStructuredOutput(
            Object outputSchema, List<Tool> tools, Map<String, Object> modelParams) {
        OutputSchema<?> schema = translated(outputSchema);
        if (schema == null && outputSchema != null) {
            return NativeStructuredOutputSupport.INFEASIBLE;
        }
        try {
            return support(schema, AgentMessages.request(List.of(), tools, table.parameters(modelParams)));
        } catch (RuntimeException unusable) {
            return supportOfTheModel(schema, modelParams);
        }
    }

    /** What can be said without the tools and parameters that cannot be sent. */
    private NativeStructuredOutputSupport supportOfTheModel(OutputSchema<?> schema, Map<String, Object> modelParams) {
        ChatRequest.Builder request = ChatRequest.builder();
        if (modelParams != null) {
            modelParams.forEach((name, value) -> {
                if (value instanceof String) {
                    request.parameter(name, value);
                }
            });
        }
        try {
            return support(schema, request.build());
        } catch (RuntimeException wrongSettings) {
            return NativeStructuredOutputSupport.INFEASIBLE;
        }
    }

    private NativeStructuredOutputSupport support(OutputSchema<?> schema, ChatRequest request) {
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
        ChatRequest request = AgentMessages.request(List.of(), List.of(), table.parameters(modelParams));
        return model.decide(request, AgentSchemas.of(outputSchema));
    }

    /**
     * The open connection for a {@link io.github.flinkagentsnative.ChatExecutor}: it makes each call once, whatever {@code max_retries}
     * is, because repeating is the executor's business then, and blocks no thread. Requests are the executor's own: put a setup's
     * {@code getParameters()} into them.
     *
     * @throws IllegalStateException unless the connection is open
     */
    public ModelCaller modelCaller() {
        return new ConnectionCaller(ModelCaller.of(calls().client()), table);
    }

    /** Without arguments: one of them is the key. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + model + ", " + (calls == null ? "closed" : "open") + "]";
    }
}
