package io.github.flinkagentsnative.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the real service refuses, the local one refuses too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedRequestsTest {
    private LocalChatServer server;

    @BeforeAll
    void start() {
        server = LocalChatServer.start();
    }

    @AfterAll
    void close() {
        server.close();
    }

    @ParameterizedTest(name = "{0} -> {1} {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"model\":\"m\",\"messages\":[]}                                                              | messages              | at least one message",
                "{\"model\":\"m\"}                                                                              | messages              | Missing required parameter",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"robot\",\"content\":\"x\"}]}                        | messages[0].role      | Invalid value",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":null}]}                          | messages[0].content   | expected a string",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[]}]}                            | messages[0].content   | expected a string",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"video_url\"}]}]}    | messages[0].content[0].type | video_url",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\"}]}]}         | messages[0].content[0].text | Missing",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\"}]}                                      | messages[0].content   | tool calls",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"x\"}]}  | messages[0].tool_call_id | preceding",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"role\":\"user\",\"content\":\"x\"}]} | messages | must be followed",
                "{\"model\":\"m\",\"temprature\":1,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}        | temprature            | Unknown parameter",
                "{\"model\":\"m\",\"temperature\":3,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}       | temperature           | expected a value from",
                "{\"model\":\"m\",\"top_logprobs\":3,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}      | top_logprobs          | logprobs",
                "{\"model\":\"m\",\"max_tokens\":0,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}        | max_tokens            | below minimum",
                "{\"model\":\"o4-mini\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}  | max_tokens            | max_completion_tokens",
                "{\"model\":\"gpt-5-mini\",\"temperature\":0.1,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | temperature      | Only the default",
                "{\"model\":\"m\",\"tool_choice\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | tool_choice          | tools",
                "{\"model\":\"m\",\"tools\":[],\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}            | tools                 | at least one",
                "{\"model\":\"m\",\"response_format\":{\"type\":\"json_object\"},\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | messages | json",
                "{\"model\":\"m\",\"response_format\":{\"type\":\"yaml\"},\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | response_format.type | json_schema",
                "{\"model\":\"m\",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"a b\",\"schema\":{}}},\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | response_format.json_schema.name | 64 characters",
                "{\"model\":\"gpt-3.5-turbo\",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"a\",\"schema\":{}}},\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | response_format | not supported",
                "{\"model\":\"m\",\"stop\":[\"a\",\"b\",\"c\",\"d\",\"e\"],\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | stop | at most 4",
                "{\"model\":\"m\",\"stop\":5,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | stop | a string or an array",
                "{\"model\":\"m\",\"stop\":[\"a\",5],\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | stop | a string or an array",
                "{\"model\":\"m\",\"seed\":\"a\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | seed | expected an integer",
                "{\"model\":\"m\",\"user\":5,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | user | expected a string",
                "{\"model\":\"m\",\"logprobs\":\"yes\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | logprobs | expected a boolean",
                "{\"model\":\"m\",\"logit_bias\":\"x\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | logit_bias | expected an object",
                "{\"model\":\"m\",\"logit_bias\":{\"50256\":101},\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | logit_bias.50256 | from -100.0 to 100.0",
                "{\"model\":\"m\",\"reasoning_effort\":\"xx\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | reasoning_effort | expected one of",
                "{\"model\":\"m\",\"max_tokens\":9,\"max_completion_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | max_tokens | at the same time",
                "{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],\"tool_choice\":\"always\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | tool_choice | expected 'none'",
                "{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"g\"}},\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | tool_choice | 'g' not found",
                "{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],\"tool_choice\":{\"type\":\"allowed_tools\",\"allowed_tools\":{\"mode\":\"auto\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"g\"}}]}},\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | tool_choice | 'g' not found",
                "{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}},{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | tools | given twice",
                "{\"model\":\"m\",\"tools\":[{\"type\":\"custom\"}],\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | tools[0].custom.name | 64 characters",
                "{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"strict\":\"yes\"}}],\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | tools[0].function.strict | expected a boolean",
                "{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"input\":{}}}],\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | tools[0].function.input | Unknown parameter",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":\"https://example.com/a.png\"}]}]} | messages[0].content[0].image_url | expected an object",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{}}]}]} | messages[0].content[0].image_url.url | Missing",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://example.com/a.png\",\"detail\":\"best\"}}]}]} | messages[0].content[0].image_url.detail | expected one of",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"AA==\",\"format\":\"ogg\"}}]}]} | messages[0].content[0].input_audio.format | mp3, wav",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"file\",\"file\":{\"filename\":\"a.pdf\"}}]}]} | messages[0].content[0].file.file_data | Missing",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":5}]}]} | messages[0].content[0].text | expected a string",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\",\"media\":[]}]} | messages[0].media | Unknown parameter",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"x\"}]} | messages[0].tool_calls[0].type | Missing",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":{}}}]},{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"x\"}]} | messages[0].tool_calls[0].function.arguments | expected a string",
                "{\"model\":\"m\",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"a\",\"schema\":{},\"strict\":\"yes\"}},\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} | response_format.json_schema.strict | expected a boolean",
            })
    void isA400WithParameterAndReason(String body, String param, String reason) throws Exception {
        HttpResponse<String> answer = Http.chat(server, body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Http.error(answer).path("type").asText()).isEqualTo("invalid_request_error");
        assertThat(Http.error(answer).path("param").asText()).isEqualTo(param);
        assertThat(Http.error(answer).path("message").asText()).contains(reason);
    }

    @Test
    void atMost128ToolsAreTaken() throws Exception {
        assertThat(Http.chat(server, withTools(128)).statusCode()).isEqualTo(200);
        HttpResponse<String> answer = Http.chat(server, withTools(129));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Http.error(answer).path("type").asText()).isEqualTo("invalid_request_error");
        assertThat(Http.error(answer).path("param").asText()).isEqualTo("tools");
        assertThat(Http.error(answer).path("code").asText()).isEqualTo("array_above_max_length");
    }

    private static String withTools(int count) {
        String tools = IntStream.range(0, count)
                .mapToObj(i -> "{\"type\":\"function\",\"function\":{\"name\":\"f" + i + "\"}}")
                .collect(Collectors.joining(",", "[", "]"));
        return "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"tools\":" + tools + "}";
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "2024-06-01, 400",
        "2024-07-01-preview, 400",
        "2024-08-01-preview, 200",
        "2024-10-21, 200",
    })
    void azureKnowsSchemasFromItsVersionOfAugust2024On(String version, int status) throws Exception {
        String body = Http.strict(
                "x", "{\"type\":\"object\",\"properties\":{},\"required\":[],\"additionalProperties\":false}");
        String url = server.azureEndpoint() + "/openai/deployments/d/chat/completions?api-version=" + version;
        HttpResponse<String> answer = Http.post(url, body, "api-key", server.apiKey());
        assertThat(answer.statusCode()).isEqualTo(status);
        if (status == 400) {
            assertThat(Http.error(answer).path("type").asText()).isEqualTo("invalid_request_error");
            assertThat(Http.error(answer).path("param").asText()).isEqualTo("response_format");
            assertThat(Http.error(answer).path("message").asText()).contains("2024-08-01-preview");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"stop\":[\"a\",\"b\",\"c\",\"d\"],\"seed\":7,\"user\":\"u\",\"logit_bias\":{\"50256\":-100},\"reasoning_effort\":\"low\"",
                "\"stop\":null,\"seed\":null,\"user\":null,\"logprobs\":null,\"logit_bias\":null,\"reasoning_effort\":null",
                "\"logprobs\":true,\"top_logprobs\":3,\"max_completion_tokens\":64,\"max_tokens\":null",
                "\"tools\":[{\"type\":\"custom\",\"custom\":{\"name\":\"c\"}}],\"tool_choice\":{\"type\":\"custom\",\"custom\":{\"name\":\"c\"}}",
            })
    void parametersInTheirRangeAreTaken(String parameters) throws Exception {
        String body = "{\"model\":\"m\"," + parameters + ",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}";
        assertThat(Http.chat(server, body).statusCode()).isEqualTo(200);
    }

    @Test
    void aBodyThatIsNoJsonOrRepeatsAKeyIsA400() throws Exception {
        assertThat(Http.chat(server, "{\"model\":").statusCode()).isEqualTo(400);
        assertThat(Http.chat(
                                server,
                                "{\"model\":\"m\",\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void toolResultsThatAnswerTheirCallsAreTaken() throws Exception {
        String body = """
                {"model":"m","messages":[{"role":"user","content":"x"},
                 {"role":"assistant","content":null,"tool_calls":[
                  {"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},
                  {"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]},
                 {"role":"tool","tool_call_id":"b","content":"2"},{"role":"tool","tool_call_id":"a","content":"1"}]}""";
        assertThat(Http.chat(server, body).statusCode()).isEqualTo(200);
    }

    @Test
    void aStrictFunctionIsCheckedLikeAResponseFormat() throws Exception {
        String body = """
                {"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":
                 {"name":"f","strict":true,"parameters":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}]}""";
        HttpResponse<String> answer = Http.chat(server, body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Http.error(answer).path("code").asText()).isEqualTo("invalid_function_parameters");
        assertThat(Http.error(answer).path("message").asText())
                .startsWith("Invalid schema for function 'f': In context=()");
    }

    @Test
    void aStrictSchemaWithoutAdditionalPropertiesFalseIsRefused() throws Exception {
        HttpResponse<String> answer = Http.chat(server, Http.strict("x", """
                {"type":"object","properties":{"inner":{"type":"object","properties":{},"required":[]}},
                 "required":["inner"],"additionalProperties":false}"""));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Http.error(answer).path("param").asText()).isEqualTo("response_format");
        assertThat(Http.error(answer).path("message").asText())
                .isEqualTo(
                        "Invalid schema for response_format 'Verdict': "
                                + "In context=('properties', 'inner'), 'additionalProperties' is required to be supplied and to be false.");
    }
}
