package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TransportOptionsTest {

    private final Properties properties = (Properties) System.getProperties().clone();

    @AfterEach
    void restoreProperties() {
        System.setProperties(properties);
    }

    // ---- what crosses the boundary

    @Test
    void defaults_are_those_of_the_documentation() {
        assertThat(frame(TransportOptions.defaults()))
                .containsEntry("connect_timeout_ms", 10_000)
                .containsEntry("idle_timeout_ms", 90_000)
                .containsEntry("max_in_flight", 64)
                .containsEntry("max_response_bytes", 64 * 1024 * 1024)
                .containsEntry("allow_insecure_http", false)
                .containsEntry("user_agent", "flink-agents-native/" + NativeLibrary.VERSION)
                .containsEntry("system_proxy", true)
                .containsEntry("proxy", null)
                .containsEntry("ca_pem", null);
        assertThat(TransportOptions.defaults().timeout()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void the_jvms_own_certificates_are_the_default() {
        assertThat((List<?>) frame(TransportOptions.defaults()).get("ca_der"))
                .hasSizeGreaterThan(10)
                .allSatisfy(der -> assertThat(der).isInstanceOf(byte[].class));
    }

    @Test
    void the_jvms_proxy_properties_are_used_and_its_default_exceptions() {
        System.setProperty("https.proxyHost", "proxy.example");
        System.setProperty("https.proxyPort", "3128");
        System.setProperty("http.proxyHost", "plain.example");
        System.setProperty("http.proxyUser", "me");
        System.setProperty("http.proxyPassword", "pass-word");
        Map<String, Object> frame = frame(TransportOptions.defaults());
        assertThat(frame).containsEntry("system_proxy", false);
        assertThat(proxy(frame, "https")).containsEntry("host", "proxy.example").containsEntry("port", 3128);
        assertThat(proxy(frame, "http"))
                .containsEntry("host", "plain.example")
                .containsEntry("port", 80)
                .containsEntry("username", "me")
                .containsEntry("password", "pass-word");
        assertThat(((Map<?, ?>) frame.get("proxy")).get("no_proxy"))
                .isEqualTo(List.of("localhost", "127.*", "[::1]", "0.0.0.0", "[::0]"));
        System.setProperty("http.nonProxyHosts", "*.corp| 10.* |");
        assertThat(((Map<?, ?>) frame(TransportOptions.defaults()).get("proxy")).get("no_proxy"))
                .isEqualTo(List.of("*.corp", "10.*"));
    }

    @Test
    void what_is_set_here_wins_over_the_jvms_properties() {
        System.setProperty("https.proxyHost", "proxy.example");
        Map<String, Object> none = frame(TransportOptions.builder().noProxy().build());
        assertThat(none).containsEntry("system_proxy", false);
        assertThat(proxy(none, "https")).isNull();
        Map<String, Object> own = frame(TransportOptions.builder()
                .proxy("http://me:p%40ss%2Bword+1@own.example:8080")
                .build());
        assertThat(proxy(own, "https"))
                .containsEntry("host", "own.example")
                .containsEntry("port", 8080)
                .containsEntry("username", "me")
                .containsEntry("password", "p@ss+word+1");
        assertThat(proxy(own, "http")).isEqualTo(proxy(own, "https"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "proxy.example:80",
                "socks5://h:1",
                "https://u:hidden-pw@h:1",
                "http://u:hidden-pw@h",
                "http://u:hidden pw@h:1"
            })
    void a_proxy_that_is_no_such_url_is_told_without_repeating_it(String url) {
        assertThatThrownBy(() -> TransportOptions.builder().proxy(url))
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("'proxy'")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void properties_that_are_wrong_are_told_by_name() {
        System.setProperty("https.proxyHost", "proxy.example");
        for (String port : List.of("x", "0", "65536", "-1")) {
            System.setProperty("https.proxyPort", port);
            assertThatThrownBy(() -> frame(TransportOptions.defaults()))
                    .isInstanceOf(ChatConfigurationException.class)
                    .hasMessageContaining("https.proxyPort");
        }
    }

    @Test
    void settings_that_make_no_sense_are_told_by_name() {
        TransportOptions.Builder builder = TransportOptions.builder();
        assertThatThrownBy(() -> builder.timeout(Duration.ZERO)).hasMessageContaining("'timeout'");
        assertThatThrownBy(() -> builder.connectTimeout(Duration.ofSeconds(-1)))
                .hasMessageContaining("'connectTimeout'");
        assertThatThrownBy(() -> builder.idleTimeout(null)).hasMessageContaining("'idleTimeout'");
        assertThatThrownBy(() -> builder.maxInFlight(0)).hasMessageContaining("'maxInFlight'");
        assertThatThrownBy(() -> builder.maxResponseBytes(0)).hasMessageContaining("'maxResponseBytes'");
        assertThat(TransportOptions.milliseconds(Duration.ofSeconds(Long.MAX_VALUE)))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(TransportOptions.milliseconds(Duration.ofNanos(1))).isEqualTo(1);
    }

    // ---- proxies that are really used

    @Test
    void an_explicit_proxy_carries_the_call_with_its_credentials() throws Exception {
        try (StubServer proxy = StubServer.http((exchange, body) -> StubServer.say(exchange, "through the proxy"));
                ChatClient client = ChatClient.open(
                        ChatClientTest.model("http://provider.invalid/v1"),
                        TransportOptions.builder()
                                .allowInsecureHttp(true)
                                .proxy("http://me:pass-word@127.0.0.1:" + proxy.port())
                                .build())) {
            assertThat(client.chat(ChatClientTest.request("hi")).message().text())
                    .isEqualTo("through the proxy");
            StubServer.Seen seen = proxy.seen().get(0);
            assertThat(seen.uri()).isEqualTo("http://provider.invalid/v1/chat/completions");
            assertThat(seen.headers().getFirst("Proxy-authorization"))
                    .isEqualTo("Basic "
                            + Base64.getEncoder().encodeToString("me:pass-word".getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void the_jvms_proxy_carries_the_call_but_not_those_to_this_host() throws Exception {
        try (StubServer proxy = StubServer.http((exchange, body) -> StubServer.say(exchange, "through the proxy"));
                StubServer direct = StubServer.http((exchange, body) -> StubServer.say(exchange, "directly"))) {
            System.setProperty("http.proxyHost", "127.0.0.1");
            System.setProperty("http.proxyPort", String.valueOf(proxy.port()));
            TransportOptions options =
                    TransportOptions.builder().allowInsecureHttp(true).build();
            try (ChatClient far = ChatClient.open(ChatClientTest.model("http://provider.invalid/v1"), options);
                    ChatClient near = ChatClient.open(ChatClientTest.model(direct), options)) {
                assertThat(far.chat(ChatClientTest.request("hi")).message().text())
                        .isEqualTo("through the proxy");
                assertThat(near.chat(ChatClientTest.request("hi")).message().text())
                        .isEqualTo("directly");
            }
        }
    }

    // ---- certificates of a private authority

    @Test
    void a_private_authority_is_trusted_through_caFile_or_the_jvms_trust_store_and_else_not(@TempDir Path folder)
            throws Exception {
        PrivateAuthority authority = PrivateAuthority.in(folder);
        try (StubServer server =
                StubServer.https(authority.serverContext(), (exchange, body) -> StubServer.say(exchange, "safe"))) {
            ChatModel model = ChatClientTest.model("https://localhost:" + server.port() + "/v1");
            TransportOptions byFile =
                    TransportOptions.builder().caFile(authority.pem()).build();
            try (ChatClient client = ChatClient.open(model, byFile)) {
                assertThat(client.chat(ChatClientTest.request("hi")).message().text())
                        .isEqualTo("safe");
            }
            try (ChatClient client = ChatClient.open(model)) {
                ChatOutcome<Object> outcome = client.ask(ChatClientTest.request("hi"), null);
                assertThat(outcome.kind()).isEqualTo(ErrorKind.TRANSPORT);
                assertThat(outcome.error()).contains("authority that is not trusted", "caFile");
            }
            System.setProperty(
                    "javax.net.ssl.trustStore", authority.trustStore().toString());
            System.setProperty("javax.net.ssl.trustStorePassword", PrivateAuthority.PASSWORD);
            try (ChatClient client = ChatClient.open(model)) {
                assertThat(client.chat(ChatClientTest.request("hi")).message().text())
                        .isEqualTo("safe");
            }
        }
    }

    @Test
    void a_certificate_file_that_cannot_be_used_is_told(@TempDir Path folder) throws Exception {
        ChatModel model = ChatClientTest.model("https://localhost:1/v1");
        Path missing = folder.resolve("missing.pem");
        assertThatThrownBy(() -> ChatClient.open(
                        model, TransportOptions.builder().caFile(missing).build()))
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("'caFile'")
                .hasMessageContaining("missing.pem");
        Path noPem = Files.writeString(folder.resolve("no.pem"), "not a certificate");
        assertThatThrownBy(() -> ChatClient.open(
                        model, TransportOptions.builder().caFile(noPem).build()))
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("caFile");
        System.setProperty("javax.net.ssl.trustStore", missing.toString());
        assertThatThrownBy(() -> ChatClient.open(model))
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("javax.net.ssl.trustStore")
                .hasMessageContaining("missing.pem");
    }

    // ---- helpers

    private static Map<String, Object> frame(TransportOptions options) {
        return Frames.unpack(options.openFrame());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> proxy(Map<String, Object> frame, String scheme) {
        return (Map<String, Object>) ((Map<String, Object>) frame.get("proxy")).get(scheme);
    }
}
