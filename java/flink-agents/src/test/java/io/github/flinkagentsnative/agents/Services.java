package io.github.flinkagentsnative.agents;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The providers: their classes, how they talk, and what a test needs to build them. A new provider is one more constant. */
enum Services {
    OPENAI(OpenAICompletionsConnection.class, OpenAICompletionsSetup.class, ChatCompletionsWire::new, "gpt-4o-mini"),
    RESPONSES(OpenAIResponsesModelConnection.class, OpenAIResponsesModelSetup.class, ResponsesWire::new, "gpt-4o-mini"),
    AZURE(
            AzureOpenAIChatModelConnection.class,
            AzureOpenAIChatModelSetup.class,
            ChatCompletionsWire::new,
            "gpt-4o-mini"),
    VLLM(VLLMChatModelConnection.class, VLLMChatModelSetup.class, VllmWire::new, "qwen3-8b"),
    ANTHROPIC(
            AnthropicChatModelConnection.class, AnthropicChatModelSetup.class, AnthropicWire::new, "claude-sonnet-4-5"),
    BEDROCK(
            BedrockChatModelConnection.class,
            BedrockChatModelSetup.class,
            BedrockWire::new,
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
    GEMINI(GeminiChatModelConnection.class, GeminiChatModelSetup.class, GeminiWire::new, "gemini-2.5-flash"),
    OLLAMA(OllamaChatModelConnection.class, OllamaChatModelSetup.class, OllamaWire::new, "qwen3:8b"),
    DASHSCOPE(DashScopeChatModelConnection.class, DashScopeChatModelSetup.class, DashScopeWire::new, "qwen3.7-max"),
    WATSONX(WatsonxChatModelConnection.class, WatsonxChatModelSetup.class, WatsonxWire::new, "ibm/granite-4-h-small");

    private static final Set<Services> OPENAIS = Set.of(OPENAI, RESPONSES, AZURE);

    final Class<? extends NativeChatModelConnection> connection;
    final Class<? extends NativeChatModelSetup> setup;
    /** A model that honours a schema. */
    final String model;

    private final Supplier<? extends Wire> wire;

    Services(
            Class<? extends NativeChatModelConnection> connection,
            Class<? extends NativeChatModelSetup> setup,
            Supplier<? extends Wire> wire,
            String model) {
        this.connection = connection;
        this.setup = setup;
        this.wire = wire;
        this.model = model;
    }

    /** New for each test: some remember what they gave. */
    Wire wire() {
        Wire fresh = wire.get();
        fresh.model = model;
        return fresh;
    }

    LocalService start(Wire spoken) {
        return OPENAIS.contains(this) ? new OpenAiService() : new WireService(spoken);
    }

    /** Whether every model counts as one that honours a schema. */
    boolean trustsEveryModel() {
        return this == VLLM || this == OLLAMA || this == WATSONX;
    }

    /** Whether an object that takes any member can travel. */
    boolean carriesOpenObjects() {
        return this == VLLM || this == OLLAMA || this == WATSONX || this == DASHSCOPE;
    }

    /** Whether a schema travels beside tools: not to this generation of Gemini. */
    boolean takesSchemaBesideTools() {
        return this != GEMINI;
    }

    /** Whether the service wants a key from the caller. */
    boolean wantsKey() {
        return this != VLLM && this != OLLAMA && this != BEDROCK;
    }

    /** The argument that says where the service is. */
    String urlArgument() {
        return switch (this) {
            case AZURE -> "azure_endpoint";
            case GEMINI -> "base_url";
            case OLLAMA -> "endpoint";
            case WATSONX -> "url";
            default -> "api_base_url";
        };
    }

    private String path() {
        return switch (this) {
            case OPENAI, RESPONSES, VLLM -> "/v1";
            case DASHSCOPE -> "/compatible-mode/v1";
            default -> "";
        };
    }

    /** Arguments that work against the local server. */
    Map<String, Object> connectionArguments(LocalService server) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put(urlArgument(), server.url() + path());
        if (this != OLLAMA) {
            arguments.put("api_key", LocalService.KEY);
        }
        switch (this) {
            case AZURE -> arguments.put("api_version", "2024-10-21");
            case BEDROCK -> arguments.put("region", "us-east-1");
            case WATSONX -> {
                arguments.put("iam_url", server.url());
                arguments.put("project_id", "p-1");
            }
            default -> {}
        }
        return arguments;
    }

    /** A setup on the connection {@code service}, with a model that honours a schema. */
    Map<String, Object> setupArguments() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("connection", "service");
        arguments.put("model", this == AZURE ? "our-deployment" : model);
        if (this == AZURE) {
            arguments.put("model_of_azure_deployment", model);
        }
        return arguments;
    }

    /** The argument of the setup that decides whether a schema is honoured. */
    String modelArgument() {
        return this == AZURE ? "model_of_azure_deployment" : "model";
    }

    String maxTokensArgument() {
        return this == GEMINI ? "max_output_tokens" : "max_tokens";
    }

    NativeChatModelConnection connect(LocalService server, Object... more) throws Exception {
        NativeChatModelConnection built = connection(Resources.with(connectionArguments(server), more));
        built.open();
        return built;
    }

    NativeChatModelConnection connection(Map<String, Object> arguments) throws Exception {
        return (NativeChatModelConnection) Resources.build(connection, arguments, new Resources.Context(Map.of()));
    }

    /** An open setup on {@code bound}; tools are known by their names. */
    NativeChatModelSetup setUp(NativeChatModelConnection bound, Object... more) throws Exception {
        NativeChatModelSetup built = (NativeChatModelSetup) Resources.build(
                setup,
                Resources.with(setupArguments(), more),
                new Resources.Context(Map.of("service", bound, "weather", new Resources.Weather())));
        built.open();
        return built;
    }
}
