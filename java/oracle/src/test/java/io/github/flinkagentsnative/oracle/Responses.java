package io.github.flinkagentsnative.oracle;

import com.openai.core.JsonSchemaLocalValidation;
import com.openai.core.JsonValue;
import com.openai.models.Reasoning;
import com.openai.models.ReasoningEffort;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionCallOutputItem;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputContent;
import com.openai.models.responses.ResponseInputFile;
import com.openai.models.responses.ResponseInputFileContent;
import com.openai.models.responses.ResponseInputImage;
import com.openai.models.responses.ResponseInputImageContent;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseInputText;
import com.openai.models.responses.ResponseInputTextContent;
import com.openai.models.responses.ResponseReasoningItem;
import com.openai.models.responses.ToolChoiceFunction;
import com.openai.models.responses.ToolChoiceOptions;
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
import io.github.flinkagentsnative.UrlSource;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Inputs for OpenAI Responses. */
final class Responses {
    private static final String PNG = "iVBORw0KGgo=";
    private static final String PDF = "JVBERi0xLjQ=";
    private static final String PNG_DATA = "data:image/png;base64," + PNG;
    private static final String PDF_DATA = "data:application/pdf;base64," + PDF;
    private static final String TOOL =
            "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}},\"required\":[\"id\"],\"additionalProperties\":false}";
    private static final List<DataContentBlock> MIXED = List.of(
            new TextBlock("See:"),
            ImageBlock.fromBase64("image/png", PNG),
            ImageBlock.fromUrl("image/png", "https://example.com/a.png"),
            new DocumentBlock("application/pdf", new Base64Source(PDF), "report.pdf", null, null),
            DocumentBlock.fromUrl("application/pdf", "https://example.com/a.pdf"),
            new TextBlock(""));

    private Responses() {}

