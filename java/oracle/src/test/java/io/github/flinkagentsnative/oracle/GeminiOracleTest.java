package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.genai.types.Blob;
import com.google.genai.types.Content;
import com.google.genai.types.FileData;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionCallingConfig;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.FunctionResponsePart;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.Part;
import com.google.genai.types.SafetySetting;
import com.google.genai.types.ThinkingConfig;
import com.google.genai.types.Tool;
import com.google.genai.types.ToolConfig;
import io.github.flinkagentsnative.AudioBlock;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.DocumentBlock;
import io.github.flinkagentsnative.HttpCall;
import io.github.flinkagentsnative.ImageBlock;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.Provider;
import io.github.flinkagentsnative.ReasoningBlock;
import io.github.flinkagentsnative.TextBlock;
import io.github.flinkagentsnative.ToolCallBlock;
import io.github.flinkagentsnative.ToolResultBlock;
import io.github.flinkagentsnative.ToolSpec;
import io.github.flinkagentsnative.VideoBlock;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** What google-genai sends is what this library sends, but for the stated differences. */
class GeminiOracleTest extends SdkOracle<GeminiDifference> {
    private static final String FLASH = "gemini-2.5-flash";
    private static final String THIRD = "gemini-3-pro-preview";
    private static final byte[] BYTES = {1, 2, 3, -1};
    private static final String TOOL =
            "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]}";
    private static final String SCHEMA =
            "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\",\"const\":\"a\"},"
                    + "\"name\":{\"type\":\"string\",\"minLength\":2},\"lines\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":"
                    + "{\"n\":{\"type\":\"integer\",\"minimum\":1}},\"required\":[\"n\"]}},\"note\":{\"type\":\"string\"}},"
                    + "\"required\":[\"kind\",\"name\",\"lines\"]}";

    GeminiOracleTest() {
        super(GeminiDifference.class, "differences-gemini.md");
    }

    @Override
    List<SdkCase<GeminiDifference>> cases() {
        return Stream.of(messages(), media(), tools(), options())
                .flatMap(List::stream)
                .toList();
    }

    private static List<SdkCase<GeminiDifference>> messages() {
        ReasoningBlock thought = new ReasoningBlock(
                "I weigh", Map.of("gemini", Map.of("text", "I weigh", "thought", true, "thoughtSignature", "c2ln")));
        return List.of(
                talk("a user's text", List.of(user("Hello")), ChatMessage.user("Hello")),
                talk(
                        "turns",
                        List.of(user("Hello"), model(text("Hi")), user("Bye \ud83d\ude42 \u0001")),
                        ChatMessage.user("Hello"),
                        ChatMessage.assistant("Hi"),
                        ChatMessage.user("Bye \ud83d\ude42 \u0001")),
                configured(
                        "a system message",
                        config -> config.systemInstruction(Content.fromParts(text("Be short."))),
                        request -> request.message(ChatMessage.system("Be short.")),
                        GeminiDifference.SYSTEM_ROLE,
                        GeminiDifference.EMPTY_CONFIGURATION),
                configured(
                        "two system messages",
                        config ->
                                config.systemInstruction(Content.builder().parts(text("Be short."), text("Be kind."))),
                        request -> request.message(ChatMessage.system("Be short."))
                                .message(ChatMessage.system("Be kind.")),
                        GeminiDifference.EMPTY_CONFIGURATION),
                differing(
                        "two texts of a user",
                        Set.of(GeminiDifference.TEXTS_JOINED),
                        List.of(content("user", text("one "), text("two"))),
                        ChatMessage.user(List.of(new TextBlock("one "), new TextBlock("two")))),
                differing(
                        "an assistant that said nothing",
                        Set.of(GeminiDifference.EMPTY_TURN),
                        List.of(user("Hello"), model(text("")), user("Well?")),
                        ChatMessage.user("Hello"),
                        ChatMessage.assistant(""),
                        ChatMessage.user("Well?")),
                talk(
                        "a thought with its signature",
                        List.of(
                                user("Hello"),
                                model(
                                        Part.builder()
                                                .text("I weigh")
                                                .thought(true)
                                                .thoughtSignature("sig".getBytes(StandardCharsets.UTF_8))
                                                .build(),
                                        text("Hi")),
                                user("Bye")),
                        ChatMessage.user("Hello"),
                        ChatMessage.assistant(List.of(thought, new TextBlock("Hi"))),
                        ChatMessage.user("Bye")));
    }

