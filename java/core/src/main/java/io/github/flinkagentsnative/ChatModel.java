package io.github.flinkagentsnative;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A provider with its settings: decides which way a schema travels, builds requests, reads answers. It needs no network, is
 * immutable and thread-safe. Its key never enters a request that it builds; {@code ChatClient} adds it when it sends.
 */
public final class ChatModel {

    private final Provider provider;
    private final Map<String, Object> settings;
    /** The same member in each frame of this model: packed once. */
    private final byte[] packedModel;

    private final CredentialSupplier credentials;
    private final AwsCredentials awsCredentials;

    /** Of the last request; threads that race for it only parse once more. */
    private volatile URI lastUrl;

    private ChatModel(
            Builder builder,
            CredentialSupplier credentials,
            AwsCredentials awsCredentials,
            Map<String, Object> settings) {
        this.provider = builder.provider;
        this.credentials = credentials;
        this.awsCredentials = awsCredentials;
        this.settings = settings;
        this.packedModel = Frames.packMember("model", Map.of("provider", provider.wireName(), "settings", settings));
    }

    public static Builder builder(Provider provider) {
        return new Builder(Objects.requireNonNull(provider, "provider"));
    }

    public Provider provider() {
        return provider;
    }

    /** The user's own headers: a gateway's key may be among them, so no text shows their values. */
    Map<String, Object> defaultHeaders() {
        return MessageFrames.object(settings.get("default_headers"));
    }

    /** Gives the key of each call; null for a keyless server, and for signed requests. */
    CredentialSupplier credentials() {
        return credentials;
    }

    /** Gives the AWS keys of each call; null where requests are not signed. */
    AwsCredentials awsCredentials() {
        return awsCredentials;
    }

    /**
     * What a request of this model can do with a schema. Null counts as no schema, no tools, no parameters; never raises on
     * them.
     */
    public NativeStructuredOutputSupport support(
            OutputSchema<?> schema, List<ToolSpec> tools, Map<String, Object> parameters) {
        return decide(
                        ChatRequest.builder()
                                .tools(tools == null ? List.of() : tools)
                                .parameters(parameters == null ? Map.of() : parameters)
                                .build(),
                        schema)
                .support();
    }

