package io.github.flinkagentsnative.oracle;

import com.openai.core.JsonValue;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.ReasoningEffort;
import com.openai.models.ResponseFormatJsonObject;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionNamedToolChoice;
import com.openai.models.chat.completions.ChatCompletionToolChoiceOption;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ToolSpec;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Inputs with tools and parameters, and those of Azure. */
final class Calls {
    private static final String WEATHER =
            "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\",\"description\":\"Name\"},"
                    + "\"days\":{\"type\":\"integer\",\"minimum\":1,\"default\":3},\"where\":{\"anyOf\":[{\"type\":\"null\"},"
                    + "{\"type\":\"object\",\"properties\":{\"lat\":{\"type\":\"number\"}},\"required\":[\"lat\"]}]}},\"required\":[\"city\"]}";
    private static final String CLOSED =
            "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}},\"required\":[\"id\"],\"additionalProperties\":false}";
    private static final String OPEN =
            "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"},\"limit\":{\"type\":\"integer\"}},\"required\":[\"id\"]}";
    private static final String RESOURCE = "https://contoso.openai.azure.com";

    private Calls() {}

    @SuppressWarnings("deprecation") // the SDK calls them so; the service still takes them
    static List<Input> inputs() {
        return List.of(
                input(
                        "two tools",
                        sdk -> sdk.addTool(tool("weather", "Looks out", WEATHER, null))
                                .addTool(tool("find", null, CLOSED, null)),
                        ours -> ours.tool(new ToolSpec("weather", "Looks out", WEATHER))
                                .tool(new ToolSpec("find", null, CLOSED))),
                input(
                        "a strict tool",
                        sdk -> sdk.addTool(tool("find", "Finds", CLOSED, true)),
                        ours -> ours.tool(new ToolSpec("find", "Finds", CLOSED, true))),
                input(
                        "a strict tool with an open schema",
                        sdk -> sdk.addTool(tool("find", "Finds", OPEN, true)),
                        ours -> ours.tool(new ToolSpec("find", "Finds", OPEN, true))),
                input(
                        "a tool without parameters",
                        sdk -> sdk.addTool(tool("now", "The time", null, null)),
                        ours -> ours.tool(new ToolSpec("now", "The time", null))),
                input(
                        "a tool that must be called, one at a time",
                        sdk -> sdk.addTool(tool("find", "Finds", CLOSED, null))
                                .toolChoice(ChatCompletionToolChoiceOption.Auto.REQUIRED)
                                .parallelToolCalls(false),
                        ours -> ours.tool(new ToolSpec("find", "Finds", CLOSED))
                                .parameter("tool_choice", "required")
                                .parameter("parallel_tool_calls", false)),
                input(
                        "a named tool must be called",
                        sdk -> sdk.addTool(tool("find", "Finds", CLOSED, null))
                                .toolChoice(ChatCompletionNamedToolChoice.builder()
                                        .function(ChatCompletionNamedToolChoice.Function.builder()
                                                .name("find")
                                                .build())
                                        .build()),
                        ours -> ours.tool(new ToolSpec("find", "Finds", CLOSED))
                                .parameter(
                                        "tool_choice", Map.of("type", "function", "function", Map.of("name", "find")))),
                input(
                        "a tool choice without tools",
                        sdk -> sdk.toolChoice(ChatCompletionToolChoiceOption.Auto.NONE),
                        ours -> ours.parameter("tool_choice", "none")),
                input(
                        "sampling",
                        sdk -> sdk.temperature(0.1)
                                .topP(0.95)
                                .seed(7)
                                .frequencyPenalty(-0.5)
                                .presencePenalty(1.5)
                                .user("u-1"),
                        ours -> ours.parameter("temperature", new BigDecimal("0.1"))
                                .parameter("top_p", new BigDecimal("0.95"))
                                .parameter("seed", 7)
                                .parameter("frequency_penalty", new BigDecimal("-0.5"))
                                .parameter("presence_penalty", new BigDecimal("1.5"))
                                .parameter("user", "u-1")),
                input(
                        "limits",
                        sdk -> sdk.maxCompletionTokens(256).stopOfStrings(List.of("END", "\n")),
                        ours -> ours.parameter("max_tokens", 256).parameter("stop", List.of("END", "\n"))),
                input(
                        "max_tokens by its old name",
                        sdk -> sdk.maxTokens(256),
                        ours -> ours.parameter("max_tokens", 256)),
                input(
                        "log probabilities",
                        sdk -> sdk.logprobs(true).topLogprobs(3),
                        ours -> ours.parameter("logprobs", true).parameter("top_logprobs", 3)),
                input("no log probabilities", sdk -> sdk.logprobs(false), ours -> ours.parameter("logprobs", false)),
                input(
                        "effort and one stop text",
                        sdk -> sdk.reasoningEffort(ReasoningEffort.LOW).stop("END"),
                        ours -> ours.parameter("reasoning_effort", "low").parameter("stop", "END")),
                input(
                        "the caller's own response format",
                        sdk -> sdk.responseFormat(
                                ResponseFormatJsonObject.builder().build()),
                        ours -> ours.parameter("response_format", Map.of("type", "json_object"))),
                input(
                        "additional properties",
                        sdk -> sdk.putAdditionalBodyProperty("top_k", JsonValue.from(20))
                                .putAdditionalBodyProperty("nested", JsonValue.from(Map.of("a", List.of(1, 2)))),
                        ours -> ours.parameter(
                                "additional_kwargs", Map.of("top_k", 20, "nested", Map.of("a", List.of(1, 2))))),
                input(
                        "an additional property that is null",
                        sdk -> sdk.putAdditionalBodyProperty("top_k", JsonValue.from(null)),
                        ours -> ours.parameter("additional_kwargs", nothing("top_k"))),
                azure("Azure, dated api-version", RESOURCE, "2024-10-21", "chat", null),
                azure("Azure, a class as schema", RESOURCE, "2024-10-21", "chat", Shapes.Verdict.class),
                azure("Azure, an optional enum", RESOURCE, "2025-03-01-preview", "chat", Shapes.OptionalParts.class),
                azure("Azure, a deployment to be encoded", RESOURCE, "2024-10-21", "größe/5", null),
                azure("Azure, v1 endpoint", RESOURCE + "/openai/v1", "preview", "chat", Shapes.Ticket.class),
                azure("Azure, v1 by its api-version", RESOURCE, "v1", "chat", Shapes.Ticket.class),
                azure("Azure, v1 endpoint and version", RESOURCE + "/openai/v1", "v1", "chat", null),
                azure("Azure, a private gateway", "https://llm.example.com", "2024-10-21", "chat", null));
    }

    private static Input input(
            String name, Consumer<ChatCompletionCreateParams.Builder> sdk, Consumer<ChatRequest.Builder> ours) {
        return new Input(
                name,
                () -> {
                    ChatCompletionCreateParams.Builder builder = ChatCompletionCreateParams.builder()
                            .model(Ours.MODEL)
                            .addUserMessage("Hello");
                    sdk.accept(builder);
                    return Sdk.openAi(builder.build());
                },
                () -> {
                    ChatRequest.Builder builder = ChatRequest.builder().message(ChatMessage.user("Hello"));
                    ours.accept(builder);
                    return Ours.request(Ours.openAi(), builder.build());
                });
    }

    private static Input azure(String name, String endpoint, String version, String deployment, Class<?> answer) {
        return new Input(
                name,
                () -> {
                    ChatCompletionCreateParams.Builder builder = ChatCompletionCreateParams.builder()
                            .model(deployment)
                            .addUserMessage("Hello");
                    ChatCompletionCreateParams params =
                            answer == null ? builder.build() : Schemas.withSchema(builder, answer);
                    return Sdk.azure(endpoint, version, params);
                },
                () -> {
                    ChatModel model = Ours.azure(endpoint, version, deployment);
                    ChatRequest request = ChatRequest.of(ChatMessage.user("Hello"));
                    return answer == null ? Ours.request(model, request) : Ours.request(model, request, answer);
                });
    }

    private static Map<String, Object> nothing(String name) {
        Map<String, Object> map = new HashMap<>();
        map.put(name, null);
        return map;
    }

    private static ChatCompletionFunctionTool tool(String name, String description, String parameters, Boolean strict) {
        FunctionDefinition.Builder function = FunctionDefinition.builder().name(name);
        if (description != null) {
            function.description(description);
        }
        if (parameters != null) {
            FunctionParameters.Builder schema = FunctionParameters.builder();
            Json.read(parameters)
                    .fields()
                    .forEachRemaining(member ->
                            schema.putAdditionalProperty(member.getKey(), JsonValue.fromJsonNode(member.getValue())));
            function.parameters(schema.build());
        }
        if (strict != null) {
            function.strict(strict);
        }
        return ChatCompletionFunctionTool.builder().function(function.build()).build();
    }
}
