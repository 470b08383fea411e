package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where AWS keys, a Bedrock API key and a region come from when they are not given. */
class AwsCredentialsTest {
    private static final String CREDENTIALS = """
            # comment
            aws_access_key_id = before any section
            [default]
            aws_access_key_id = AKIDDEFAULT
            aws_secret_access_key=default/secret=
            [ team ]
            aws_access_key_id = AKIDTEAM
            AWS_SECRET_ACCESS_KEY = team+secret   # a comment
            aws_session_token = team-token
            [half]
            aws_access_key_id = AKIDHALF
            """;
    private static final String CONFIG = """
            [default]
            region = eu-west-1
            [profile team]
            region = eu-central-1
            s3 =
                aws_access_key_id = nested
            aws_access_key_id = the credentials file wins
            [profile sso]
            sso_session = corp
            [profile role]
            role_arn = arn:aws:iam::123456789012:role/x
            source_profile = default
            [sso-session corp]
            aws_access_key_id = no profile
            [team2]
            region = us-east-1
            """;

    @TempDir
    private Path home;

    private void files() throws IOException {
        Files.createDirectories(home.resolve(".aws"));
        Files.writeString(home.resolve(".aws/credentials"), CREDENTIALS);
        Files.writeString(home.resolve(".aws/config"), CONFIG);
    }

