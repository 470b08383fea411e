package io.github.flinkagentsnative.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalChatServerTest {
    private static final String HELLO =
            "{\"model\":\"gpt-4o-mini\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello there. And more.\"}]}";

    private final LocalChatServer server = LocalChatServer.start();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aPlainRequestIsAnsweredInTheFormOfTheService() throws Exception {
        HttpResponse<String> answer = Http.chat(server, HELLO);
        JsonNode json = Json.parse(answer.body());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("x-request-id")).isPresent();
        assertThat(json.path("object").asText()).isEqualTo("chat.completion");
        assertThat(json.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
        assertThat(json.at("/choices/0/message/content").asText()).isEqualTo("Hello there.");
        assertThat(json.at("/usage/prompt_tokens").asInt()).isPositive();
        assertThat(json.at("/usage/total_tokens").asInt())
                .isEqualTo(json.at("/usage/prompt_tokens").asInt()
                        + json.at("/usage/completion_tokens").asInt());
        assertThat(server.requests()).singleElement().satisfies(request -> {
            assertThat(request.lastUserText()).isEqualTo("Hello there. And more.");
            assertThat(request.model()).isEqualTo("gpt-4o-mini");
            assertThat(request.toString()).doesNotContain("Hello").doesNotContain(LocalChatServer.DEFAULT_API_KEY);
        });
    }

    @Test
    void aMissingOrWrongKeyIsA401() throws Exception {
        String url = server.baseUrl() + "/chat/completions";
        for (HttpResponse<String> answer :
                List.of(Http.post(url, HELLO), Http.post(url, HELLO, "authorization", "Bearer other"))) {
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(Http.error(answer).path("code").asText()).isEqualTo("invalid_api_key");
            assertThat(answer.body()).doesNotContain(LocalChatServer.DEFAULT_API_KEY);
        }
        server.requireKey(null);
        assertThat(Http.post(url, HELLO).statusCode()).isEqualTo(200);
    }

    @Test
    void anUnknownModelIsA404() throws Exception {
        server.knowModels("gpt-4.1");
        HttpResponse<String> answer = Http.chat(server, HELLO);
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(Http.error(answer).path("code").asText()).isEqualTo("model_not_found");
    }

    @Test
    void azurePathsAreServed() throws Exception {
        String legacy =
                server.azureEndpoint() + "/openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21";
        String unified = server.azureEndpoint() + "/openai/v1/chat/completions";
        assertThat(Http.post(legacy, HELLO, "api-key", server.apiKey()).statusCode())
                .isEqualTo(200);
        assertThat(server.requests().get(0).model()).isEqualTo("my deployment");
        assertThat(Http.post(unified, HELLO, "api-key", server.apiKey()).statusCode())
                .isEqualTo(200);
        assertThat(Http.post(unified, HELLO, "authorization", "Bearer " + server.apiKey())
                        .statusCode())
                .isEqualTo(200);
        assertThat(Http.post(unified, HELLO, "api-key", "other").statusCode()).isEqualTo(401);
        assertThat(Http.post(legacy.replaceFirst("\\?.*", ""), HELLO, "api-key", server.apiKey())
                        .statusCode())
                .isEqualTo(404);
        assertThat(Http.post(server.azureEndpoint() + "/v2/x", HELLO).statusCode())
                .isEqualTo(404);
    }

    @Test
    void rulesComeBeforeQueuedRepliesAndThoseBeforeTheResponder() throws Exception {
        server.respondWith(request -> Reply.text("responder"));
        server.enqueue(Reply.text("queued"));
        server.when(request -> request.lastUserText().contains("rule"), Reply.text("rule"));
        assertThat(Http.content(Http.chat(server, HELLO.replace("Hello", "rule"))))
                .isEqualTo("rule");
        assertThat(Http.content(Http.chat(server, HELLO))).isEqualTo("queued");
        assertThat(Http.content(Http.chat(server, HELLO))).isEqualTo("responder");
        server.reset();
        assertThat(server.requests()).isEmpty();
        assertThat(Http.content(Http.chat(server, HELLO.replace("Hello", "rule"))))
                .isEqualTo("responder");
    }

    @Test
    void everyFaultArrivesAsGiven() throws Exception {
        server.enqueue(
                Reply.rateLimited(Duration.ofMillis(1500)),
                Reply.serverError(),
                Reply.htmlPage(502),
                Reply.emptyBody(),
                Reply.cutJson(),
                Reply.wrongContentType("x"),
                Reply.refusal("no"),
                Reply.truncated("{\"a\":"),
                Reply.contentFilter(),
                Reply.toolCalls(new Reply.ToolCall("call_1", "f", "{}")),
                Reply.text("odd").finishReason("eos_token"));
        HttpResponse<String> limited = Http.chat(server, HELLO);
        assertThat(limited.statusCode()).isEqualTo(429);
        assertThat(limited.headers().firstValue("retry-after-ms")).contains("1500");
        assertThat(Http.chat(server, HELLO).statusCode()).isEqualTo(500);
        HttpResponse<String> html = Http.chat(server, HELLO);
        assertThat(html.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
        assertThat(Http.chat(server, HELLO).body()).isEmpty();
        String cut = Http.chat(server, HELLO).body();
        assertThatThrownBy(() -> Json.parse(cut)).isInstanceOf(IOException.class);
        assertThat(Http.chat(server, HELLO).headers().firstValue("content-type"))
                .contains("text/plain");
        assertThat(Json.parse(Http.chat(server, HELLO).body())
                        .at("/choices/0/message/refusal")
                        .asText())
                .isEqualTo("no");
        assertThat(Json.parse(Http.chat(server, HELLO).body())
                        .at("/choices/0/finish_reason")
                        .asText())
                .isEqualTo("length");
        assertThat(Json.parse(Http.chat(server, HELLO).body())
                        .at("/choices/0/finish_reason")
                        .asText())
                .isEqualTo("content_filter");
        assertThat(Json.parse(Http.chat(server, HELLO).body())
                        .at("/choices/0/message/tool_calls/0/id")
                        .asText())
                .isEqualTo("call_1");
        assertThat(Json.parse(Http.chat(server, HELLO).body())
                        .at("/choices/0/finish_reason")
                        .asText())
                .isEqualTo("eos_token");
    }

    @Test
    void connectionsCanBeCut() {
        server.when(request -> request.lastUserText().contains("before"), Reply.cutConnection());
        server.when(request -> request.lastUserText().contains("within"), Reply.cutBody());
        assertThatThrownBy(() -> Http.chat(server, HELLO.replace("Hello", "before")))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Http.chat(server, HELLO.replace("Hello", "within")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void delayedRequestsOverlapAndAreCounted() {
        server.respondWith(request -> Reply.text("late").after(Duration.ofMillis(300)));
        List<CompletableFuture<Integer>> calls = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return Http.chat(server, HELLO).statusCode();
                            } catch (IOException | InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        task -> new Thread(task).start()))
                .toList();
        assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo(200));
        assertThat(server.maxInFlight()).isBetween(2, 4);
    }

    @Test
    void aResponderThatThrowsIsA500() throws Exception {
        server.respondWith(request -> {
            throw new IllegalStateException("broken test");
        });
        HttpResponse<String> answer = Http.chat(server, HELLO);
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(Http.error(answer).path("message").asText()).contains("broken test");
    }

    @Test
    void theTokenLimitCutsTheAnswer() throws Exception {
        server.respondWith(request -> Reply.text("x".repeat(100)));
        String limited = HELLO.replace("\"messages\"", "\"max_completion_tokens\":10,\"messages\"");
        JsonNode answer = Json.parse(Http.chat(server, limited).body());
        assertThat(answer.at("/choices/0/finish_reason").asText()).isEqualTo("length");
        assertThat(answer.at("/choices/0/message/content").asText()).hasSize(40);
        assertThat(answer.at("/usage/completion_tokens").asInt()).isEqualTo(10);
    }
}
