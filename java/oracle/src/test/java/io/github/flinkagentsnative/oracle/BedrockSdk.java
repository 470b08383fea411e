package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeClient;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseRequest;

/** What the AWS SDK for Java 2 would send, caught where it hands the request to its HTTP client. */
final class BedrockSdk {
    private BedrockSdk() {}

    static JsonNode converse(ConverseRequest request) {
        Catcher catcher = new Catcher();
        try (BedrockRuntimeClient client = BedrockRuntimeClient.builder()
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "key")))
                .overrideConfiguration(override -> override.retryStrategy(RetryMode.STANDARD))
                .httpClient(catcher)
                .build()) {
            client.converse(request);
        } catch (RuntimeException expected) {
            if (catcher.request == null) {
                throw expected;
            }
            return catcher.request;
        }
        throw new IllegalStateException("The SDK sent nothing");
    }

    private static final class Catcher implements SdkHttpClient {
        private JsonNode request;

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest sent) {
            try (InputStream body = sent.contentStreamProvider().orElseThrow().newStream()) {
                request = Json.object()
                        .put("url", sent.httpRequest().getUri().toString())
                        .set("body", Json.read(body.readAllBytes()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            throw new IllegalStateException("The request was caught, not sent");
        }

        @Override
        public void close() {}
    }
}
