package io.github.flinkagentsnative.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkagentsnative.ChatClient;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatOutcome;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.Provider;
import io.github.flinkagentsnative.ToolCallBlock;
import io.github.flinkagentsnative.ToolResultBlock;
import io.github.flinkagentsnative.ToolSpec;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server as OpenAI Responses, through the client and with requests that the service refuses. */
class ResponsesServerTest {
    private static final String SCHEMA = """
            {"type":"object","properties":{"topic":{"type":"string","enum":["BILLING","OTHER"]},"amount":{"type":["number","null"]}},
             "required":["topic","amount"],"additionalProperties":false}""";

    private final LocalChatServer server = LocalChatServer.start();
    private ChatClient client;

    @BeforeEach
    void open() {
        client = ChatClient.open(model(server.baseUrl()).build());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private ChatModel.Builder model(String base) {
        return ChatModel.builder(Provider.OPENAI_RESPONSES)
                .apiBaseUrl(base)
                .apiKey(server.apiKey())
                .model("gpt-4o-mini");
    }

    private ChatOutcome<?> ask(String text) throws InterruptedException {
        return client.ask(ChatRequest.of(ChatMessage.user(text)), OutputSchema.ofJsonSchema(SCHEMA));
    }

    @Test
    void aSchemaIsFilledFromTheText() throws Exception {
        server.respondWith(new SchemaResponder().hint("BILLING", "Rechnung"));
        ChatOutcome<?> outcome = ask("Die Rechnung stimmt nicht, 12,50 EUR.");
        assertThat(outcome.isSuccess()).as(outcome.error()).isTrue();
        assertThat(outcome.decision().isNative()).isTrue();
        assertThat(outcome.response().message().text()).contains("BILLING").contains("12.5");
        assertThat(outcome.response().usage().completionTokens()).isPositive();
        assertThat(server.requests().get(0).path()).isEqualTo("/v1/responses");
        assertThat(server.requests().get(0).schema().path("properties").size()).isEqualTo(2);
    }

    @Test
    void eachReplyArrivesInItsForm() throws Exception {
        server.enqueue(
                Reply.text("{\"topic\":\"OTHER\",\"amount\":1.10}"),
                Reply.refusal("I will not."),
                Reply.truncated("{\"topic\":"),
                Reply.contentFilter(),
                Reply.serverError());
        assertThat(ask("a").isSuccess()).isTrue();
        assertThat(ask("b").kind()).isEqualTo(ErrorKind.REFUSAL);
        assertThat(ask("c").kind()).isEqualTo(ErrorKind.TRUNCATED);
        assertThat(ask("d").kind()).isEqualTo(ErrorKind.CONTENT_FILTER);
        assertThat(ask("e").kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
    }

    @Test
    void aToolIsCalledAndItsResultTaken() throws Exception {
        ToolSpec tool = new ToolSpec("weather", "Weather", """
                {"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}""", true);
        ChatMessage user = ChatMessage.user("How is it in Oslo?");
        ChatRequest request = ChatRequest.builder()
                .message(user)
                .tool(tool)
                .parameter("tool_choice", "required")
                .build();
        ChatMessage answer = client.chat(request).message();
        ToolCallBlock call = answer.toolCalls().get(0);
        assertThat(call.name()).isEqualTo("weather");
        assertThat(call.input()).containsKey("city");
        ChatRequest next = ChatRequest.builder()
                .message(user)
                .message(answer)
                .message(ChatMessage.tool(ToolResultBlock.of(call.callId(), "cold")))
                .build();
        assertThat(client.chat(next).message().text()).isEqualTo("How is it in Oslo?");
    }

    @Test
    void azuresV1FormTakesTheKeyInItsHeader() throws Exception {
        ChatModel azure = model(server.azureEndpoint() + "/openai/v1")
                .setting("auth", "api_key_header")
                .model("team-a")
                .nativeModels(List.of("team-a"))
                .build();
        try (ChatClient other = ChatClient.open(azure)) {
            ChatOutcome<?> outcome =
                    other.ask(ChatRequest.of(ChatMessage.user("Hello.")), OutputSchema.ofJsonSchema(SCHEMA));
            assertThat(outcome.isSuccess()).as(outcome.error()).isTrue();
        }
        assertThat(server.requests().get(0).headers()).containsKey("api-key").doesNotContainKey("authorization");
    }

    @Test
    void theTokenLimitCutsTheAnswer() throws Exception {
        server.enqueue(Reply.text("x".repeat(1000)));
        ChatRequest request = ChatRequest.builder()
                .message(ChatMessage.user("Hello."))
                .parameters(Map.of("max_tokens", 16))
                .build();
        assertThat(client.chat(request).message().text()).hasSize(64);
        assertThat(server.requests().get(0).json().path("max_output_tokens").asInt())
                .isEqualTo(16);
    }

    @ParameterizedTest(name = "{0} -> {1} {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                                     | input                 | Missing",
                "{\"input\":[]}                                         | input                 | at least one",
                "{\"input\":5}                                          | input                 | a string or an array",
                "{\"input\":\"x\",\"messages\":[]}                      | messages              | Unknown parameter",
                "{\"input\":\"x\",\"stop\":\"a\"}                       | stop                  | Unknown parameter",
                "{\"input\":\"x\",\"max_output_tokens\":15}             | max_output_tokens     | below minimum",
                "{\"input\":\"x\",\"include\":[\"all\"]}                | include[0]            | can be included",
                "{\"input\":\"x\",\"reasoning\":{\"effort\":\"xx\"}}    | reasoning.effort      | expected one of",
                "{\"input\":\"x\",\"text\":{\"format\":{\"type\":\"yaml\"}}} | text.format.type | json_schema",
                "{\"input\":\"x\",\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"a b\",\"schema\":{}}}} | text.format.name | 64 characters",
                "{\"input\":\"x\",\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"a\",\"schema\":{\"type\":\"object\",\"properties\":{}},\"strict\":true}}} | text.format.schema | additionalProperties",
                "{\"input\":\"x\",\"text\":{\"format\":{\"type\":\"json_object\"}}} | input | json",
                "{\"input\":[{\"role\":\"robot\",\"content\":\"x\"}]}   | input[0].role         | expected one of",
                "{\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}]} | input[0].content[0].type | input_text",
                "{\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_image\"}]}]} | input[0].content[0].image_url | Missing",
                "{\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_file\",\"file_data\":\"x\"}]}]} | input[0].content[0].filename | Missing",
                "{\"input\":[{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"x\"}]} | input | No tool call found",
                "{\"input\":[{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"}]} | input | No tool output found",
                "{\"input\":[{\"type\":\"function_call\",\"id\":\"c\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"}]} | input[0].id | fc_",
                "{\"input\":[{\"type\":\"reasoning\",\"id\":\"rs_1\"}]} | input[0].summary      | Missing",
                "{\"input\":\"x\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]} | tools[0].function | Unknown parameter",
                "{\"input\":\"x\",\"tools\":[{\"type\":\"function\",\"name\":\"f\",\"strict\":true,\"parameters\":{\"type\":\"object\"}}]} | tools[0].parameters | additionalProperties",
                "{\"input\":\"x\",\"tool_choice\":\"required\"}         | tool_choice           | must be specified",
            })
    void whatTheServiceRefuses(String body, String param, String message) throws Exception {
        String json = body.replaceFirst("\\{", "{\"model\":\"m\"" + (body.equals("{}") ? "" : ","));
        HttpResponse<String> answer =
                Http.post(server.baseUrl() + "/responses", json, "authorization", "Bearer " + server.apiKey());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(Http.error(answer).path("param").asText()).as(answer.body()).isEqualTo(param);
        assertThat(Http.error(answer).path("message").asText()).contains(message);
    }
}
