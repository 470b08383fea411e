package io.github.flinkagentsnative.oracle;

import com.openai.models.chat.completions.ChatCompletionAssistantMessageParam;
import com.openai.models.chat.completions.ChatCompletionContentPart;
import com.openai.models.chat.completions.ChatCompletionContentPartImage;
import com.openai.models.chat.completions.ChatCompletionContentPartInputAudio;
import com.openai.models.chat.completions.ChatCompletionContentPartText;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessageCustomToolCall;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import io.github.flinkagentsnative.AudioBlock;
import io.github.flinkagentsnative.Base64Source;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ContentBlock;
import io.github.flinkagentsnative.DocumentBlock;
import io.github.flinkagentsnative.ImageBlock;
import io.github.flinkagentsnative.ReasoningBlock;
import io.github.flinkagentsnative.TextBlock;
import io.github.flinkagentsnative.ToolCallBlock;
import io.github.flinkagentsnative.ToolResultBlock;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Inputs with messages of every kind, and media. */
final class Conversations {
    private static final String PNG = "iVBORw0KGgo=";
    private static final String PDF = "JVBERi0xLjQ=";
    private static final String SOUND = "UklGRg==";
    private static final String ODD = "Grüße 🙂 \"quoted\" \\ / < \u2028 \u0001 tab\tline\nend";

    private Conversations() {}

    static List<Input> inputs() {
        return List.of(
                input("one user text", sdk -> sdk.addUserMessage("Hello"), ChatMessage.user("Hello")),
                input("odd characters", sdk -> sdk.addUserMessage(ODD), ChatMessage.user(ODD)),
                input("an empty user text", sdk -> sdk.addUserMessage(""), ChatMessage.user("")),
                input(
                        "system, user, assistant, user",
                        sdk -> sdk.addSystemMessage("Be short.")
                                .addUserMessage("Hello")
                                .addAssistantMessage("Hi")
                                .addUserMessage("Bye"),
                        ChatMessage.system("Be short."),
                        ChatMessage.user("Hello"),
                        ChatMessage.assistant("Hi"),
                        ChatMessage.user("Bye")),
                input(
                        "a system message in the middle",
                        sdk -> sdk.addUserMessage("Hello").addSystemMessage("Be short."),
                        ChatMessage.user("Hello"),
                        ChatMessage.system("Be short.")),
                input(
                        "two user texts in one message",
                        sdk -> sdk.addUserMessageOfArrayOfContentParts(List.of(text("One "), text("two"))),
                        ChatMessage.user(List.of(new TextBlock("One "), new TextBlock("two")))),
                input(
                        "a refusal in the history",
                        sdk -> sdk.addUserMessage("Do it")
                                .addMessage(ChatCompletionAssistantMessageParam.builder()
                                        .refusal("I will not")
                                        .build()),
                        ChatMessage.user("Do it"),
                        ChatMessage.assistant("").withMetadata(Map.of("refusal", "I will not"))),
                input(
                        "reasoning in the history",
                        sdk -> sdk.addAssistantMessage("Four"),
                        ChatMessage.assistant(List.of(new ReasoningBlock("2 + 2"), new TextBlock("Four")))),
                input(
                        "a tool call and its result",
                        sdk -> sdk.addUserMessage("Weather?")
                                .addMessage(calls("Let me look.", call("call_1", "weather", "{\"city\":\"Oslo\"}")))
                                .addMessage(result("call_1", "rain")),
                        ChatMessage.user("Weather?"),
                        ChatMessage.assistant(List.of(
                                new TextBlock("Let me look."),
                                new ToolCallBlock("call_1", "weather", Map.of("city", "Oslo")))),
                        ChatMessage.tool(ToolResultBlock.of("call_1", "rain"))),
                input(
                        "two calls without text, one result an error",
                        sdk -> sdk.addMessage(calls(
                                        null,
                                        call("a", "f", "{}"),
                                        call("b", "g", "{\"n\":1.10,\"deep\":[1,{\"x\":null}]}")))
                                .addMessage(result("a", "boom"))
                                .addMessage(result("b", "")),
                        ChatMessage.assistant(List.of(
                                new ToolCallBlock("a", "f", Map.of()), new ToolCallBlock("b", "g", arguments()))),
                        ChatMessage.tool(ToolResultBlock.error("a", "boom")),
                        ChatMessage.tool(new ToolResultBlock("b", List.of(), false))),
                input(
                        "an empty text beside a call",
                        sdk -> sdk.addMessage(calls("", call("a", "f", "{}"))),
                        ChatMessage.assistant(List.of(new TextBlock(""), new ToolCallBlock("a", "f", Map.of())))),
                input(
                        "a call of a custom tool",
                        sdk -> sdk.addMessage(ChatCompletionAssistantMessageParam.builder()
                                .addToolCall(ChatCompletionMessageCustomToolCall.builder()
                                        .id("c")
                                        .custom(ChatCompletionMessageCustomToolCall.Custom.builder()
                                                .name("sql")
                                                .input("select 1")
                                                .build())
                                        .build())
                                .build()),
                        ChatMessage.assistant(List.of(
                                new ToolCallBlock("c", "sql", Map.of("input", "select 1"), Map.of("type", "custom"))))),
                input(
                        "a tool result of two texts",
                        sdk -> sdk.addMessage(ChatCompletionToolMessageParam.builder()
                                .toolCallId("a")
                                .contentOfArrayOfContentParts(List.of(part("one"), part("two")))
                                .build()),
                        ChatMessage.tool(
                                new ToolResultBlock("a", List.of(new TextBlock("one"), new TextBlock("two")), false))),
                media(
                        "an image by URL",
                        List.of(text("What is it?"), image("https://example.com/a.png?x=1&y=2")),
                        new TextBlock("What is it?"),
                        ImageBlock.fromUrl("image/png", "https://example.com/a.png?x=1&y=2")),
                media(
                        "an image as data, before the text",
                        List.of(image("data:image/png;base64," + PNG), text("What is it?")),
                        ImageBlock.fromBase64("image/png", PNG),
                        new TextBlock("What is it?")),
                media("a WAV sound", List.of(sound("wav")), AudioBlock.fromBase64("audio/wav", SOUND)),
                media("an MP3 sound", List.of(sound("mp3")), AudioBlock.fromBase64("audio/mpeg", SOUND)),
                media(
                        "a named document",
                        List.of(text("Sum up"), file("report.pdf")),
                        new TextBlock("Sum up"),
                        new DocumentBlock("application/pdf", new Base64Source(PDF), "report.pdf", 8L, null)),
                media(
                        "a document without a name",
                        List.of(file(null)),
                        DocumentBlock.fromBase64("application/pdf", PDF)),
                media(
                        "two images around a text",
                        List.of(image("https://example.com/1"), text("or"), image("https://example.com/2")),
                        ImageBlock.fromUrl("image/jpeg", "https://example.com/1"),
                        new TextBlock("or"),
                        ImageBlock.fromUrl("image/jpeg", "https://example.com/2")));
    }

