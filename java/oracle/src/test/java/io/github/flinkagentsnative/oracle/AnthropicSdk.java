package io.github.flinkagentsnative.oracle;

import com.anthropic.client.AnthropicClientImpl;
import com.anthropic.core.ClientOptions;
import com.anthropic.core.RequestOptions;
import com.anthropic.core.http.HttpClient;
import com.anthropic.core.http.HttpRequest;
import com.anthropic.core.http.HttpResponse;
import com.anthropic.models.messages.MessageCreateParams;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;

/** What anthropic-java would send, caught where it hands the request to its HTTP client. */
final class AnthropicSdk {
    private AnthropicSdk() {}

    static JsonNode messages(MessageCreateParams params) {
        Catcher catcher = new Catcher();
        ClientOptions options =
                ClientOptions.builder().httpClient(catcher).maxRetries(0).build();
        try {
            new AnthropicClientImpl(options).messages().create(params);
        } catch (Caught expected) {
            return catcher.request;
        }
        throw new IllegalStateException("anthropic-java sent nothing");
    }

    private static final class Caught extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Caught() {
            super("The request was caught, not sent");
        }
    }

    private static final class Catcher implements HttpClient {
        private JsonNode request;

        @Override
        public HttpResponse execute(HttpRequest sent, RequestOptions options) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            sent.body().orElseThrow().writeTo(body);
            request = Json.object().put("url", sent.url()).set("body", Json.read(body.toByteArray()));
            throw new Caught();
        }

        @Override
        public CompletableFuture<HttpResponse> executeAsync(HttpRequest sent, RequestOptions options) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException("only blocking calls are caught"));
        }

        @Override
        public void close() {}
    }
}
