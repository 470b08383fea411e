package io.github.flinkagentsnative.oracle;

import static io.github.flinkagentsnative.oracle.BedrockDifference.BLANK_TEXT;
import static io.github.flinkagentsnative.oracle.BedrockDifference.DOCUMENT_NAME;
import static io.github.flinkagentsnative.oracle.BedrockDifference.ONE_TURN;
import static io.github.flinkagentsnative.oracle.BedrockDifference.SCHEMA_FORM;
import static io.github.flinkagentsnative.oracle.BedrockDifference.SUCCESS_STATUS;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.flinkagentsnative.AwsCredentials;
import io.github.flinkagentsnative.AwsKeys;
import io.github.flinkagentsnative.Base64Source;
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
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.document.Document;
import software.amazon.awssdk.services.bedrockruntime.model.ContentBlock;
import software.amazon.awssdk.services.bedrockruntime.model.ConversationRole;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseRequest;
import software.amazon.awssdk.services.bedrockruntime.model.DocumentFormat;
import software.amazon.awssdk.services.bedrockruntime.model.ImageFormat;
import software.amazon.awssdk.services.bedrockruntime.model.ImageSource;
import software.amazon.awssdk.services.bedrockruntime.model.Message;
import software.amazon.awssdk.services.bedrockruntime.model.OutputFormatType;
import software.amazon.awssdk.services.bedrockruntime.model.SystemContentBlock;
import software.amazon.awssdk.services.bedrockruntime.model.Tool;
import software.amazon.awssdk.services.bedrockruntime.model.ToolChoice;
import software.amazon.awssdk.services.bedrockruntime.model.ToolInputSchema;
import software.amazon.awssdk.services.bedrockruntime.model.ToolResultContentBlock;
import software.amazon.awssdk.services.bedrockruntime.model.ToolResultStatus;

/** What the AWS SDK sends to Converse is what this library sends, but for the stated differences. */
class BedrockOracleTest extends SdkOracle<BedrockDifference> {
    private static final String CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
    private static final byte[] BYTES = {1, 2, 3, -1};
    private static final String ODD = "Grüße 🙂 \"quoted\" \\ / < \u2028 \u0001 tab\tline\nend";
    private static final String TOOL =
            "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]}";
    private static final String SCHEMA =
            "{\"title\":\"Order\",\"type\":\"object\",\"properties\":{\"amount\":{\"type\":\"number\",\"minimum\":0},"
                    + "\"note\":{\"type\":\"string\"}},\"required\":[\"amount\"]}";

    BedrockOracleTest() {
        super(BedrockDifference.class, "differences-bedrock.md");
    }

    @Override
    List<SdkCase<BedrockDifference>> cases() {
        return Stream.of(messages(), media(), tools(), options())
                .flatMap(List::stream)
                .toList();
    }

    private static List<SdkCase<BedrockDifference>> messages() {
        return List.of(
                talk("a user's text", List.of(user(text("Hello"))), ChatMessage.user("Hello")),
                talk("odd characters", List.of(user(text(ODD))), ChatMessage.user(ODD)),
                talk(
                        "turns",
                        List.of(user(text("Hello")), assistant(text("Hi")), user(text("Bye"))),
                        ChatMessage.user("Hello"),
                        ChatMessage.assistant("Hi"),
                        ChatMessage.user("Bye")),
                talk(
                        "two texts of a user",
                        List.of(user(text("one "), text("two"))),
                        ChatMessage.user(List.of(new TextBlock("one "), new TextBlock("two")))),
                differing(
                        "two messages of a user",
                        Set.of(ONE_TURN),
                        List.of(user(text("one")), user(text("two"))),
                        ChatMessage.user("one"),
                        ChatMessage.user("two")),
                differing(
                        "an assistant that said nothing",
                        EnumSet.of(BLANK_TEXT, ONE_TURN),
                        List.of(user(text("Hello")), assistant(text(" ")), user(text("Well?"))),
                        ChatMessage.user("Hello"),
                        ChatMessage.assistant(" "),
                        ChatMessage.user("Well?")),
                configured(
                        "two system messages",
                        sdk -> sdk.system(
                                SystemContentBlock.fromText("Be short."), SystemContentBlock.fromText("Be kind.")),
                        request -> request.message(ChatMessage.system("Be short."))
                                .message(ChatMessage.system("Be kind."))),
                talk(
                        "reasoning with its signature",
                        List.of(
                                user(text("Hello")),
                                assistant(
                                        ContentBlock.fromReasoningContent(reasoning -> reasoning.reasoningText(
                                                kept -> kept.text("I weigh").signature("c2ln"))),
                                        text("Hi")),
                                user(text("Bye"))),
                        ChatMessage.user("Hello"),
                        ChatMessage.assistant(List.of(
                                new ReasoningBlock("I weigh", Map.of("bedrock", Map.of("signature", "c2ln"))),
                                new TextBlock("Hi"))),
                        ChatMessage.user("Bye")));
    }

