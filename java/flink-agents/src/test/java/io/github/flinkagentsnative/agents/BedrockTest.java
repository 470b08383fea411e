package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.flinkagentsnative.AwsCredentials;
import io.github.flinkagentsnative.AwsKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.ContentBlock;
import org.apache.flink.agents.api.chat.messages.MessageRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What only Amazon Bedrock has: who signs, and where. */
@Timeout(60)
class BedrockTest extends ServiceTest {

    private static final String SIGNED = "AWS4-HMAC-SHA256 Credential=";

    @TempDir
    private Path home;

    private Received call(Object... arguments) throws Exception {
        connect(Services.BEDROCK, arguments);
        server.enqueue(wire.text("hi"));
        assertThat(connection.chat(ASK, List.of(), parameters()).getText()).isEqualTo("hi");
        return server.only();
    }

    /** AWS keys of the job's own. */
    public static final class Keys implements AwsCredentials {
        public Keys() {}

        @Override
        public AwsKeys get() {
            return AwsKeys.of("AKIDOFTHEJOB", "secret-of-the-job");
        }
    }

    @Test
    void keysOfAClassSign() throws Exception {
        Received request = call("api_key", null, "credentials_class", Keys.class.getName());
        assertThat(request.header("authorization"))
                .startsWith(SIGNED + "AKIDOFTHEJOB/")
                .contains("/us-east-1/bedrock/aws4_request")
                .doesNotContain("secret-of-the-job");
        assertThat(request.headers()).doesNotContainKey("x-amz-security-token");
    }

    @Test
    void explicitKeysSign() throws Exception {
        Received request = call(
                "api_key",
                null,
                "region",
                "eu-west-1",
                "access_key_id",
                "AKIDEXPLICIT",
                "secret_access_key",
                "explicit-secret",
                "session_token",
                "explicit-token");
        assertThat(request.header("authorization"))
                .startsWith(SIGNED + "AKIDEXPLICIT/")
                .contains("/eu-west-1/bedrock/");
        assertThat(request.header("x-amz-security-token")).isEqualTo("explicit-token");
        assertThat(connection.toString()).doesNotContain("explicit");
    }

    @Test
    void halfOfTheKeysIsNamed() throws Exception {
        start(Services.BEDROCK);
        for (String[] half : new String[][] {
            {"access_key_id", "secret_access_key"},
            {"secret_access_key", "access_key_id"},
            {"session_token", "access_key_id"},
        }) {
            Map<String, Object> arguments =
                    Resources.with(service.connectionArguments(server), "api_key", null, half[0], "sk-secret");
            assertThatThrownBy(() -> service.connection(arguments))
                    .hasMessageContaining("'" + half[1] + "' of BedrockChatModelConnection is missing")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sk-secret"));
        }
    }

    @Test
    void keysOfDifferentKindsExcludeEachOther() throws Exception {
        start(Services.BEDROCK);
        for (String other : List.of("profile", "access_key_id", "credentials_class")) {
            assertThatThrownBy(
                            () -> service.connection(Resources.with(service.connectionArguments(server), other, "x")))
                    .hasMessageContainingAll("'api_key'", "'" + other + "'", "exclude each other");
        }
    }

    /** With files of its own in place of those of this host. */
    private void withHome(String credentials, String config, Body body) throws Exception {
        List<String> deciding = List.of(
                "AWS_REGION",
                "AWS_DEFAULT_REGION",
                "AWS_PROFILE",
                "AWS_CONFIG_FILE",
                "AWS_SHARED_CREDENTIALS_FILE",
                "AWS_ACCESS_KEY_ID",
                "AWS_BEARER_TOKEN_BEDROCK");
        assumeTrue(
                Collections.disjoint(System.getenv().keySet(), deciding),
                "skipped: this host's environment says AWS keys or a region of its own");
        Files.createDirectories(home.resolve(".aws"));
        Files.writeString(home.resolve(".aws/credentials"), credentials);
        Files.writeString(home.resolve(".aws/config"), config);
        String before = System.setProperty("user.home", home.toString());
        try {
            body.run();
        } finally {
            System.setProperty("user.home", before);
        }
    }

