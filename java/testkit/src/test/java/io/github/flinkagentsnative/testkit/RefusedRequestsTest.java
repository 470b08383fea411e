package io.github.flinkagentsnative.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
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
            })
    void isA400WithParameterAndReason(String body, String param, String reason) throws Exception {
        HttpResponse<String> answer = Http.chat(server, body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Http.error(answer).path("type").asText()).isEqualTo("invalid_request_error");
        assertThat(Http.error(answer).path("param").asText()).isEqualTo(param);
        assertThat(Http.error(answer).path("message").asText()).contains(reason);
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