    private AwsDefaults host(String... environment) {
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < environment.length; i += 2) {
            variables.put(environment[i], environment[i + 1]);
        }
        return new AwsDefaults(variables, Map.of("user.home", home.toString()));
    }

    private static List<String> texts(AwsKeys keys) {
        return keys.secrets().stream().map(Secret::reveal).toList();
    }

    @Test
    void thePropertiesComeFirstThenTheVariablesThenTheProfile() throws IOException {
        files();
        Map<String, String> variables = Map.of(
                "AWS_ACCESS_KEY_ID",
                "AKIDENV",
                "AWS_SECRET_ACCESS_KEY",
                "env-secret",
                "AWS_SESSION_TOKEN",
                "env-token");
        Map<String, String> properties = Map.of(
                "user.home", home.toString(), "aws.accessKeyId", "AKIDPROP", "aws.secretAccessKey", "prop-secret");

        assertThat(texts(new AwsDefaults(variables, properties).keys())).containsExactly("AKIDPROP", "prop-secret");
        assertThat(texts(new AwsDefaults(variables, Map.of("user.home", home.toString())).keys()))
                .containsExactly("AKIDENV", "env-secret", "env-token");
        assertThat(texts(host().keys())).containsExactly("AKIDDEFAULT", "default/secret=");
        assertThat(texts(host("AWS_PROFILE", "team").keys())).containsExactly("AKIDTEAM", "team+secret", "team-token");
    }

    @Test
    void theRegionComesFromTheHost() throws IOException {
        assertThat(host().region()).isNull();
        files();
        assertThat(host().region()).isEqualTo("eu-west-1");
        assertThat(host("AWS_PROFILE", "team").region()).isEqualTo("eu-central-1");
        assertThat(host("AWS_PROFILE", "team2").region()).as("no profile").isNull();
        assertThat(host("AWS_DEFAULT_REGION", "us-west-2").region()).isEqualTo("us-west-2");
        assertThat(host("AWS_DEFAULT_REGION", "us-west-2", "AWS_REGION", "us-east-2")
                        .region())
                .isEqualTo("us-east-2");
    }

    @Test
    void theRegionMayBeThatOfANamedProfile() throws IOException {
        files();
        assertThat(host().region("team")).isEqualTo("eu-central-1");
        assertThat(host().region("sso")).isNull();
        assertThat(host("AWS_REGION", "us-east-2").region("team")).isEqualTo("us-east-2");
    }

    @Test
    void aModelWithAProfilesKeysIsInThatProfilesRegion() throws IOException {
        files();
        String before = System.setProperty("user.home", home.toString());
        try {
            List<String> deciding = List.of(
                    "AWS_REGION",
                    "AWS_DEFAULT_REGION",
                    "AWS_PROFILE",
                    "AWS_CONFIG_FILE",
                    "AWS_SHARED_CREDENTIALS_FILE");
            assumeTrue(
                    Collections.disjoint(System.getenv().keySet(), deciding),
                    "skipped: this host's environment says a region or names AWS files of its own");
            ChatModel team = ChatModel.builder(Provider.BEDROCK)
                    .model("m")
                    .awsCredentials(AwsCredentials.ofProfile(" team "))
                    .build();
            assertThat(team.buildRequest(ChatRequest.of(ChatMessage.user("hi")))
                            .url()
                            .getHost())
                    .isEqualTo("bedrock-runtime.eu-central-1.amazonaws.com");
            assertThat(AwsCredentials.hostRegion("team")).isEqualTo("eu-central-1");
            assertThat(AwsCredentials.hostRegion(null)).isEqualTo("eu-west-1");
        } finally {
            System.setProperty("user.home", before);
        }
    }

    @Test
    void aBedrockApiKeyIsFound() {
        assertThat(host().bearerToken()).isNull();
        assertThat(host("AWS_BEARER_TOKEN_BEDROCK", " ").bearerToken()).isNull();
        assertThat(host("AWS_BEARER_TOKEN_BEDROCK", "ABSK").bearerToken()).isEqualTo("ABSK");
    }

    @Test
    void whatIsMissingIsNamedWithEveryPlace() {
        assertThatThrownBy(() ->
                        host("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/x").keys())
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("aws.accessKeyId")
                .hasMessageContaining("AWS_ACCESS_KEY_ID")
                .hasMessageContaining(home.resolve(".aws/credentials").toString())
                .hasMessageContaining("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is set")
                .hasMessageContaining("awsCredentials(...)");
    }

    @Test
    void oneKeyWithoutTheOtherIsAnError() {
        assertThatThrownBy(() -> host("AWS_ACCESS_KEY_ID", "AKID").keys())
                .hasMessageContaining("AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"sso:sso_session", "role:role_arn", "half:aws_secret_access_key", "none:no AWS profile 'none'"})
    void aProfileThatCannotBeUsedIsNamedWithItsReason(String expected) throws IOException {
        files();
        String profile = expected.substring(0, expected.indexOf(':'));
        assertThatThrownBy(() -> host("AWS_PROFILE", profile).keys())
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("'" + profile + "'")
                .hasMessageContaining(expected.substring(expected.indexOf(':') + 1));
    }

    @Test
    void theFilesMayStandElsewhereAndAreReadAgainWhenTheyChange() throws IOException {
        Path file = home.resolve("keys");
        Files.writeString(file, CREDENTIALS);
        AwsDefaults host = host("AWS_SHARED_CREDENTIALS_FILE", file.toString());
        assertThat(texts(host.keys())).contains("AKIDDEFAULT");

        Files.writeString(file, "[default]\naws_access_key_id=AKIDNEXT\naws_secret_access_key=next-secret\n");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
        assertThat(texts(host.keys())).containsExactly("AKIDNEXT", "next-secret");
    }

    @Test
    void anUnreadableFileIsNamed() throws IOException {
        Path file = home.resolve("keys");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThatThrownBy(() ->
                        host("AWS_SHARED_CREDENTIALS_FILE", file.toString()).keys())
                .hasMessageContaining(file.toString())
                .hasMessageContaining("UTF-8");
    }

    @Test
    void keysPrintNothingAndAreChecked() {
        AwsKeys keys = AwsKeys.of("AKIDEXAMPLE", "very-secret", "very-token");
        assertThat(keys.toString()).doesNotContain("AKID", "very");
        assertThatThrownBy(() -> AwsKeys.of("AKID", " ")).hasMessageContaining("aws_secret_access_key");
        assertThatThrownBy(() -> AwsKeys.of(null, "x")).hasMessageContaining("aws_access_key_id");
    }

    @Test
    void awsCredentialsSignAndNothingElseDoes() {
        ChatRequest request = ChatRequest.of(ChatMessage.user("hi"));
        ChatModel.Builder bedrock =
                ChatModel.builder(Provider.BEDROCK).model("m").setting("region", "eu-west-1");

        HttpCall signed = bedrock.awsCredentials(AwsCredentials.of(AwsKeys.of("AKIDEXAMPLE", "very-secret")))
                .build()
                .buildRequest(request);
        assertThat(signed.awsScope()).isEqualTo(new HttpCall.AwsScope("eu-west-1", "bedrock"));
        assertThat(signed.authPrefix()).isEqualTo("AWS4-HMAC-SHA256 ");

        HttpCall keyed = bedrock.apiKey("ABSK-key").build().buildRequest(request);
        assertThat(keyed.awsScope()).isNull();
        assertThat(keyed.authPrefix()).isEqualTo("Bearer ");

        assertThatThrownBy(() -> ChatModel.builder(Provider.OPENAI).awsCredentials(AwsCredentials.defaults()))
                .hasMessageContaining("bedrock")
                .hasMessageContaining("openai");
        assertThatThrownBy(() -> bedrock.awsCredentials(AwsCredentials.defaults())
                        .setting("auth", "bearer")
                        .build())
                .hasMessageContaining("'auth' of bedrock is bearer");
    }

    @Test
    void aSuppliersFailureDoesNotShowWhatItSays() throws Exception {
        ChatModel model = ChatModel.builder(Provider.BEDROCK)
                .model("m")
                .setting("region", "eu-west-1")
                .apiBaseUrl("http://127.0.0.1:9")
                .awsCredentials(() -> {
                    throw new IOException("token very-secret");
                })
                .build();
        try (ChatClient client = ChatClient.open(model)) {
            ChatOutcome<Object> outcome = client.ask(ChatRequest.of(ChatMessage.user("hi")), null);
            assertThat(outcome.kind()).isEqualTo(ErrorKind.CONFIGURATION);
            assertThat(outcome.error())
                    .contains("supplier of AWS keys", "java.io.IOException")
                    .doesNotContain("very");
        }
    }
}