    private static List<SdkCase<GeminiDifference>> media() {
        return List.of(
                talk(
                        "media as bytes",
                        List.of(content(
                                "user",
                                text("See:"),
                                bytes("image/png"),
                                bytes("audio/wav"),
                                bytes("video/mp4"),
                                bytes("application/pdf"))),
                        ChatMessage.user(List.of(
                                new TextBlock("See:"),
                                ImageBlock.fromBytes("image/png", BYTES),
                                AudioBlock.fromBytes("audio/wav", BYTES),
                                VideoBlock.fromBytes("video/mp4", BYTES),
                                DocumentBlock.fromBytes("application/pdf", BYTES)))),
                talk(
                        "media by address",
                        List.of(content("user", file("image/png"), file("video/mp4"), text("What?"))),
                        ChatMessage.user(List.of(
                                ImageBlock.fromUrl("image/png", "https://example.com/a"),
                                VideoBlock.fromUrl("video/mp4", "https://example.com/a"),
                                new TextBlock("What?")))),
                onThird(
                        "media of a tool",
                        List.of(
                                user("Draw"),
                                model(call("c1", Map.of("city", "A")).toBuilder()
                                        .thoughtSignature("sig".getBytes(StandardCharsets.UTF_8))
                                        .build()),
                                content(
                                        "user",
                                        Part.builder()
                                                .functionResponse(FunctionResponse.builder()
                                                        .id("c1")
                                                        .name("temp")
                                                        .response(Map.of("result", "see"))
                                                        .parts(
                                                                FunctionResponsePart.fromBytes(BYTES, "image/png"),
                                                                FunctionResponsePart.fromUri(
                                                                        "https://example.com/a", "application/pdf")))
                                                .build())),
                        ChatMessage.user("Draw"),
                        ChatMessage.assistant(List.of(new ToolCallBlock(
                                "c1", "temp", Map.of("city", "A"), Map.of("thought_signature", "c2ln")))),
                        ChatMessage.tool(new ToolResultBlock(
                                "c1",
                                List.of(
                                        new TextBlock("see"),
                                        ImageBlock.fromBytes("image/png", BYTES),
                                        DocumentBlock.fromUrl("application/pdf", "https://example.com/a")),
                                false,
                                Map.of()))));
    }

    private static List<SdkCase<GeminiDifference>> tools() {
        Map<String, Object> synthetic = Map.of("synthetic_id", true);
        Map<String, Object> nullDate = new HashMap<>(Map.of("city", "A"));
        nullDate.put("date", null);
        return List.of(
                configured(
                        "a tool",
                        config -> config.tools(tool()),
                        request -> request.tool(spec()),
                        GeminiDifference.EMPTY_CONFIGURATION),
                configured(
                        "a tool that has to be called",
                        config -> config.tools(tool()).toolConfig(choice("ANY", "temp")),
                        request -> request.tool(spec())
                                .parameter(
                                        "tool_choice", Map.of("type", "function", "function", Map.of("name", "temp"))),
                        GeminiDifference.EMPTY_CONFIGURATION),
                configured(
                        "a tool choice without tools",
                        config -> config.toolConfig(choice("AUTO")),
                        request -> request.parameter("tool_choice", "auto"),
                        GeminiDifference.TOOL_CHOICE_ALONE,
                        GeminiDifference.EMPTY_CONFIGURATION),
                talk(
                        "a call with an id, and its result",
                        List.of(
                                user("How warm?"),
                                model(text("I look."), call("c1", Map.of("city", "A"))),
                                content("user", result("c1", "result", "10"))),
                        ChatMessage.user("How warm?"),
                        ChatMessage.assistant(List.of(
                                new TextBlock("I look."), new ToolCallBlock("c1", "temp", Map.of("city", "A")))),
                        ChatMessage.tool(ToolResultBlock.of("c1", "10"))),
                talk(
                        "two calls without ids, one failed, one signed",
                        List.of(
                                user("How warm?"),
                                model(
                                        call(null, Map.of("city", "A")).toBuilder()
                                                .thoughtSignature("sig".getBytes(StandardCharsets.UTF_8))
                                                .build(),
                                        call(null, Map.of("city", "B"))),
                                content("user", result(null, "result", "10"), result(null, "error", "no city"))),
                        ChatMessage.user("How warm?"),
                        ChatMessage.assistant(List.of(
                                new ToolCallBlock(
                                        "call_0",
                                        "temp",
                                        Map.of("city", "A"),
                                        Map.of("synthetic_id", true, "thought_signature", "c2ln")),
                                new ToolCallBlock("call_1", "temp", Map.of("city", "B"), synthetic))),
                        ChatMessage.tool(ToolResultBlock.of("call_0", "10")),
                        ChatMessage.tool(ToolResultBlock.error("call_1", "no city"))),
                differing(
                        "a null among the arguments",
                        Set.of(GeminiDifference.NULL_ARGUMENTS),
                        List.of(
                                user("How warm?"),
                                model(call("c1", nullDate)),
                                content("user", result("c1", "result", "10"))),
                        ChatMessage.user("How warm?"),
                        ChatMessage.assistant(List.of(new ToolCallBlock("c1", "temp", nullDate))),
                        ChatMessage.tool(ToolResultBlock.of("c1", "10"))));
    }

