package io.github.flinkagentsnative.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.ChatModelException;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.agents.ServiceTest.Verdict;
import java.math.BigDecimal;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;

/** The three forms of an output schema. */
class AgentSchemasTest {

    private static org.apache.flink.agents.api.agents.OutputSchema row(TypeInformation<?>... types) {
        return new org.apache.flink.agents.api.agents.OutputSchema(new RowTypeInfo(types));
    }

    @Test
    void pr1270_c04_aRowIsJsonSchemaTextInThePrompt() {
        OutputSchema<?> schema = AgentSchemas.of(ServiceTest.ROW);
        assertThat(schema.text())
                .isEqualTo(
                        "{\"type\":\"object\",\"properties\":{\"word\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"}},"
                                + "\"required\":[\"word\",\"count\"],\"additionalProperties\":false}");
        assertThat(schema.instruction()).contains(schema.text());
    }

    @Test
    void pr1270_c05_c06_unnamedFieldsAndTheStringForm() {
        assertThat(AgentSchemas.of(row(Types.STRING, Types.LONG)).text()).contains("\"f0\"", "\"f1\"");
        assertThat(AgentSchemas.of(row(Types.STRING, Types.INSTANT)).text()).isEqualTo("Row(f0: String, f1: Instant)");
    }

    @Test
    void anAnswerBecomesARowWithTheDeclaredTypes() throws Exception {
        Row row =
                (Row) AgentSchemas.of(row(Types.SHORT, Types.BIG_DEC)).read("```json\n{\"f0\": 3, \"f1\": 1.10}\n```");
        assertThat(row.getField("f0")).isEqualTo((short) 3);
        assertThat(row.getField(1)).isEqualTo(new BigDecimal("1.10"));
        assertThatThrownBy(() -> AgentSchemas.of(row(Types.SHORT)).read("{\"f0\": 70000}"))
                .isInstanceOfSatisfying(ChatModelException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
                    assertThat(e.details()).containsEntry("pointer", "/f0");
                });
    }

    @Test
    void classesAndOwnSchemasAreTakenAndNothingElse() throws Exception {
        assertThat(AgentSchemas.of(Verdict.class).read("{\"topic\":\"a\",\"urgency\":1}"))
                .isEqualTo(new Verdict("a", 1));
        OutputSchema<Object> own = OutputSchema.ofJsonSchema("{\"type\":\"object\"}");
        assertThat(AgentSchemas.of(own)).isSameAs(own);
        assertThat(AgentSchemas.of(null)).isNull();
        assertThatThrownBy(() -> AgentSchemas.of("{}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String");
    }
}
