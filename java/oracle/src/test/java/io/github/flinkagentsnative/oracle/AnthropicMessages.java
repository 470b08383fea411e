package io.github.flinkagentsnative.oracle;

import com.anthropic.core.JsonSchemaLocalValidation;
import com.anthropic.core.JsonValue;
import com.anthropic.models.messages.Base64ImageSource;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.DocumentBlockParam;
import com.anthropic.models.messages.ImageBlockParam;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.OutputConfig;
import com.anthropic.models.messages.TextBlockParam;
import com.anthropic.models.messages.ThinkingBlockParam;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolChoiceAny;
import com.anthropic.models.messages.ToolChoiceAuto;
import com.anthropic.models.messages.ToolChoiceNone;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlockParam;
import io.github.flinkagentsnative.Base64Source;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.DataContentBlock;
import io.github.flinkagentsnative.DocumentBlock;
import io.github.flinkagentsnative.ImageBlock;
import io.github.flinkagentsnative.ReasoningBlock;
import io.github.flinkagentsnative.TextBlock;
import io.github.flinkagentsnative.ToolCallBlock;
import io.github.flinkagentsnative.ToolResultBlock;
import io.github.flinkagentsnative.ToolSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Inputs for Anthropic Messages. */
final class AnthropicMessages {
    private static final String PNG = "iVBORw0KGgo=";
    private static final String PDF = "JVBERi0xLjQ=";
    private static final String TOOL =
            "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}},\"required\":[\"id\"],\"additionalProperties\":false}";
    private static final List<DataContentBlock> MIXED = List.of(
            new TextBlock("See:"),
            ImageBlock.fromBase64("image/png", PNG),
            ImageBlock.fromUrl("image/webp", "https://example.com/a.webp"),
            new DocumentBlock("application/pdf", new Base64Source(PDF), "report.pdf", null, null),
            DocumentBlock.fromUrl("application/pdf", "https://example.com/a.pdf"),
            DocumentBlock.fromBase64("text/plain", "SGVsbG8="));

    private AnthropicMessages() {}