    private static List<SdkCase<BedrockDifference>> media() {
        return List.of(
                talk(
                        "an image as bytes, and one in S3",
                        List.of(user(
                                text("See:"),
                                image(ImageSource.fromBytes(SdkBytes.fromByteArray(BYTES))),
                                image(ImageSource.fromS3Location(location -> location.uri("s3://bucket/a.png"))))),
                        ChatMessage.user(List.of(
                                new TextBlock("See:"),
                                ImageBlock.fromBytes("image/png", BYTES),
                                ImageBlock.fromUrl("image/png", "s3://bucket/a.png")))),
                differing(
                        "a document",
                        Set.of(DOCUMENT_NAME),
                        List.of(user(text("Sum up"), document("the_contract.pdf"))),
                        ChatMessage.user(List.of(
                                new TextBlock("Sum up"),
                                new DocumentBlock(
                                        "application/pdf",
                                        new Base64Source("AQID/w=="),
                                        "the_contract.pdf",
                                        4L,
                                        null)))),
                talk(
                        "an image and a document of a tool",
                        List.of(
                                user(text("Draw")),
                                assistant(call("c1", Map.of())),
                                user(ContentBlock.fromToolResult(result -> result.toolUseId("c1")
                                        .status(ToolResultStatus.SUCCESS)
                                        .content(
                                                ToolResultContentBlock.fromText("see"),
                                                ToolResultContentBlock.fromImage(shown -> shown.format(ImageFormat.PNG)
                                                        .source(ImageSource.fromBytes(SdkBytes.fromByteArray(BYTES)))),
                                                ToolResultContentBlock.fromDocument(
                                                        shown -> shown.format(DocumentFormat.CSV)
                                                                .name("table")
                                                                .source(source -> source.bytes(
                                                                        SdkBytes.fromByteArray(BYTES)))))))),
                        ChatMessage.user("Draw"),
                        ChatMessage.assistant(List.of(new ToolCallBlock("c1", "temp", Map.of()))),
                        ChatMessage.tool(new ToolResultBlock(
                                "c1",
                                List.of(
                                        new TextBlock("see"),
                                        ImageBlock.fromBytes("image/png", BYTES),
                                        new DocumentBlock("text/csv", new Base64Source("AQID/w=="), "table", 4L, null)),
                                false))));
    }

