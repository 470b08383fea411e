package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.azure.AzureOpenAIServiceVersion;
import com.openai.azure.credential.AzureApiKeyCredential;
import com.openai.client.OpenAIClient;
import com.openai.client.OpenAIClientImpl;
import com.openai.core.ClientOptions;
import com.openai.core.RequestOptions;
import com.openai.core.http.HttpClient;
import com.openai.core.http.HttpRequest;
import com.openai.core.http.HttpResponse;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.ResponseCreateParams;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What openai-java would send, caught where it hands the request to its HTTP client. */
final class Sdk {
    private Sdk() {}

    static JsonNode openAi(ChatCompletionCreateParams params) {
        return caught(
                options -> options.apiKey("sk-test"),
                client -> client.chat().completions().create(params));
    }

    static JsonNode responses(ResponseCreateParams params) {
        return caught(
                options -> options.apiKey("sk-test"),
                client -> client.responses().create(params));
    }

    static JsonNode azure(String endpoint, String apiVersion, ChatCompletionCreateParams params) {
        return caught(
                options -> {
                    options.baseUrl(endpoint).credential(AzureApiKeyCredential.create("key"));
                    if (apiVersion != null) {
                        options.azureServiceVersion(AzureOpenAIServiceVersion.fromString(apiVersion));
                    }
                },
                client -> client.chat().completions().create(params));
    }

    static JsonNode caught(Consumer<ClientOptions.Builder> settings, Consumer<OpenAIClient> call) {
        Catcher catcher = new Catcher();
        ClientOptions.Builder options =
                ClientOptions.builder().httpClient(catcher).maxRetries(0);
        settings.accept(options);
        try {
            call.accept(new OpenAIClientImpl(options.build()));
        } catch (Caught expected) {
            return catcher.request;
        }
        throw new IllegalStateException("openai-java sent nothing");
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
            sent.body().writeTo(body);
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