    private static List<SdkCase<GeminiDifference>> options() {
        GenerateContentConfig.Builder all = GenerateContentConfig.builder()
                .temperature(0.5f)
                .topP(0.25f)
                .topK(40f)
                .maxOutputTokens(256)
                .seed(7)
                .stopSequences("END", "STOP")
                .responseLogprobs(true)
                .logprobs(3)
                .presencePenalty(0.5f)
                .frequencyPenalty(-0.5f);
        UnaryOperator<ChatRequest.Builder> same = request -> request.parameter("temperature", 0.5)
                .parameter("top_p", 0.25)
                .parameter("top_k", 40)
                .parameter("max_tokens", 256)
                .parameter("seed", 7)
                .parameter("stop", List.of("END", "STOP"))
                .parameter("logprobs", true)
                .parameter("top_logprobs", 3)
                .parameter("presence_penalty", 0.5)
                .parameter("frequency_penalty", -0.5);
        return List.of(
                new SdkCase<>(
                        "sampling",
                        GeminiSdk.gemini(FLASH, List.of(user("Hello")), all.build()),
                        ours(model(FLASH), same.apply(ChatRequest.builder().message(ChatMessage.user("Hello")))),
                        EnumSet.of(GeminiDifference.PATH_VERSION)),
                configured(
                        "thinking",
                        config -> config.thinkingConfig(
                                ThinkingConfig.builder().thinkingBudget(512).includeThoughts(true)),
                        request -> request.parameter("thinking_budget", 512).parameter("include_thoughts", true)),
                configured(
                        "a thinking level",
                        config -> config.thinkingConfig(ThinkingConfig.builder().thinkingLevel("HIGH")),
                        request -> request.parameter("reasoning_effort", "HIGH")),
                configured(
                        "safety settings and a resolution",
                        config -> config.safetySettings(SafetySetting.builder()
                                        .category("HARM_CATEGORY_HATE_SPEECH")
                                        .threshold("BLOCK_NONE"))
                                .mediaResolution("MEDIA_RESOLUTION_LOW"),
                        request -> request.parameter(
                                "additional_kwargs",
                                Map.of(
                                        "safetySettings",
                                        List.of(Map.of(
                                                "category", "HARM_CATEGORY_HATE_SPEECH", "threshold", "BLOCK_NONE")),
                                        "generationConfig",
                                        Map.of("mediaResolution", "MEDIA_RESOLUTION_LOW")))),
                schema("a schema", FLASH, List.of()),
                schema("a schema beside a tool", THIRD, List.of(spec())),
                new SdkCase<>(
                        "a path as the model's name",
                        GeminiSdk.gemini("models/" + FLASH, List.of(user("Hello")), null),
                        ours(model("models/" + FLASH), ChatRequest.builder().message(ChatMessage.user("Hello"))),
                        EnumSet.of(GeminiDifference.PATH_VERSION)),
                new SdkCase<>(
                        "Vertex AI",
                        GeminiSdk.vertex(FLASH, List.of(user("Hello")), null),
                        ours(vertexModel(), ChatRequest.builder().message(ChatMessage.user("Hello"))),
                        EnumSet.of(GeminiDifference.PATH_VERSION)));
    }

    private static SdkCase<GeminiDifference> schema(String name, String model, List<ToolSpec> tools) {
        GenerateContentConfig.Builder config = GenerateContentConfig.builder()
                .responseMimeType("application/json")
                .responseJsonSchema(Json.read(SCHEMA));
        if (!tools.isEmpty()) {
            config.tools(tool());
        }
        ChatRequest request = ChatRequest.builder()
                .message(ChatMessage.user("Hello"))
                .tools(tools)
                .build();
        return new SdkCase<>(
                name,
                GeminiSdk.gemini(model, List.of(user("Hello")), config.build()),
                wire(model(model).buildRequest(request, OutputSchema.ofJsonSchema(SCHEMA))),
                EnumSet.of(GeminiDifference.PATH_VERSION, GeminiDifference.SCHEMA_FORM));
    }