    static List<Input> inputs() {
        return Stream.of(messages(), results(), calls(), schemas())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Input> messages() {
        return List.of(
                conversation("a user text", List.of(user(text("Hello"))), ChatMessage.user("Hello")),
                conversation(
                        "system, user, assistant, user",
                        List.of(
                                message(ResponseInputItem.Message.Role.SYSTEM, text("Be short.")),
                                user(text("Hello")),
                                assistant("Hi"),
                                user(text("Bye"))),
                        ChatMessage.system("Be short."),
                        ChatMessage.user("Hello"),
                        ChatMessage.assistant("Hi"),
                        ChatMessage.user("Bye")),
                conversation(
                        "two user texts in one message",
                        List.of(user(text("One "), text("two"))),
                        ChatMessage.user(List.of(new TextBlock("One "), new TextBlock("two")))),
                conversation(
                        "user images and documents",
                        List.of(user(
                                text("See:"),
                                image(PNG_DATA),
                                image("https://example.com/a.png"),
                                ResponseInputContent.ofInputFile(ResponseInputFile.builder()
                                        .fileData(PDF_DATA)
                                        .filename("report.pdf")
                                        .build()),
                                ResponseInputContent.ofInputFile(ResponseInputFile.builder()
                                        .fileUrl("https://example.com/a.pdf")
                                        .build()),
                                text(""))),
                        ChatMessage.user(MIXED)),
                conversation(
                        "a document without a name",
                        List.of(user(ResponseInputContent.ofInputFile(
                                ResponseInputFile.builder().fileData(PDF_DATA).build()))),
                        ChatMessage.user(List.of(DocumentBlock.fromBase64("application/pdf", PDF)))),
                conversation(
                        "reasoning before its call",
                        List.of(
                                ResponseInputItem.ofReasoning(ResponseReasoningItem.builder()
                                        .id("rs_1")
                                        .addSummary(ResponseReasoningItem.Summary.builder()
                                                .text("Look it up")
                                                .build())
                                        .encryptedContent("c2VjcmV0")
                                        .build()),
                                call("fc_1", "call_1", "find", "{\"id\":\"7\"}"),
                                result("call_1", "found")),
                        ChatMessage.assistant(List.of(
                                new ReasoningBlock("Look it up", Map.of("openai_responses", reasoning())),
                                new ToolCallBlock("call_1", "find", Map.of("id", "7"), Map.of("item_id", "fc_1")))),
                        ChatMessage.tool(ToolResultBlock.of("call_1", "found"))),
                conversation(
                        "a call without an item id, after text",
                        List.of(assistant("Let me look."), call(null, "call_1", "now", "{}")),
                        ChatMessage.assistant(
                                List.of(new TextBlock("Let me look."), new ToolCallBlock("call_1", "now", Map.of())))));
    }

    private static List<Input> results() {
        return List.of(
                conversation(
                        "a tool result of two texts",
                        List.of(output(part("one"), part("two"))),
                        result(List.of(new TextBlock("one"), new TextBlock("two")), false)),
                conversation("an empty tool result", List.of(result("call_1", "")), result(List.of(), false)),
                conversation(
                        "a tool result that is an error",
                        List.of(result("call_1", "boom")),
                        result(List.of(new TextBlock("boom")), true)),
                conversation(
                        "a tool result with images and documents",
                        List.of(output(
                                part("See:"),
                                picture(PNG_DATA),
                                picture("https://example.com/a.png"),
                                ResponseFunctionCallOutputItem.ofInputFile(ResponseInputFileContent.builder()
                                        .fileData(PDF_DATA)
                                        .filename("report.pdf")
                                        .build()),
                                ResponseFunctionCallOutputItem.ofInputFile(ResponseInputFileContent.builder()
                                        .fileUrl("https://example.com/a.pdf")
                                        .build()),
                                part(""))),
                        result(MIXED, false)),
                conversation(
                        "a tool result of a named document behind a URL",
                        List.of(output(ResponseFunctionCallOutputItem.ofInputFile(ResponseInputFileContent.builder()
                                .fileUrl("https://example.com/a.pdf")
                                .filename("a.pdf")
                                .build()))),
                        result(
                                List.of(new DocumentBlock(
                                        "application/pdf",
                                        new UrlSource("https://example.com/a.pdf"),
                                        "a.pdf",
                                        null,
                                        null)),
                                false)));
    }

    private static List<Input> calls() {
        return List.of(
                call("a tool", sdk -> sdk.addTool(tool(false)), ours -> ours.tool(new ToolSpec("find", "Finds", TOOL))),
                call(
                        "a strict tool that must be called, one at a time",
                        sdk -> sdk.addTool(tool(true))
                                .toolChoice(ToolChoiceOptions.REQUIRED)
                                .parallelToolCalls(false),
                        ours -> ours.tool(new ToolSpec("find", "Finds", TOOL, true))
                                .parameter("tool_choice", "required")
                                .parameter("parallel_tool_calls", false)),
                call(
                        "a named tool must be called",
                        sdk -> sdk.addTool(tool(false))
                                .toolChoice(ToolChoiceFunction.builder()
                                        .name("find")
                                        .build()),
                        ours -> ours.tool(new ToolSpec("find", "Finds", TOOL))
                                .parameter("tool_choice", Map.of("type", "function", "name", "find"))),
                call(
                        "limits and sampling",
                        sdk -> sdk.maxOutputTokens(256).temperature(0.1).topP(0.95),
                        ours -> ours.parameter("max_tokens", 256)
                                .parameter("temperature", new BigDecimal("0.1"))
                                .parameter("top_p", new BigDecimal("0.95"))),
                call(
                        "effort",
                        sdk -> sdk.reasoning(
                                Reasoning.builder().effort(ReasoningEffort.LOW).build()),
                        ours -> ours.parameter("reasoning_effort", "low")),
                call(
                        "additional properties",
                        sdk -> sdk.putAdditionalBodyProperty("truncation", JsonValue.from("auto")),
                        ours -> ours.parameter("additional_kwargs", Map.of("truncation", "auto"))));
    }

    /** Schemas are the same as on Chat Completions; a few show that, one with a wrapper. */
    private static List<Input> schemas() {
        List<Input> inputs = new ArrayList<>();
        for (Class<?> answer : List.of(
                Shapes.Verdict.class,
                Shapes.Task.class,
                Shapes.Figure.class,
                Shapes.Parcel.class,
                Shapes.Tally.class)) {
            inputs.add(new Input(
                    "Responses, class " + answer.getSimpleName(),
                    () -> Sdk.responses(ResponseCreateParams.builder()
                            .model(Ours.MODEL)
                            .inputOfResponse(List.of(user(text("Fill it."))))
                            .text(answer, JsonSchemaLocalValidation.NO)
                            .build()
                            .rawParams()),
                    () -> Ours.request(Ours.responses(), ChatRequest.of(ChatMessage.user("Fill it.")), answer)));
        }
        return inputs;
    }

    // ---- pieces

    private static Input conversation(String name, List<ResponseInputItem> items, ChatMessage... messages) {
        return new Input(
                "Responses, " + name,
                () -> Sdk.responses(ResponseCreateParams.builder()
                        .model(Ours.MODEL)
                        .inputOfResponse(items)
                        .build()),
                () -> Ours.request(Ours.responses(), ChatRequest.of(messages)));
    }

    private static Input call(
            String name, Consumer<ResponseCreateParams.Builder> sdk, Consumer<ChatRequest.Builder> ours) {
        return new Input(
                "Responses, " + name,
                () -> {
                    ResponseCreateParams.Builder builder = ResponseCreateParams.builder()
                            .model(Ours.MODEL)
                            .inputOfResponse(List.of(user(text("Hello"))));
                    sdk.accept(builder);
                    return Sdk.responses(builder.build());
                },
                () -> {
                    ChatRequest.Builder builder = ChatRequest.builder().message(ChatMessage.user("Hello"));
                    ours.accept(builder);
                    return Ours.request(Ours.responses(), builder.build());
                });
    }

    private static ResponseInputItem user(ResponseInputContent... content) {
        return message(ResponseInputItem.Message.Role.USER, content);
    }

    private static ResponseInputItem message(ResponseInputItem.Message.Role role, ResponseInputContent... content) {
        return ResponseInputItem.ofMessage(ResponseInputItem.Message.builder()
                .role(role)
                .content(List.of(content))
                .build());
    }

    private static ResponseInputItem assistant(String text) {
        return ResponseInputItem.ofEasyInputMessage(EasyInputMessage.builder()
                .role(EasyInputMessage.Role.ASSISTANT)
                .content(text)
                .build());
    }

    private static ResponseInputContent text(String text) {
        return ResponseInputContent.ofInputText(
                ResponseInputText.builder().text(text).build());
    }

    private static ResponseInputContent image(String url) {
        return ResponseInputContent.ofInputImage(ResponseInputImage.builder()
                .imageUrl(url)
                .detail(ResponseInputImage.Detail.AUTO)
                .build());
    }

    private static ResponseInputItem call(String item, String id, String name, String arguments) {
        ResponseFunctionToolCall.Builder call = ResponseFunctionToolCall.builder()
                .callId(id)
                .name(name)
                .arguments(arguments)
                .status(ResponseFunctionToolCall.Status.COMPLETED);
        if (item != null) {
            call.id(item);
        }
        return ResponseInputItem.ofFunctionCall(call.build());
    }

    private static ResponseInputItem result(String id, String text) {
        return ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                .callId(id)
                .output(text)
                .build());
    }

