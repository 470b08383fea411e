package io.github.flinkagentsnative.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.flinkagentsnative.AwsCredentials;
import io.github.flinkagentsnative.AwsKeys;
import io.github.flinkagentsnative.ChatClient;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatModelException;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.Provider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Signatures equal those of the AWS SDK's signer, byte for byte; a server that checks them answers. */
class BedrockSignatureTest {
    private static final AwsSigner.Keys LASTING =
            new AwsSigner.Keys("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", null);
    private static final AwsSigner.Keys TEMPORARY =
            new AwsSigner.Keys("ASIAEXAMPLE", "anotherSecret/With+Signs=", "token/With+Signs==");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final String ANSWER =
            "{\"output\":{\"message\":{\"role\":\"assistant\",\"content\":[{\"text\":\"Hi\"}]}},"
                    + "\"stopReason\":\"end_turn\",\"usage\":{\"inputTokens\":1,\"outputTokens\":1,\"totalTokens\":2}}";

    private final List<String> paths = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    static Iterator<JsonNode> vectors() throws IOException {
        Path file = Path.of(System.getProperty("project.root"), "tests", "vectors", "signatures", "aws_sigv4.json");
        return Json.read(Files.readAllBytes(file)).elements();
    }

    /** The vectors that the Rust tests sign at the same fixed clock. */
    @ParameterizedTest
    @MethodSource("vectors")
    void theSdksSignerSignsTheVectorsAlike(JsonNode vector) {
        JsonNode keys = vector.get("keys");
        byte[] body = vector.get("body").asText().getBytes(StandardCharsets.UTF_8);
        SdkHttpRequest signed = AwsSigner.sign(
                URI.create(vector.get("url").asText()),
                Map.of("Content-Type", "application/json"),
                body,
                new AwsSigner.Keys(
                        keys.get("access_key_id").asText(),
                        keys.get("secret_access_key").asText(),
                        keys.has("session_token") ? keys.get("session_token").asText() : null),
                vector.get("region").asText(),
                Instant.ofEpochSecond(vector.get("now_seconds").asLong()));

        vector.get("expect")
                .fields()
                .forEachRemaining(header -> assertThat(signed.firstMatchingHeader(header.getKey()))
                        .as(header.getKey())
                        .hasValue(header.getValue().asText()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
                "arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/a1b2",
                "a model/with~signs and+spaces*()"
            })
    void whatArrivesIsSignedAsTheSdkSignsIt(String model) throws Exception {
        serveTo(LASTING, TEMPORARY);
        for (AwsSigner.Keys keys : List.of(LASTING, TEMPORARY)) {
            try (ChatClient client = client(model, credentials(keys))) {
                assertThat(client.chat(ChatRequest.of(ChatMessage.user("Grüße 🙂 \u0001")))
                                .message()
                                .text())
                        .isEqualTo("Hi");
            }
        }
        assertThat(paths).hasSize(2);
    }

    @Test
    void eachCallAsksForItsKeys() throws Exception {
        serveTo(LASTING, TEMPORARY);
        Iterator<AwsSigner.Keys> rotating = List.of(LASTING, TEMPORARY).iterator();
        AwsCredentials credentials = () -> keys(rotating.next());
        try (ChatClient client = client("m", credentials)) {
            client.chat(ChatRequest.of(ChatMessage.user("one")));
            client.chat(ChatRequest.of(ChatMessage.user("two")));
        }
        assertThat(paths).hasSize(2);
        assertThat(rotating.hasNext()).isFalse();
    }

    @Test
    void aWrongKeyIsToldWithoutShowingIt() throws Exception {
        serveTo(LASTING);
        AwsSigner.Keys wrong = new AwsSigner.Keys("AKIDEXAMPLE", "a-wrong-secret-key", null);
        try (ChatClient client = client("m", credentials(wrong))) {
            assertThatThrownBy(() -> client.chat(ChatRequest.of(ChatMessage.user("hi"))))
                    .isInstanceOfSatisfying(ChatModelException.class, e -> {
                        assertThat(e.kind()).isEqualTo(ErrorKind.PROVIDER_ERROR);
                        assertThat(e.retryable()).isFalse();
                        assertThat(e)
                                .hasMessageContaining("403")
                                .hasMessageContaining("InvalidSignatureException")
                                .hasMessageContaining("clock");
                        assertThat(e.getMessage()).doesNotContain("a-wrong-secret-key");
                    });
        }
    }

    @Test
    void expiredKeysAreTold() throws Exception {
        server.createContext(
                "/",
                exchange -> answer(
                        exchange,
                        403,
                        "ExpiredTokenException",
                        "{\"message\":\"The security token included in the request is expired\"}"));
        try (ChatClient client = client("m", credentials(TEMPORARY))) {
            assertThatThrownBy(() -> client.chat(ChatRequest.of(ChatMessage.user("hi"))))
                    .hasMessageContaining("ExpiredTokenException")
                    .hasMessageContaining("expired");
        }
    }

    @Test
    void throttlingMayBeRepeated() throws Exception {
        server.createContext(
                "/", exchange -> answer(exchange, 429, "ThrottlingException", "{\"message\":\"Too many tokens\"}"));
        try (ChatClient client = client("m", credentials(LASTING))) {
            assertThatThrownBy(() -> client.chat(ChatRequest.of(ChatMessage.user("hi"))))
                    .isInstanceOfSatisfying(
                            ChatModelException.class,
                            e -> assertThat(e.retryable()).isTrue());
        }
    }

    private ChatClient client(String model, AwsCredentials credentials) {
        return ChatClient.open(ChatModel.builder(Provider.BEDROCK)
                .setting("region", "eu-central-1")
                .apiBaseUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .model(model)
                .awsCredentials(credentials)
                .build());
    }

    private static AwsCredentials credentials(AwsSigner.Keys keys) {
        return AwsCredentials.of(keys(keys));
    }

    private static AwsKeys keys(AwsSigner.Keys keys) {
        return AwsKeys.of(keys.accessKeyId(), keys.secretAccessKey(), keys.sessionToken());
    }

    /** Signs what arrived again, with the key that it names. */
    private void serveTo(AwsSigner.Keys... known) {
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            AwsSigner.Keys keys = List.of(known).stream()
                    .filter(candidate -> authorization.contains("Credential=" + candidate.accessKeyId() + "/"))
                    .findFirst()
                    .orElseThrow();
            SdkHttpRequest expected = AwsSigner.sign(
                    URI.create("http://" + exchange.getRequestHeaders().getFirst("Host")
                            + exchange.getRequestURI().getRawPath()),
                    Map.of("Content-Type", exchange.getRequestHeaders().getFirst("Content-Type")),
                    body,
                    keys,
                    "eu-central-1",
                    Instant.from(TIME.parse(exchange.getRequestHeaders().getFirst("X-Amz-Date"))));
            boolean same =
                    List.of("Authorization", "X-Amz-Date", "x-amz-content-sha256", "X-Amz-Security-Token").stream()
                            .allMatch(name -> expected.firstMatchingHeader(name)
                                    .equals(Optional.ofNullable(
                                            exchange.getRequestHeaders().getFirst(name))));
            paths.add(exchange.getRequestURI().getRawPath());
            if (same) {
                answer(exchange, 200, null, ANSWER);
            } else {
                answer(exchange, 403, "InvalidSignatureException", "{\"message\":\"The signature does not match\"}");
            }
        });
    }

    private static void answer(HttpExchange exchange, int status, String errorType, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        if (errorType != null) {
            exchange.getResponseHeaders().set("x-amzn-ErrorType", errorType);
        }
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
