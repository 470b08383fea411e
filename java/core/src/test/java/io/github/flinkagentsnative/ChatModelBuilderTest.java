package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ChatModelBuilderTest {

    @Test
    void a_missing_key_names_the_setting_and_the_way_without_one() {
        assertThatExceptionOfType(ChatConfigurationException.class)
                .isThrownBy(
                        () -> ChatModel.builder(Provider.OPENAI).model("gpt-4o").build())
                .withMessageContaining("'api_key'")
                .withMessageContaining("keyless()");
        assertThatExceptionOfType(ChatConfigurationException.class)
                .isThrownBy(() -> ChatModel.builder(Provider.OPENAI).apiKey(" "));
        assertThatExceptionOfType(ChatConfigurationException.class)
                .isThrownBy(() -> ChatModel.builder(Provider.OPENAI).setting("api_key", "sk-s3cr3t"))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cr3t"));
    }

    @Test
    void a_server_without_keys_is_an_explicit_choice() {
        assertThat(ChatModel.builder(Provider.OPENAI)
                        .model("m")
                        .keyless()
                        .build()
                        .credentials())
                .isNull();
        assertThat(ChatModel.builder(Provider.OPENAI)
                        .setting("auth", "none")
                        .build()
                        .credentials())
                .isNull();
    }

    @Test
    void ollama_without_a_key_is_keyless_and_with_one_sends_it() throws Exception {
        ChatRequest request = ChatRequest.of(ChatMessage.user("hi"));
        ChatModel own = ChatModel.builder(Provider.OLLAMA).model("m").build();
        assertThat(own.credentials()).isNull();
        assertThat(own.buildRequest(request).authHeader()).isNull();
        ChatModel cloud = ChatModel.builder(Provider.OLLAMA)
                .model("m")
                .apiKey("cloud-key")
                .build();
        assertThat(cloud.credentials().get().reveal()).isEqualTo("cloud-key");
        assertThat(cloud.buildRequest(request).authHeader()).isEqualTo("Authorization");
        assertThatThrownBy(() -> ChatModel.builder(Provider.OLLAMA)
                        .model("m")
                        .setting("auth", "bearer")
                        .build())
                .isInstanceOf(ChatConfigurationException.class)
                .hasMessageContaining("api_key");
    }

    @Test
    void vllm_without_a_key_uses_its_servers_default() throws Exception {
        ChatModel.Builder builder = ChatModel.builder(Provider.VLLM).model("m");
        assertThat(builder.build().credentials().get().reveal()).isEqualTo("EMPTY");
        assertThat(ChatModel.builder(Provider.VLLM)
                        .apiKey("sk-own")
                        .build()
                        .credentials()
                        .get()
                        .reveal())
                .isEqualTo("sk-own");
        assertThat(ChatModel.builder(Provider.VLLM).keyless().build().credentials())
                .isNull();
    }

    @Test
    void b023_azure_needs_endpoint_and_version() {
        assertThatExceptionOfType(ChatConfigurationException.class)
                .isThrownBy(() -> ChatModel.builder(Provider.AZURE_OPENAI)
                        .apiKey("sk-x")
                        .apiVersion("v1")
                        .build())
                .withMessageContaining("'azure_endpoint'");
        assertThatExceptionOfType(ChatConfigurationException.class)
                .isThrownBy(() -> ChatModel.builder(Provider.AZURE_OPENAI)
                        .apiKey("sk-x")
                        .azureEndpoint("https://x")
                        .apiVersion("")
                        .build())
                .withMessageContaining("'api_version'");
    }

    @Test
    void a_model_never_prints_its_key() throws Exception {
        ChatModel model = ChatModel.builder(Provider.OPENAI)
                .model("gpt-4o")
                .apiKey("sk-s3cr3t")
                .build();
        assertThat(model.toString()).isEqualTo("ChatModel[OPENAI, gpt-4o]");
        assertThat(model.credentials().get()).isEqualTo(Secret.of("sk-s3cr3t"));
    }
}