    private static List<SdkCase<BedrockDifference>> tools() {
        return List.of(
                configured(
                        "a tool",
                        sdk -> sdk.toolConfig(tools -> tools.tools(tool())),
                        request -> request.tool(new ToolSpec("temp", "How warm it is", TOOL))),
                configured(
                        "a tool that has to be called",
                        sdk -> sdk.toolConfig(tools ->
                                tools.tools(tool()).toolChoice(ToolChoice.fromTool(choice -> choice.name("temp")))),
                        request -> request.tool(new ToolSpec("temp", "How warm it is", TOOL))
                                .parameter("tool_choice", Map.of("tool", Map.of("name", "temp")))),
                configured(
                        "any tool",
                        sdk -> sdk.toolConfig(
                                tools -> tools.tools(tool()).toolChoice(ToolChoice.fromAny(choice -> {}))),
                        request -> request.tool(new ToolSpec("temp", "How warm it is", TOOL))
                                .parameter("tool_choice", "required")),
                differing(
                        "a call and its result",
                        Set.of(SUCCESS_STATUS),
                        List.of(
                                user(text("How warm?")),
                                assistant(text("I look."), call("c1", Map.of("city", Document.fromString("A")))),
                                user(result("c1", "10", null))),
                        ChatMessage.user("How warm?"),
                        ChatMessage.assistant(List.of(
                                new TextBlock("I look."), new ToolCallBlock("c1", "temp", Map.of("city", "A")))),
                        ChatMessage.tool(ToolResultBlock.of("c1", "10"))),
                differing(
                        "two results, one of them an error, and a text of the user",
                        EnumSet.of(ONE_TURN, SUCCESS_STATUS),
                        List.of(
                                user(text("How warm?")),
                                assistant(
                                        call("c1", Map.of("n", Document.fromNumber(new BigDecimal("1.10")))),
                                        call(
                                                "c2",
                                                Map.of(
                                                        "deep",
                                                        Document.fromList(List.of(
                                                                Document.fromNumber(1), Document.fromNull()))))),
                                user(result("c1", "10", null)),
                                user(result("c2", "no city", ToolResultStatus.ERROR)),
                                user(text("And now?"))),
                        ChatMessage.user("How warm?"),
                        ChatMessage.assistant(List.of(
                                new ToolCallBlock("c1", "temp", Map.of("n", new BigDecimal("1.10"))),
                                new ToolCallBlock("c2", "temp", Map.of("deep", Arrays.asList(1, null))))),
                        ChatMessage.tool(ToolResultBlock.of("c1", "10")),
                        ChatMessage.tool(ToolResultBlock.error("c2", "no city")),
                        ChatMessage.user("And now?")));
    }

    private static List<SdkCase<BedrockDifference>> options() {
        return List.of(
                configured(
                        "limits",
                        sdk -> sdk.inferenceConfig(inference -> inference
                                .maxTokens(64)
                                .temperature(0.5f)
                                .topP(0.75f)
                                .stopSequences("END", "\n\n")),
                        request -> request.parameter("max_tokens", 64)
                                .parameter("temperature", 0.5)
                                .parameter("top_p", 0.75)
                                .parameter("stop", List.of("END", "\n\n"))),
                configured(
                        "the model's own fields, and members of the root",
                        sdk -> sdk.additionalModelRequestFields(
                                        Document.fromMap(Map.of("top_k", Document.fromNumber(5))))
                                .additionalModelResponseFieldPaths("/stop_sequence")
                                .requestMetadata(Map.of("team", "orders"))
                                .guardrailConfig(guardrail ->
                                        guardrail.guardrailIdentifier("g-1").guardrailVersion("DRAFT")),
                        request -> request.parameter(
                                "additional_kwargs",
                                Map.of(
                                        "top_k", 5,
                                        "additionalModelResponseFieldPaths", List.of("/stop_sequence"),
                                        "requestMetadata", Map.of("team", "orders"),
                                        "guardrailConfig",
                                                Map.of("guardrailIdentifier", "g-1", "guardrailVersion", "DRAFT")))),
                schema(),
                named(
                        "an ARN as the model",
                        "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2"),
                named("a model of another prefix", "global.anthropic.claude-haiku-4-5-20251001-v1:0"));
    }

    private static SdkCase<BedrockDifference> schema() {
        ConverseRequest sdk = ConverseRequest.builder()
                .modelId(CLAUDE)
                .messages(user(text("Hello")))
                .outputConfig(output -> output.textFormat(format -> format.type(OutputFormatType.JSON_SCHEMA)
                        .structure(structure -> structure.jsonSchema(given -> given.schema(SCHEMA)))))
                .build();
        HttpCall ours = model(CLAUDE)
                .buildRequest(ChatRequest.of(ChatMessage.user("Hello")), OutputSchema.ofJsonSchema(SCHEMA));
        return new SdkCase<>("a schema", BedrockSdk.converse(sdk), wire(ours), EnumSet.of(SCHEMA_FORM));
    }