    private static SdkCase<GeminiDifference> talk(String name, List<Content> contents, ChatMessage... messages) {
        return differing(name, Set.of(), contents, messages);
    }

    private static SdkCase<GeminiDifference> differing(
            String name, Set<GeminiDifference> differences, List<Content> contents, ChatMessage... messages) {
        return turns(name, FLASH, differences, contents, messages);
    }

    private static SdkCase<GeminiDifference> onThird(String name, List<Content> contents, ChatMessage... messages) {
        return turns(name, THIRD, Set.of(), contents, messages);
    }

    private static SdkCase<GeminiDifference> turns(
            String name,
            String model,
            Set<GeminiDifference> differences,
            List<Content> contents,
            ChatMessage... messages) {
        Set<GeminiDifference> all = EnumSet.of(GeminiDifference.PATH_VERSION);
        all.addAll(differences);
        ChatRequest.Builder request = ChatRequest.builder().messages(List.of(messages));
        return new SdkCase<>(name, GeminiSdk.gemini(model, contents, null), ours(model(model), request), all);
    }

    private static SdkCase<GeminiDifference> configured(
            String name,
            Consumer<GenerateContentConfig.Builder> sdk,
            UnaryOperator<ChatRequest.Builder> ours,
            GeminiDifference... differences) {
        GenerateContentConfig.Builder config = GenerateContentConfig.builder();
        sdk.accept(config);
        Set<GeminiDifference> all = EnumSet.of(GeminiDifference.PATH_VERSION, differences);
        return new SdkCase<>(
                name,
                GeminiSdk.gemini(FLASH, List.of(user("Hello")), config.build()),
                ours(model(FLASH), ours.apply(ChatRequest.builder().message(ChatMessage.user("Hello")))),
                all);
    }

    private static ChatModel model(String name) {
        return ChatModel.builder(Provider.GEMINI).model(name).apiKey("key").build();
    }

    private static ChatModel vertexModel() {
        return ChatModel.builder(Provider.GEMINI)
                .model(FLASH)
                .project("p-1")
                .setting("location", "europe-west4")
                .apiKey("key")
                .build();
    }

    private static JsonNode ours(ChatModel model, ChatRequest.Builder request) {
        return wire(model.buildRequest(request.build()));
    }

    private static JsonNode wire(HttpCall call) {
        return Json.object().put("path", call.url().getRawPath()).set("body", Json.read(call.body()));
    }

    private static Content user(String text) {
        return content("user", text(text));
    }

    private static Content model(Part... parts) {
        return content("model", parts);
    }

    private static Content content(String role, Part... parts) {
        return Content.builder().role(role).parts(parts).build();
    }

    private static Part text(String text) {
        return Part.fromText(text);
    }

    private static Part bytes(String mediaType) {
        return Part.builder()
                .inlineData(Blob.builder().mimeType(mediaType).data(BYTES))
                .build();
    }

    private static Part file(String mediaType) {
        return Part.builder()
                .fileData(FileData.builder().mimeType(mediaType).fileUri("https://example.com/a"))
                .build();
    }

    private static Part call(String id, Map<String, Object> arguments) {
        FunctionCall.Builder call = FunctionCall.builder().name("temp").args(arguments);
        return Part.builder().functionCall(id == null ? call : call.id(id)).build();
    }

    private static Part result(String id, String key, String text) {
        FunctionResponse.Builder result =
                FunctionResponse.builder().name("temp").response(Map.of(key, text));
        return Part.builder()
                .functionResponse(id == null ? result : result.id(id))
                .build();
    }

    private static Tool tool() {
        return Tool.builder()
                .functionDeclarations(FunctionDeclaration.builder()
                        .name("temp")
                        .description("How warm it is")
                        .parametersJsonSchema(Json.read(TOOL)))
                .build();
    }

    private static ToolSpec spec() {
        return new ToolSpec("temp", "How warm it is", TOOL);
    }

    private static ToolConfig choice(String mode, String... names) {
        FunctionCallingConfig.Builder config = FunctionCallingConfig.builder().mode(mode);
        return ToolConfig.builder()
                .functionCallingConfig(names.length == 0 ? config : config.allowedFunctionNames(names))
                .build();
    }
}