    /**
     * Which way a schema would travel with a request, and why. A NATIVE that cannot be honoured is no error here.
     *
     * @param request null counts as an empty one
     * @param schema null counts as none
     */
    public StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) {
        NativeLibrary.load();
        ChatRequest asked = request == null ? ChatRequest.of() : request;
        FrameWriter writer = new FrameWriter();
        writer.map(decisionInputs(asked, schema));
        writeDecisionInputs(writer, asked, schema);
        return DecisionFrames.read(NativeErrors.resultUnchecked(Native.decide(writer.toBytes())));
    }

    /**
     * The request as it goes on the wire.
     *
     * @throws IllegalArgumentException for what the provider cannot carry; the message names place and remedy
     */
    public HttpCall buildRequest(ChatRequest request) {
        return buildRequest(request, null);
    }

    /**
     * The request with a schema: natively, or as an instruction in the prompt, as {@link #decide} says.
     *
     * @throws IllegalArgumentException also for strategy NATIVE with a schema that no request can carry, unless
     *     {@link WhenInfeasible#OMIT} was chosen
     */
    public HttpCall buildRequest(ChatRequest request, OutputSchema<?> schema) {
        NativeLibrary.load();
        boolean omit = request.whenInfeasible() == WhenInfeasible.OMIT;
        FrameWriter writer = new FrameWriter(FrameWriter.roomFor(textLength(request)));
        writer.map(decisionInputs(request, schema) + (omit ? 2 : 1));
        writeDecisionInputs(writer, request, schema);
        if (omit) {
            writer.key("when_infeasible").text(WhenInfeasible.OMIT.name());
        }
        writer.key("messages").array(request.messages().size());
        for (ChatMessage message : request.messages()) {
            MessageFrames.write(writer, message);
        }
        return call(Native.buildRequest(writer.toBytes()), request.parameters());
    }

    private static long textLength(ChatRequest request) {
        long length = 0;
        for (ChatMessage message : request.messages()) {
            length += MessageFrames.textLength(message);
        }
        return length;
    }

    /** How many members {@link #writeDecisionInputs} writes. */
    private static int decisionInputs(ChatRequest request, OutputSchema<?> schema) {
        return 1
                + (request.strategy() == StructuredOutputStrategy.AUTO ? 0 : 1)
                + (schema == null ? 0 : 1)
                + (request.parameters().isEmpty() ? 0 : 1)
                + (request.tools().isEmpty() ? 0 : 1);
    }

    /** Leaves out what is absent, empty or the default: most requests have little else than messages. */
    private void writeDecisionInputs(FrameWriter writer, ChatRequest request, OutputSchema<?> schema) {
        writer.member(packedModel);
        if (request.strategy() != StructuredOutputStrategy.AUTO) {
            writer.key("strategy").text(request.strategy().name());
        }
        if (schema != null) {
            writer.key("schema").value(schema.frame());
        }
        if (!request.parameters().isEmpty()) {
            writer.key("parameters").value(request.parameters());
        }
        if (!request.tools().isEmpty()) {
            writer.key("tools").array(request.tools().size());
            for (ToolSpec tool : request.tools()) {
                MessageFrames.write(writer, tool);
            }
        }
    }

    private HttpCall call(byte[] answer, Map<String, Object> parameters) {
        Map<String, Object> built = NativeErrors.resultUnchecked(answer);
        Map<String, String> headers = new LinkedHashMap<>();
        MessageFrames.object(built.get("headers")).forEach((name, value) -> headers.put(name, (String) value));
        Map<String, Object> auth = MessageFrames.object(built.get("auth"));
        Map<String, Object> scope = MessageFrames.object(auth.get("aws_sigv4"));
        return new HttpCall(
                MessageFrames.text(built, "method"),
                uri(MessageFrames.text(built, "url")),
                Collections.unmodifiableMap(headers),
                (byte[]) built.get("body"),
                DecisionFrames.read(built.get("decision")),
                DecisionFrames.readReasons(built.get("reasons")),
                MessageFrames.text(auth, "header"),
                auth.get("prefix") instanceof String prefix ? prefix : "",
                scope.isEmpty()
                        ? null
                        : new HttpCall.AwsScope(
                                MessageFrames.text(scope, "region"), MessageFrames.text(scope, "service")),
                parameters);
    }

    /** Nearly always the URL of the request before; to parse it anew takes a tenth of a small request's time. */
    private URI uri(String text) {
        URI known = lastUrl;
        if (known == null || !known.toString().equals(text)) {
            known = URI.create(text);
            lastUrl = known;
        }
        return known;
    }

    /**
     * What would be sent and why, as text for people: the decision about the schema with its reasons, what became of strict
     * tools, URL, headers without the secret, body. Where the request cannot be built it says why.
     *
     * @param schema null counts as none
     */
    public String explain(ChatRequest request, OutputSchema<?> schema) {
        StringBuilder text = new StringBuilder();
        HttpCall call;
        try {
            if (schema != null) {
                text.append(decide(request, schema).explain()).append('\n');
            }
            call = buildRequest(request == null ? ChatRequest.of() : request, schema);
        } catch (IllegalArgumentException e) {
            return text.append("No request: ").append(e.getMessage()).toString();
        }
        call.reasons()
                .forEach(reason -> text.append("Tool ")
                        .append(reason.details().get("tool"))
                        .append(": ")
                        .append(reason)
                        .append('\n'));
        text.append(call.method()).append(' ').append(call.url()).append('\n');
        call.headers()
                .forEach((name, value) -> text.append(name)
                        .append(": ")
                        .append(defaultHeaders().containsKey(name) ? "***" : value)
                        .append('\n'));
        if (call.authHeader() != null) {
            text.append(call.authHeader())
                    .append(": ")
                    .append(call.authPrefix())
                    .append("***\n");
        }
        return text.append('\n')
                .append(new String(call.bodyBytes(), StandardCharsets.UTF_8))
                .toString();
    }

    /**
     * The provider's answer as a result. A refusal or a cut answer is a result too: look at its metadata and finish reason.
     *
     * @param call the request that was answered
     * @param headers names in any case
     * @throws ChatModelException for an HTTP error, an error body, and an answer that is none
     */
    public ChatResult parseResponse(HttpCall call, int status, Map<String, String> headers, byte[] body)
            throws ChatModelException {
        return MessageFrames.result(
                (Map<?, ?>) parse(call, null, status, headers, body).get("result"));
    }

    /**
     * The provider's answer as an outcome: SUCCESS with the typed answer, or FAILED. Never throws for what the answer holds.
     *
     * @param schema null gives an outcome without a typed answer
     */
    public <T> ChatOutcome<T> settle(
            HttpCall call, OutputSchema<T> schema, int status, Map<String, String> headers, byte[] body) {
        ChatOutcome<T> outcome;
        try {
            outcome = settle(schema, parse(call, schema, status, headers, body));
        } catch (ChatModelException | RuntimeException e) {
            outcome = ChatOutcome.failed(e);
        }
        return outcome.withDecision(call.decision());
    }

    private static <T> ChatOutcome<T> settle(OutputSchema<T> schema, Map<String, Object> parsed) {
        ChatResult result = MessageFrames.result((Map<?, ?>) parsed.get("result"));
        if (!(parsed.get("answer") instanceof Map<?, ?> frame)) {
            return ChatOutcome.success(result, null, () -> null);
        }
        try {
            // Without a schema there only is one that says why the answer does not count: it was cut or filtered.
            Answer answer = Answer.of(MessageFrames.object(frame));
            return ChatOutcome.success(result, schema.read(answer), jsonValue(answer, schema));
        } catch (ChatModelException | RuntimeException e) {
            ChatOutcome<T> failed = ChatOutcome.failed(e);
            return failed.withResponse(result);
        }
    }

    static Supplier<Object> jsonValue(Answer answer, OutputSchema<?> schema) {
        if (answer.json() != null) {
            return () -> JsonReader.read(answer.json());
        }
        List<?> names = MessageFrames.list(schema.frame().get("names"));
        return () -> {
            Map<String, Object> row = new LinkedHashMap<>();
            for (int i = 0; i < names.size(); i++) {
                row.put((String) names.get(i), answer.values().get(i));
            }
            return row;
        };
    }

    private Map<String, Object> parse(
            HttpCall call, OutputSchema<?> schema, int status, Map<String, String> headers, byte[] body)
            throws ChatModelException {
        NativeLibrary.load();
        String wrapper = call.decision() == null ? null : call.decision().wrapper();
        FrameWriter writer = new FrameWriter(body.length + 1024);
        writer.map(8)
                .member(packedModel)
                .key("url")
                .text(call.url().toString())
                .key("status")
                .integer(status)
                .key("headers")
                .value(lowerCase(headers))
                .key("body")
                .bytes(body)
                .key("parameters")
                .value(call.parameters())
                .key("schema")
                .value(schema == null ? null : schema.frame())
                .key("wrapper")
                .text(wrapper);
        return NativeErrors.result(Native.parseResponse(writer.toBytes()));
    }

    private static Map<String, String> lowerCase(Map<String, String> headers) {
        Map<String, String> lowerCase = new LinkedHashMap<>();
        headers.forEach((name, value) -> lowerCase.put(name.toLowerCase(Locale.ROOT), value));
        return lowerCase;
    }

    /** What to tell a model in the prompt so that its answer fits the schema; for callers who do not use {@link #buildRequest}. */
    public String promptFor(OutputSchema<?> schema) {
        return schema.instruction();
    }

    @Override
    public String toString() {
        return "ChatModel[" + provider + ", " + settings.get("model") + "]";
    }

    /** Collects settings; not thread-safe. Settings that only one provider has are checked when the first request is built. */
    public static final class Builder {
        /** What vLLM's server takes for a key unless it was started with one. */
        private static final String VLLM_DEFAULT_KEY = "EMPTY";

        private final Provider provider;
        private final Map<String, Object> settings = new LinkedHashMap<>();
        private CredentialSupplier credentials;
        private AwsCredentials awsCredentials;
        private boolean keyless;

        private Builder(Provider provider) {
            this.provider = provider;
        }

        /** Any setting by its name, as the table in docs/boundary.md lists them; null removes it. */
        public Builder setting(String name, Object value) {
            if (name.equals("api_key")) {
                throw new ChatConfigurationException(
                        "The key is no setting; pass it with apiKey(...) or credentials(...).");
            }
            if (value == null) {
                settings.remove(name);
            } else {
                settings.put(name, value);
            }
            return this;
        }

        /** Default model; on Azure the deployment. The call parameter {@code model} wins. */
        public Builder model(String model) {
            return setting("model", model);
        }

        /** Base URL of OpenAI or a server that speaks its wire format; used as given, without its trailing slash. */
        public Builder apiBaseUrl(String url) {
            return setting("api_base_url", url);
        }

        public Builder organization(String organization) {
            return setting("organization", organization);
        }

        public Builder project(String project) {
            return setting("project", project);
        }

        /** Endpoint of the Azure resource. */
        public Builder azureEndpoint(String endpoint) {
            return setting("azure_endpoint", endpoint);
        }

        /** Azure api-version, for example {@code 2024-10-21} or {@code v1}. */
        public Builder apiVersion(String version) {
            return setting("api_version", version);
        }

        /** The model behind the Azure deployment: decides what it can do and labels its usage. */
        public Builder modelOfAzureDeployment(String model) {
            return setting("model_of_azure_deployment", model);
        }

        /** Models that honour a schema, added to the library's table. */
        public Builder nativeModels(List<String> models) {
            return setting("native_models", models);
        }

        public Builder defaultHeaders(Map<String, String> headers) {
            return setting("default_headers", headers);
        }

        /** For watsonx.ai the IBM Cloud API key, which {@link WatsonxCredentials} exchanges for tokens. */
        public Builder apiKey(Secret key) {
            Objects.requireNonNull(key, "key");
            return credentials(provider == Provider.WATSONX ? WatsonxCredentials.of(key) : () -> key);
        }

        /**
         * @throws ChatConfigurationException for a missing or blank key
         */
        public Builder apiKey(String key) {
            return apiKey(Secret.of(key));
        }

        /** Asked for the key of each call, so that tokens may change. */
        public Builder credentials(CredentialSupplier supplier) {
            credentials = Objects.requireNonNull(supplier, "supplier");
            awsCredentials = null;
            keyless = false;
            return this;
        }

        /**
         * Amazon Bedrock: requests are signed (Signature Version 4) with these keys, each when it is sent.
         *
         * @throws ChatConfigurationException for another provider
         */
        public Builder awsCredentials(AwsCredentials supplier) {
            if (provider != Provider.BEDROCK) {
                throw new ChatConfigurationException("awsCredentials(...) is for bedrock; " + provider.wireName()
                        + " takes apiKey(...) or credentials(...)");
            }
            awsCredentials = Objects.requireNonNull(supplier, "supplier");
            credentials = null;
            keyless = false;
            return this;
        }

        /** The server wants no key. */
        public Builder keyless() {
            keyless = true;
            credentials = null;
            awsCredentials = null;
            return this;
        }

        /**
         * Without a key vLLM gets {@code EMPTY}, which its server takes unless it was started with a key; Ollama gets none; Bedrock gets what
         * this host says: the API key in {@code AWS_BEARER_TOKEN_BEDROCK}, else {@link AwsCredentials#defaults()}; and without a region
         * {@code AWS_REGION}, {@code AWS_DEFAULT_REGION} or that of the profile ({@link AwsCredentials#ofProfile}'s, else the host's).
         *
         * @throws ChatConfigurationException when key, endpoint or api-version is missing
         */
        public ChatModel build() {
            Map<String, Object> checked = new LinkedHashMap<>(JsonValues.copyObject(settings, "/settings"));
            boolean keyMissing = !keyless && credentials == null && !"none".equals(checked.get("auth"));
            if (keyMissing && provider == Provider.VLLM) {
                apiKey(VLLM_DEFAULT_KEY);
                keyMissing = false;
            }
            if (provider == Provider.OLLAMA && !checked.containsKey("auth")) {
                checked.put("auth", keyMissing ? "none" : "bearer");
                keyMissing = false;
            }
            if (provider == Provider.BEDROCK) {
                keyMissing = false;
                completeBedrock(checked);
            }
            if (keyless) {
                checked.put("auth", "none");
            } else if (keyMissing) {
                throw new ChatConfigurationException(
                        "Setting 'api_key' is missing for " + provider.wireName()
                                + "; set it with apiKey(...) or credentials(...), or choose keyless() for a server that wants none.");
            }
            if (provider == Provider.AZURE_OPENAI) {
                require(checked, "azure_endpoint", "azureEndpoint(...)");
                require(checked, "api_version", "apiVersion(...)");
            }
            boolean sendsNoKey = "none".equals(checked.get("auth"));
            return new ChatModel(
                    this,
                    sendsNoKey ? null : credentials,
                    sendsNoKey ? null : awsCredentials,
                    Collections.unmodifiableMap(checked));
        }

        /** What nobody set comes from the host that runs the task. */
        private void completeBedrock(Map<String, Object> checked) {
            AwsDefaults host = AwsDefaults.ofHost();
            boolean nothingGiven =
                    !keyless && credentials == null && awsCredentials == null && !checked.containsKey("auth");
            if (nothingGiven && host.bearerToken() != null) {
                apiKey(Secret.of("AWS_BEARER_TOKEN_BEDROCK", host.bearerToken()));
            } else if (nothingGiven || "aws_sigv4".equals(checked.get("auth")) && awsCredentials == null) {
                awsCredentials(host::keys);
            }
            if (awsCredentials != null) {
                Object auth = checked.putIfAbsent("auth", "aws_sigv4");
                if (auth != null && !auth.equals("aws_sigv4")) {
                    throw new ChatConfigurationException("Setting 'auth' of bedrock is " + auth
                            + ", but awsCredentials(...) sign requests; leave 'auth' away");
                }
            } else if (!keyless && credentials == null && !"none".equals(checked.get("auth"))) {
                throw new ChatConfigurationException(
                        "Setting 'auth' of bedrock asks for an API key, but there is none; set it with"
                                + " apiKey(...), or leave 'auth' away to sign with AWS keys");
            }
            if (!checked.containsKey("region")) {
                String region =
                        awsCredentials instanceof AwsProfileKeys keys ? host.region(keys.name()) : host.region();
                if (region != null) {
                    checked.put("region", region);
                }
            }
        }

        private void require(Map<String, Object> checked, String name, String method) {
            if (!(checked.get(name) instanceof String text) || text.isBlank()) {
                throw new ChatConfigurationException("Setting '" + name + "' is missing for " + provider.wireName()
                        + "; set it with " + method + ".");
            }
        }
    }
}