    private interface Body {
        void run() throws Exception;
    }

    private static final String CREDENTIALS = """
            [default]
            aws_access_key_id = AKIDDEFAULT
            aws_secret_access_key = default-secret
            [team]
            aws_access_key_id = AKIDTEAM
            aws_secret_access_key = team-secret
            """;

    @Test
    void aProfileSignsInItsOwnRegion() throws Exception {
        withHome(
                CREDENTIALS,
                "[default]\nregion = us-west-2\n[profile team]\nregion = eu-central-1\n",
                () -> assertThat(call("api_key", null, "region", null, "profile", "team")
                                .header("authorization"))
                        .startsWith(SIGNED + "AKIDTEAM/")
                        .contains("/eu-central-1/bedrock/"));
    }

    @Test
    void withoutAnyKeyTheHostSigns() throws Exception {
        withHome(
                CREDENTIALS,
                "[default]\nregion = us-west-2\n",
                () -> assertThat(call("api_key", null, "region", null).header("authorization"))
                        .startsWith(SIGNED + "AKIDDEFAULT/")
                        .contains("/us-west-2/bedrock/"));
    }

    @Test
    void theRegionIsUpstreamsDefaultWhereNobodySaysOne() throws Exception {
        withHome(
                CREDENTIALS,
                "",
                () -> assertThat(call("api_key", null, "region", null).header("authorization"))
                        .contains("/us-east-1/bedrock/"));
    }

    @Test
    void aHostWithoutKeysIsTold() throws Exception {
        withHome("", "", () -> {
            connect(Services.BEDROCK, "api_key", null);
            assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("No AWS keys found");
            assertThat(server.requests()).isEmpty();
        });
    }

    /** Each attempt is signed anew: a signature counts for five minutes. */
    @Test
    void aRepeatedCallIsSignedAnew() throws Exception {
        connect(Services.BEDROCK, "api_key", null, "credentials_class", Keys.class.getName());
        server.enqueue(
                wire.error(429, "ThrottlingException", "Too many requests").header("Retry-After", "2"),
                wire.text("hi"));
        assertThat(connection.chat(ASK, List.of(), parameters()).getText()).isEqualTo("hi");
        assertThat(server.requests())
                .extracting(request -> request.header("x-amz-date"))
                .doesNotHaveDuplicates();
    }

    @Test
    void errorsNameTheirCodeAndRequest() throws Exception {
        connect(Services.BEDROCK, "max_retries", 0);
        server.enqueue(wire.error(429, "ServiceQuotaExceededException", "Too many tokens"));
        assertThatThrownBy(() -> connection.chat(ASK, List.of(), parameters()))
                .isInstanceOfSatisfying(ChatCallException.class, e -> {
                    assertThat(e.code()).isEqualTo("ServiceQuotaExceededException");
                    assertThat(e.requestId()).isEqualTo("request-1");
                });
    }

    /** Defect 7 of upstream's: an assistant's turn without content was sent, and is a 400. */
    @Test
    void anEmptyTurnIsNotSent() throws Exception {
        connect(Services.BEDROCK);
        server.enqueue(wire.text("hi"));
        ChatMessage silent = new ChatMessage(MessageRole.ASSISTANT, List.<ContentBlock>of());
        ChatResult result =
                connection.chat(List.of(ASK.get(0), silent, ChatMessage.user("Hello?")), List.of(), parameters());
        assertThat(result.getText()).isEqualTo("hi");
        assertThat(wire.turns(body())).hasSize(1);
    }

    @Test
    void aModelsOwnFieldsGoWhereItReadsThem() throws Exception {
        connect(Services.BEDROCK);
        server.enqueue(wire.text("hi"));
        service.setUp(connection, "additional_kwargs", Map.of("top_k", 40)).chat(ASK);
        assertThat(body().at("/additionalModelRequestFields/top_k").asInt()).isEqualTo(40);
    }
}