    private static ChatMessage result(List<DataContentBlock> blocks, boolean isError) {
        return ChatMessage.tool(new ToolResultBlock("call_1", blocks, isError));
    }

    private static ResponseInputItem output(ResponseFunctionCallOutputItem... parts) {
        return ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                .callId("call_1")
                .outputOfResponseFunctionCallOutputItemList(List.of(parts))
                .build());
    }

    private static ResponseFunctionCallOutputItem part(String text) {
        return ResponseFunctionCallOutputItem.ofInputText(
                ResponseInputTextContent.builder().text(text).build());
    }

    private static ResponseFunctionCallOutputItem picture(String url) {
        return ResponseFunctionCallOutputItem.ofInputImage(ResponseInputImageContent.builder()
                .imageUrl(url)
                .detail(ResponseInputImageContent.Detail.AUTO)
                .build());
    }

    private static Map<String, Object> reasoning() {
        return Map.of(
                "type",
                "reasoning",
                "id",
                "rs_1",
                "summary",
                List.of(Map.of("type", "summary_text", "text", "Look it up")),
                "encrypted_content",
                "c2VjcmV0");
    }

    private static FunctionTool tool(boolean strict) {
        FunctionTool.Parameters.Builder parameters = FunctionTool.Parameters.builder();
        Json.read(TOOL)
                .fields()
                .forEachRemaining(member ->
                        parameters.putAdditionalProperty(member.getKey(), JsonValue.fromJsonNode(member.getValue())));
        return FunctionTool.builder()
                .name("find")
                .description("Finds")
                .parameters(parameters.build())
                .strict(strict)
                .build();
    }
}
