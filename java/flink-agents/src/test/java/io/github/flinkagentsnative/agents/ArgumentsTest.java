package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.testkit.LocalChatServer;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Descriptor arguments: what is missing, unknown or wrong is named, and never shown. */
class ArgumentsTest {

    private final LocalChatServer server = LocalChatServer.start();

    @AfterEach
    void close() {
        server.close();
    }

    private void refused(Services service, String name, Object value, String... words) {
        assertThatThrownBy(() -> service.connection(Services.with(service.connectionArguments(server), name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource
    void wrongArgumentsOfAConnectionAreNamed(Services service) {
        String owner = service.connection.getSimpleName();
        refused(service, "api_keys", "sk-secret", owner, "api_key");
        refused(service, "api_key", 4711, owner, "java.lang.Integer");
        refused(service, "api_key", " ", owner);
        refused(service, "timeout", "60", owner);
        refused(service, "timeout", 0, owner);
        refused(service, "timeout", Double.NaN, owner);
        refused(service, "max_retries", 2.5, owner);
        refused(service, "max_retries", -1, owner);
        refused(service, "allow_insecure_http", "yes", owner);
    }

    @ParameterizedTest
    @CsvSource({
        "OPENAI, api_key",
        "RESPONSES, api_key",
        "AZURE, api_key",
        "AZURE, api_version",
        "AZURE, azure_endpoint",
    })
    void aMissingArgumentIsNamed(Services service, String name) {
        refused(service, name, null, "is missing");
    }

    @Test
    void eachConnectionTakesItsOwnArgumentsOnly() {
        refused(Services.AZURE, "api_base_url", "http://x", "AzureOpenAIChatModelConnection");
        refused(Services.OPENAI, "azure_endpoint", "http://x", "OpenAICompletionsConnection");
        refused(Services.OPENAI, "default_headers", Map.of("a", 1), "a map of texts");
    }

    @Test
    void valuesAreNotShown() {
        assertThatThrownBy(() -> Services.OPENAI.connection(
                        Map.of("api_key", "sk-secret-1", "timeout", "sk-secret-2", "max_retries", 1)))
                .satisfies(e -> assertThat(e.toString()).doesNotContain("sk-secret"));
    }

    @ParameterizedTest
    @EnumSource
    void wrongArgumentsOfASetupAreNamed(Services service) {
        Object[][] wrong = {
            {"temprature", 1},
            {"temperature", "hot"},
            {"max_tokens", 1.5},
            {"additional_kwargs", List.of()},
            {"connection", null},
            {"connection", 1},
            {"tools", "weather"},
            {"model", 3},
        };
        for (Object[] argument : wrong) {
            Map<String, Object> arguments = Services.with(service.setupArguments(), (String) argument[0], argument[1]);
            assertThatThrownBy(() -> Services.build(
                            new ResourceDescriptor(service.setup.getName(), arguments), new Services.Context(Map.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'" + argument[0] + "'", service.setup.getSimpleName());
        }
        assertThatThrownBy(() -> Services.build(
                        new ResourceDescriptor(
                                service.setup.getName(),
                                Services.with(service.setupArguments(), "structured_output_strategy", "sometimes")),
                        new Services.Context(Map.of())))
                .hasMessageContaining("AUTO, NATIVE, PROMPT");
    }

    @Test
    void theConnectionDoesNotPrintItsKey() throws Exception {
        NativeChatModelConnection connection = Services.OPENAI.connection(Services.OPENAI.connectionArguments(server));
        assertThat(connection.toString())
                .contains("OpenAICompletionsConnection", "closed")
                .doesNotContain(server.apiKey());
    }

    @Test
    void aKeyTravelsInTheClearOnlyToThisHostOrWhereAllowed() throws Exception {
        Map<String, Object> far = Map.of(
                "api_key", "sk-secret", "api_base_url", "http://192.0.2.1/v1", "timeout", 0.05, "max_retries", 0);
        NativeChatModelConnection refusing = Services.OPENAI.connection(far);
        refusing.open();
        List<org.apache.flink.agents.api.chat.messages.ChatMessage> ask =
                List.of(org.apache.flink.agents.api.chat.messages.ChatMessage.user("Hello"));
        assertThatThrownBy(() -> refusing.chat(ask, List.of(), Map.of("model", "m")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http");
        refusing.close();
        NativeChatModelConnection allowed = Services.OPENAI.connection(Services.with(far, "allow_insecure_http", true));
        allowed.open();
        assertThatThrownBy(() -> allowed.chat(ask, List.of(), Map.of("model", "m")))
                .isInstanceOf(ChatCallException.class);
        allowed.close();
        NativeChatModelConnection vllm = Services.VLLM.connection(Services.with(far, "api_key", null));
        vllm.open();
        assertThatThrownBy(() -> vllm.chat(ask, List.of(), Map.of("model", "m")))
                .isInstanceOf(ChatCallException.class);
        vllm.close();
    }
}
