package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SecretTest {

    @Test
    void b078_blanks_and_line_ends_around_a_key_are_cut_off() {
        assertThat(Secret.of("sk-x\n").reveal()).isEqualTo("sk-x");
        assertThat(Secret.of(" sk-x ").reveal()).isEqualTo("sk-x");
        assertThat(Secret.of("\r\n\tsk-x\u00a0\u3000".replace("\u00a0", " "))).isEqualTo(Secret.of("sk-x"));
    }

    @Test
    void b078_a_key_that_no_header_can_carry_is_a_configuration_error_that_names_the_setting_and_not_the_key() {
        for (String key : Arrays.asList("", "   ", null, "sk-ü", "sk-\nx", "sk-\u0000x", "sk-\u007f")) {
            assertThatThrownBy(() -> Secret.of("azure_key", key))
                    .isInstanceOf(ChatConfigurationException.class)
                    .hasMessageContaining("'azure_key'")
                    .hasMessageNotContaining("sk-");
        }
        assertThatThrownBy(() -> Secret.of((String) null)).hasMessageContaining("'api_key'");
    }

    @Test
    void it_never_prints() {
        Secret secret = Secret.of("sk-very-secret");
        assertThat(secret).hasToString("Secret(hidden)");
        assertThat("" + secret + secret.hashCode()).doesNotContain("very");
        assertThat(String.format("%s", secret)).doesNotContain("very");
    }

    @Test
    void equality_is_by_text_and_the_hash_tells_nothing() {
        assertThat(Secret.of("sk-a"))
                .isEqualTo(Secret.of("sk-a"))
                .isNotEqualTo(Secret.of("sk-b"))
                .isNotEqualTo("sk-a");
        assertThat(Secret.of("sk-a").hashCode()).isEqualTo(Secret.of("sk-b").hashCode());
    }

    @Test
    void it_cannot_be_serialized() throws Exception {
        try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
            assertThatThrownBy(() -> out.writeObject(Secret.of("sk-a"))).isInstanceOf(NotSerializableException.class);
        }
    }

    @Test
    void it_hides_itself_in_texts() {
        Secret secret = Secret.of("sk-12345");
        assertThat(secret.hideIn("Incorrect key sk-12345, sk-12345!")).isEqualTo("Incorrect key ***, ***!");
        Secret longer = Secret.of("sk-123456789abcdef");
        assertThat(longer.hideIn("cut: sk-1234567")).isEqualTo("cut: ***");
        assertThat(longer.hideIn("sk-123456789abcdef, sk-12345x, sk-12")).isEqualTo("***, ***x, sk-12");
        assertThat(longer.hideIn("masked: ...56789abcdef!")).isEqualTo("masked: ...***!");
        assertThat(secret.hideIn(null)).isNull();
        assertThat(Secret.of("k").hideIn("kind")).isEqualTo("kind");
    }
}