    static List<Input> inputs() {
        return Stream.of(messages(), tools(), parameters(), schemas())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Input> messages() {
        return List.of(
                conversation("a user text", sdk -> sdk.addUserMessage("Hello"), ChatMessage.user("Hello")),
                conversation(
                        "two system texts, user, assistant, user",
                        sdk -> sdk.systemOfTextBlockParams(List.of(part("Be short."), part("Be kind.")))
                                .addUserMessage("Hello")
                                .addAssistantMessageOfContentBlockParams(List.of(ContentBlockParam.ofText("Hi")))
                                .addUserMessage("Bye"),
                        ChatMessage.system("Be short."),
                        ChatMessage.system("Be kind."),
                        ChatMessage.user("Hello"),
                        ChatMessage.assistant("Hi"),
                        ChatMessage.user("Bye")),
                conversation(
                        "two user texts in one message",
                        sdk -> sdk.addUserMessageOfContentBlockParams(
                                List.of(ContentBlockParam.ofText("One "), ContentBlockParam.ofText("two"))),
                        ChatMessage.user(List.of(new TextBlock("One "), new TextBlock("two")))),
                conversation(
                        "user images and documents",
                        sdk -> sdk.addUserMessageOfContentBlockParams(List.of(
                                ContentBlockParam.ofText("See:"),
                                ContentBlockParam.ofImage(picture()),
                                ContentBlockParam.ofImage(pictureAt("https://example.com/a.webp")),
                                ContentBlockParam.ofDocument(report()),
                                ContentBlockParam.ofDocument(documentAt("https://example.com/a.pdf")),
                                ContentBlockParam.ofDocument(note()))),
                        ChatMessage.user(MIXED)),
                conversation(
                        "messages of one side that follow each other",
                        sdk -> sdk.addUserMessage("Hello")
                                .addUserMessage("there")
                                .addAssistantMessage(" ")
                                .addUserMessage("Anyone?"),
                        ChatMessage.user("Hello"),
                        ChatMessage.user("there"),
                        ChatMessage.assistant(" "),
                        ChatMessage.user("Anyone?")));
    }

    private static List<Input> tools() {
        return List.of(
                conversation(
                        "thinking before its call, and the result",
                        sdk -> sdk.addUserMessage("Find 7")
                                .addAssistantMessageOfContentBlockParams(List.of(
                                        ContentBlockParam.ofThinking(ThinkingBlockParam.builder()
                                                .thinking("Look it up")
                                                .signature("c2ln")
                                                .build()),
                                        ContentBlockParam.ofRedactedThinking("ZGF0YQ=="),
                                        ContentBlockParam.ofText("Let me look."),
                                        use("toolu_1")))
                                .addUserMessageOfContentBlockParams(List.of(result("toolu_1", "found"))),
                        ChatMessage.user("Find 7"),
                        ChatMessage.assistant(List.of(
                                thought(Map.of("type", "thinking", "thinking", "Look it up", "signature", "c2ln")),
                                thought(Map.of("type", "redacted_thinking", "data", "ZGF0YQ==")),
                                new TextBlock("Let me look."),
                                find("toolu_1"))),
                        ChatMessage.tool(ToolResultBlock.of("toolu_1", "found"))),
                conversation(
                        "parallel results and a text in one turn",
                        sdk -> sdk.addUserMessage("Find both")
                                .addAssistantMessageOfContentBlockParams(List.of(use("toolu_1"), use("toolu_2")))
                                .addUserMessageOfContentBlockParams(List.of(
                                        result("toolu_2", "two"),
                                        result("toolu_1", "one"),
                                        ContentBlockParam.ofText("And?"))),
                        ChatMessage.user("Find both"),
                        ChatMessage.assistant(List.of(find("toolu_1"), find("toolu_2"))),
                        ChatMessage.tool(ToolResultBlock.of("toolu_2", "two")),
                        ChatMessage.tool(ToolResultBlock.of("toolu_1", "one")),
                        ChatMessage.user("And?")),
                conversation(
                        "a tool result that is an error",
                        sdk -> afterCall(sdk, answer().content("boom").isError(true)),
                        afterCall(List.of(new TextBlock("boom")), true)),
                conversation("an empty tool result", sdk -> afterCall(sdk, answer()), afterCall(List.of(), false)),
                conversation(
                        "a tool result with images and documents",
                        sdk -> afterCall(
                                sdk,
                                answer().contentOfBlocks(List.of(
                                        ToolResultBlockParam.Content.Block.ofText("See:"),
                                        ToolResultBlockParam.Content.Block.ofImage(picture()),
                                        ToolResultBlockParam.Content.Block.ofImage(
                                                pictureAt("https://example.com/a.webp")),
                                        ToolResultBlockParam.Content.Block.ofDocument(report()),
                                        ToolResultBlockParam.Content.Block.ofDocument(
                                                documentAt("https://example.com/a.pdf")),
                                        ToolResultBlockParam.Content.Block.ofDocument(note())))),
                        afterCall(MIXED, false)));
    }

    private static List<Input> parameters() {
        ToolSpec find = new ToolSpec("find", "Finds", TOOL);
        return List.of(
                call("a tool", sdk -> sdk.addTool(tool()), ours -> ours.tool(find)),
                call(
                        "a strict tool that must be called, one at a time",
                        sdk -> sdk.addTool(tool().toBuilder().strict(true).build())
                                .toolChoice(ToolChoiceAny.builder()
                                        .disableParallelToolUse(true)
                                        .build()),
                        ours -> ours.tool(new ToolSpec("find", "Finds", TOOL, true))
                                .parameter("tool_choice", "required")
                                .parameter("parallel_tool_calls", false)),
                call(
                        "one call at a time",
                        sdk -> sdk.addTool(tool())
                                .toolChoice(ToolChoiceAuto.builder()
                                        .disableParallelToolUse(true)
                                        .build()),
                        ours -> ours.tool(find).parameter("parallel_tool_calls", false)),
                call(
                        "no call",
                        sdk -> sdk.addTool(tool())
                                .toolChoice(ToolChoiceNone.builder().build()),
                        ours -> ours.tool(find).parameter("tool_choice", "none")),
                call(
                        "a named tool must be called",
                        sdk -> sdk.addTool(tool()).toolToolChoice("find"),
                        ours -> ours.tool(find).parameter("tool_choice", Map.of("type", "tool", "name", "find"))),
                call(
                        "stop texts and thinking",
                        sdk -> sdk.stopSequences(List.of("END", "STOP")).enabledThinking(1024),
                        ours -> ours.parameter("stop", List.of("END", "STOP"))
                                .parameter("thinking", Map.of("type", "enabled", "budget_tokens", 1024))),
                call(
                        "effort",
                        sdk -> sdk.outputConfig(OutputConfig.builder()
                                .effort(OutputConfig.Effort.LOW)
                                .build()),
                        ours -> ours.parameter("reasoning_effort", "low")),
                call(
                        "additional properties, one of them null",
                        sdk -> sdk.putAdditionalBodyProperty("inference_geo", JsonValue.from("us"))
                                .putAdditionalBodyProperty("speed", JsonValue.from(null)),
                        ours -> {
                            Map<String, Object> extras = new HashMap<>();
                            extras.put("inference_geo", "us");
                            extras.put("speed", null);
                            ours.parameter("additional_kwargs", extras);
                        }));
    }

    /** Schemas are derived as for the other services; a few show that. */
    private static List<Input> schemas() {
        List<Input> inputs = new ArrayList<>();
        for (Class<?> answer : List.of(Shapes.Verdict.class, Shapes.Figure.class, Shapes.Parcel.class)) {
            inputs.add(new Input(
                    "Anthropic, class " + answer.getSimpleName(),
                    () -> AnthropicSdk.messages(base().addUserMessage("Fill it.")
                            .outputConfig(answer, JsonSchemaLocalValidation.NO)
                            .build()
                            .rawParams()),
                    () -> Ours.request(
                            Ours.anthropic(),
                            ChatRequest.builder()
                                    .message(ChatMessage.user("Fill it."))
                                    .parameter("max_tokens", 64)
                                    .build(),
                            answer)));
        }
        return inputs;
    }

    // ---- pieces

    private static MessageCreateParams.Builder base() {
        return MessageCreateParams.builder().model(Ours.CLAUDE).maxTokens(64);
    }

    private static Input conversation(String name, Consumer<MessageCreateParams.Builder> sdk, ChatMessage... messages) {
        return input(name, sdk, ours -> Stream.of(messages).forEach(ours::message));
    }

    private static Input conversation(
            String name, Consumer<MessageCreateParams.Builder> sdk, List<ChatMessage> messages) {
        return conversation(name, sdk, messages.toArray(ChatMessage[]::new));
    }

    private static Input call(
            String name, Consumer<MessageCreateParams.Builder> sdk, Consumer<ChatRequest.Builder> ours) {
        return input(
                name,
                sdk.andThen(builder -> builder.addUserMessage("Hello")),
                ours.andThen(builder -> builder.message(ChatMessage.user("Hello"))));
    }

    private static Input input(
            String name, Consumer<MessageCreateParams.Builder> sdk, Consumer<ChatRequest.Builder> ours) {
        return new Input(
                "Anthropic, " + name,
                () -> {
                    MessageCreateParams.Builder builder = base();
                    sdk.accept(builder);
                    return AnthropicSdk.messages(builder.build());
                },
                () -> {
                    ChatRequest.Builder builder = ChatRequest.builder().parameter("max_tokens", 64);
                    ours.accept(builder);
                    return Ours.request(Ours.anthropic(), builder.build());
                });
    }

    private static void afterCall(MessageCreateParams.Builder sdk, ToolResultBlockParam.Builder answer) {
        sdk.addUserMessage("Find 7")
                .addAssistantMessageOfContentBlockParams(List.of(use("toolu_1")))
                .addUserMessageOfContentBlockParams(List.of(ContentBlockParam.ofToolResult(answer.build())));
    }

    private static List<ChatMessage> afterCall(List<DataContentBlock> blocks, boolean isError) {
        return List.of(
                ChatMessage.user("Find 7"),
                ChatMessage.assistant(List.of(find("toolu_1"))),
                ChatMessage.tool(new ToolResultBlock("toolu_1", blocks, isError)));
    }

    private static ToolResultBlockParam.Builder answer() {
        return ToolResultBlockParam.builder().toolUseId("toolu_1");
    }

    private static ContentBlockParam result(String id, String text) {
        return ContentBlockParam.ofToolResult(
                ToolResultBlockParam.builder().toolUseId(id).content(text).build());
    }

    private static ContentBlockParam use(String id) {
        return ContentBlockParam.ofToolUse(ToolUseBlockParam.builder()
                .id(id)
                .name("find")
                .input(ToolUseBlockParam.Input.builder()
                        .putAdditionalProperty("id", JsonValue.from("7"))
                        .build())
                .build());
    }

    private static ToolCallBlock find(String id) {
        return new ToolCallBlock(id, "find", Map.of("id", "7"));
    }

    private static ReasoningBlock thought(Map<String, Object> block) {
        return new ReasoningBlock(null, Map.of("anthropic", block));
    }

    private static TextBlockParam part(String text) {
        return TextBlockParam.builder().text(text).build();
    }

    private static ImageBlockParam picture() {
        return ImageBlockParam.builder()
                .source(Base64ImageSource.builder()
                        .mediaType(Base64ImageSource.MediaType.IMAGE_PNG)
                        .data(PNG)
                        .build())
                .build();
    }

    private static ImageBlockParam pictureAt(String url) {
        return ImageBlockParam.builder().urlSource(url).build();
    }

    private static DocumentBlockParam report() {
        return DocumentBlockParam.builder()
                .base64Source(PDF)
                .title("report.pdf")
                .build();
    }

    private static DocumentBlockParam documentAt(String url) {
        return DocumentBlockParam.builder().urlSource(url).build();
    }

    private static DocumentBlockParam note() {
        return DocumentBlockParam.builder().textSource("Hello").build();
    }

    private static Tool tool() {
        return Tool.builder()
                .name("find")
                .description("Finds")
                .inputSchema(Tool.InputSchema.builder()
                        .properties(Tool.InputSchema.Properties.builder()
                                .putAdditionalProperty("id", JsonValue.from(Map.of("type", "string")))
                                .build())
                        .addRequired("id")
                        .putAdditionalProperty("additionalProperties", JsonValue.from(false))
                        .build())
                .build();
    }
}