    private static Map<String, Object> arguments() {
        Map<String, Object> deep = new LinkedHashMap<>();
        deep.put("x", null);
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("n", new BigDecimal("1.10"));
        arguments.put("deep", Arrays.asList(1, deep));
        return arguments;
    }

    private static Input input(String name, Consumer<ChatCompletionCreateParams.Builder> sdk, ChatMessage... messages) {
        return new Input(
                name,
                () -> {
                    ChatCompletionCreateParams.Builder builder =
                            ChatCompletionCreateParams.builder().model(Ours.MODEL);
                    sdk.accept(builder);
                    return Sdk.openAi(builder.build());
                },
                () -> Ours.request(Ours.openAi(), ChatRequest.of(messages)));
    }

    private static Input media(String name, List<ChatCompletionContentPart> parts, ContentBlock... blocks) {
        return input(name, sdk -> sdk.addUserMessageOfArrayOfContentParts(parts), ChatMessage.user(List.of(blocks)));
    }

    private static ChatCompletionContentPartText part(String text) {
        return ChatCompletionContentPartText.builder().text(text).build();
    }

    private static ChatCompletionContentPart text(String text) {
        return ChatCompletionContentPart.ofText(part(text));
    }

    private static ChatCompletionContentPart image(String url) {
        return ChatCompletionContentPart.ofImageUrl(ChatCompletionContentPartImage.builder()
                .imageUrl(ChatCompletionContentPartImage.ImageUrl.builder()
                        .url(url)
                        .build())
                .build());
    }

    private static ChatCompletionContentPart sound(String format) {
        return ChatCompletionContentPart.ofInputAudio(ChatCompletionContentPartInputAudio.builder()
                .inputAudio(ChatCompletionContentPartInputAudio.InputAudio.builder()
                        .data(SOUND)
                        .format(ChatCompletionContentPartInputAudio.InputAudio.Format.of(format))
                        .build())
                .build());
    }

    private static ChatCompletionContentPart file(String name) {
        ChatCompletionContentPart.File.FileObject.Builder file =
                ChatCompletionContentPart.File.FileObject.builder().fileData("data:application/pdf;base64," + PDF);
        if (name != null) {
            file.filename(name);
        }
        return ChatCompletionContentPart.ofFile(
                ChatCompletionContentPart.File.builder().file(file.build()).build());
    }

    private static ChatCompletionMessageFunctionToolCall call(String id, String name, String arguments) {
        return ChatCompletionMessageFunctionToolCall.builder()
                .id(id)
                .function(ChatCompletionMessageFunctionToolCall.Function.builder()
                        .name(name)
                        .arguments(arguments)
                        .build())
                .build();
    }

    private static ChatCompletionAssistantMessageParam calls(
            String text, ChatCompletionMessageFunctionToolCall... calls) {
        ChatCompletionAssistantMessageParam.Builder message = ChatCompletionAssistantMessageParam.builder();
        if (text != null) {
            message.content(text);
        }
        for (ChatCompletionMessageFunctionToolCall call : calls) {
            message.addToolCall(call);
        }
        return message.build();
    }

    private static ChatCompletionToolMessageParam result(String id, String text) {
        return ChatCompletionToolMessageParam.builder()
                .toolCallId(id)
                .content(text)
                .build();
    }
}