    private static SdkCase<BedrockDifference> named(String name, String model) {
        return new SdkCase<>(
                name,
                BedrockSdk.converse(ConverseRequest.builder()
                        .modelId(model)
                        .messages(user(text("Hello")))
                        .build()),
                wire(model(model).buildRequest(ChatRequest.of(ChatMessage.user("Hello")))),
                Set.of());
    }

    private static SdkCase<BedrockDifference> talk(String name, List<Message> turns, ChatMessage... messages) {
        return differing(name, Set.of(), turns, messages);
    }

    private static SdkCase<BedrockDifference> differing(
            String name, Set<BedrockDifference> differences, List<Message> turns, ChatMessage... messages) {
        return new SdkCase<>(
                name,
                BedrockSdk.converse(ConverseRequest.builder()
                        .modelId(CLAUDE)
                        .messages(turns)
                        .build()),
                wire(model(CLAUDE).buildRequest(ChatRequest.of(messages))),
                differences);
    }

    private static SdkCase<BedrockDifference> configured(
            String name, Consumer<ConverseRequest.Builder> sdk, UnaryOperator<ChatRequest.Builder> ours) {
        ConverseRequest.Builder request =
                ConverseRequest.builder().modelId(CLAUDE).messages(user(text("Hello")));
        sdk.accept(request);
        ChatRequest.Builder same = ChatRequest.builder().message(ChatMessage.user("Hello"));
        return new SdkCase<>(
                name,
                BedrockSdk.converse(request.build()),
                wire(model(CLAUDE).buildRequest(ours.apply(same).build())),
                Set.of());
    }

    private static ChatModel model(String name) {
        return ChatModel.builder(Provider.BEDROCK)
                .setting("region", "us-east-1")
                .model(name)
                .awsCredentials(AwsCredentials.of(AwsKeys.of("id", "key")))
                .build();
    }

    private static JsonNode wire(HttpCall call) {
        return Json.object().put("url", call.url().toString()).set("body", Json.read(call.body()));
    }

    /** The schema travels as a text: what counts is the JSON in it. */
    @Override
    JsonNode readable(JsonNode request) {
        JsonNode copy = request.deepCopy();
        if (copy.at("/body/outputConfig/textFormat/structure/jsonSchema")
                instanceof com.fasterxml.jackson.databind.node.ObjectNode format) {
            format.set("schema", Json.read(format.get("schema").asText()));
        }
        return copy;
    }

    private static Message user(ContentBlock... content) {
        return Message.builder().role(ConversationRole.USER).content(content).build();
    }

    private static Message assistant(ContentBlock... content) {
        return Message.builder()
                .role(ConversationRole.ASSISTANT)
                .content(content)
                .build();
    }

    private static ContentBlock text(String text) {
        return ContentBlock.fromText(text);
    }

    private static ContentBlock image(ImageSource source) {
        return ContentBlock.fromImage(image -> image.format(ImageFormat.PNG).source(source));
    }

    private static ContentBlock document(String name) {
        return ContentBlock.fromDocument(document -> document.format(DocumentFormat.PDF)
                .name(name)
                .source(source -> source.bytes(SdkBytes.fromByteArray(BYTES))));
    }

    private static ContentBlock call(String id, Map<String, Document> input) {
        return ContentBlock.fromToolUse(call -> call.toolUseId(id).name("temp").input(Document.fromMap(input)));
    }

    private static ContentBlock result(String id, String text, ToolResultStatus status) {
        return ContentBlock.fromToolResult(
                result -> result.toolUseId(id).status(status).content(ToolResultContentBlock.fromText(text)));
    }

    private static Tool tool() {
        Document city = Document.fromMap(Map.of("type", Document.fromString("string")));
        Document schema = Document.fromMap(Map.of(
                "type", Document.fromString("object"),
                "properties", Document.fromMap(Map.of("city", city)),
                "required", Document.fromList(List.of(Document.fromString("city")))));
        return Tool.fromToolSpec(
                spec -> spec.name("temp").description("How warm it is").inputSchema(ToolInputSchema.fromJson(schema)));
    }
}
