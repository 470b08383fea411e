package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Schemas and answers through the native library. */
class OutputSchemaTest {

    record Parcel(String code, Optional<Integer> weight) {}

    private static final String LEDGER =
            "{\"title\":\"A ledger\",\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"},"
                    + "\"big\":{\"type\":\"integer\"},\"cent\":{\"type\":\"number\"}},\"required\":[\"id\"]}";

    @Test
    void b070_a_document_gives_maps_with_exact_numbers() throws Exception {
        assertThat(OutputSchema.ofJsonSchema(LEDGER)
                        .read("{\"id\":9007199254740993,\"big\":9223372036854775817,\"cent\":1.10}"))
                .isEqualTo(Map.of(
                        "id",
                        9007199254740993L,
                        "big",
                        new BigInteger("9223372036854775817"),
                        "cent",
                        new BigDecimal("1.10")));
    }

    @Test
    void a_schema_has_a_name_a_text_and_an_instruction() {
        OutputSchema<Object> document = OutputSchema.ofJsonSchema(LEDGER);
        assertThat(document.name()).isEqualTo("A_ledger");
        assertThat(document.instruction()).contains(document.text());
        OutputSchema<Parcel> parcel = OutputSchema.of(Parcel.class);
        assertThat(parcel.name()).isEqualTo("Parcel");
        assertThat(parcel.text()).contains("\"code\"");
        OutputSchema<List<Object>> row =
                OutputSchema.ofRow(List.of("name", "count"), List.of(String.class, Integer.class));
        assertThat(row.text())
                .isEqualTo(
                        "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"}},"
                                + "\"required\":[\"name\",\"count\"],\"additionalProperties\":false}");
        assertThat(OutputSchema.ofRow(List.of("c"), List.of(Character.class)).text())
                .isEqualTo("Row(c: Character)");
        assertThat(ChatModel.builder(Provider.OPENAI).keyless().build().promptFor(parcel))
                .isEqualTo(parcel.instruction());
    }

    @Test
    void b001_an_answer_is_read_with_and_without_a_fence() throws Exception {
        Parcel expected = new Parcel("A", Optional.empty());
        OutputSchema<Parcel> schema = OutputSchema.of(Parcel.class);
        assertThat(schema.read("{\"code\":\"A\",\"weight\":null}")).isEqualTo(expected);
        assertThat(schema.read("```json\n{\"code\":\"A\"}\n```")).isEqualTo(expected);
    }

    @Test
    void b071_what_does_not_fit_is_named_by_its_pointer_without_the_value() {
        record Count(int n) {}
        OutputSchema<Count> schema = OutputSchema.of(Count.class);
        for (String wrong : List.of("3.7", "2147483648", "\"s3cr3t\"")) {
            assertThatThrownBy(() -> schema.read("{\"n\":" + wrong + "}"))
                    .isInstanceOfSatisfying(ChatModelException.class, e -> {
                        assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
                        assertThat(e.details()).containsEntry("pointer", "/n");
                        assertThat(e.getMessage()).contains("/n").doesNotContain("s3cr3t");
                    });
        }
        assertThatThrownBy(() -> schema.read("no JSON at all")).isInstanceOf(ChatModelException.class);
    }

    @Test
    void b071_an_integer_may_be_written_as_a_decimal() throws Exception {
        record Count(int n) {}
        OutputSchema<Count> schema = OutputSchema.of(Count.class);
        assertThat(schema.read("{\"n\":1.5009969E7}")).isEqualTo(new Count(15009969));
        assertThat(schema.read("{\"n\":15009969.0}")).isEqualTo(new Count(15009969));
    }

    @Test
    void a_broken_document_is_refused_when_it_is_first_used() {
        assertThatIllegalArgumentException().isThrownBy(() -> OutputSchema.ofJsonSchema(" "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutputSchema.ofJsonSchema("{\"type\":").text());
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> OutputSchema.ofJsonSchema("{\"type\":\"strng\"}").text());
    }
}
