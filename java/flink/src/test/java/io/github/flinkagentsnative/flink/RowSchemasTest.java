package io.github.flinkagentsnative.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkagentsnative.ChatModelException;
import io.github.flinkagentsnative.ErrorKind;
import io.github.flinkagentsnative.OutputSchema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowSchemasTest {
    private static final RowTypeInfo NUMBERS = new RowTypeInfo(
            new TypeInformation<?>[] {
                Types.STRING,
                Types.BOOLEAN,
                Types.BYTE,
                Types.SHORT,
                Types.INT,
                Types.LONG,
                Types.BIG_INT,
                Types.FLOAT,
                Types.DOUBLE,
                Types.BIG_DEC
            },
            new String[] {"text", "flag", "b", "s", "i", "l", "big", "f", "d", "dec"});

    @Test
    void pr1270_c01_c02_c03_theSchemaHasTheFieldsInOrderAllRequiredAndNoOthers() {
        OutputSchema<Row> schema = RowSchemas.of(
                new RowTypeInfo(new TypeInformation<?>[] {Types.STRING, Types.INT}, new String[] {"name", "count"}));
        assertThat(schema.text())
                .isEqualTo(
                        "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},"
                                + "\"count\":{\"type\":\"integer\"}},\"required\":[\"name\",\"count\"],\"additionalProperties\":false}");
    }

    @Test
    void pr1270_c05_unnamedRowsUseF0F1() throws Exception {
        OutputSchema<Row> schema = RowSchemas.of(new RowTypeInfo(Types.STRING, Types.LONG));
        assertThat(schema.text()).contains("\"f0\":{\"type\":\"string\"}", "\"f1\":{\"type\":\"integer\"}");
        assertThat(schema.read("{\"f0\":\"x\",\"f1\":7}").getField("f1")).isEqualTo(7L);
    }

    @Test
    void everyFieldHasItsDeclaredTypeAndTheRowPassesFlinksSerializer() throws Exception {
        Row row = RowSchemas.of(NUMBERS).read("""
                {"text":"ä😀","flag":true,"b":-128,"s":32767,"i":2147483647,"l":9223372036854775807,
                 "big":92233720368547758070,"f":1.5,"d":0.1,"dec":1.10}""");
        assertThat(row.getField(0)).isEqualTo("ä😀");
        assertThat(row.getField("flag")).isEqualTo(true);
        assertThat(row.getField("b")).isEqualTo((byte) -128);
        assertThat(row.getField("s")).isEqualTo((short) 32767);
        assertThat(row.getField("i")).isEqualTo(2147483647);
        assertThat(row.getField("l")).isEqualTo(9223372036854775807L);
        assertThat(row.getField("big")).isEqualTo(new BigInteger("92233720368547758070"));
        assertThat(row.getField("f")).isEqualTo(1.5f);
        assertThat(row.getField("d")).isEqualTo(0.1d);
        assertThat(row.getField("dec")).isEqualTo(new BigDecimal("1.10"));

        TypeSerializer<Row> serializer = NUMBERS.createSerializer(new SerializerConfigImpl());
        assertThat(serializer.copy(row)).isEqualTo(row);
        DataOutputSerializer out = new DataOutputSerializer(256);
        serializer.serialize(row, out);
        Row read = serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
        assertThat(read).isEqualTo(row);
        assertThat(read.getFieldAs("dec").toString()).isEqualTo("1.10");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"{\"n\":128}", "{\"n\":1.5}", "{\"n\":\"1\"}", "{\"n\":null}", "{}"})
    void aMissingFieldOrAValueThatDoesNotFitIsInvalidOutput(String answer) {
        OutputSchema<Row> schema =
                RowSchemas.of(new RowTypeInfo(new TypeInformation<?>[] {Types.BYTE}, new String[] {"n"}));
        assertThatThrownBy(() -> schema.read(answer))
                .isInstanceOfSatisfying(
                        ChatModelException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(ErrorKind.INVALID_OUTPUT));
    }

    @Test
    void pr1270_c06_typesWithoutJsonSchemaKeepTheStringForm() {
        RowTypeInfo type = new RowTypeInfo(
                new TypeInformation<?>[] {
                    BasicTypeInfo.CHAR_TYPE_INFO,
                    BasicTypeInfo.DATE_TYPE_INFO,
                    BasicTypeInfo.INSTANT_TYPE_INFO,
                    BasicTypeInfo.VOID_TYPE_INFO
                },
                new String[] {"c", "d", "t", "v"});
        assertThat(List.of(Character.class, Date.class, Instant.class, Void.class))
                .isEqualTo(List.of(
                        type.getTypeAt(0).getTypeClass(),
                        type.getTypeAt(1).getTypeClass(),
                        type.getTypeAt(2).getTypeClass(),
                        type.getTypeAt(3).getTypeClass()));
        assertThat(RowSchemas.of(type).text()).isEqualTo("Row(c: Character, d: Date, t: Instant, v: Void)");
    }

    @Test
    void aFieldThatIsNotBasicFailsAtConstruction() {
        RowTypeInfo nested = new RowTypeInfo(
                new TypeInformation<?>[] {Types.STRING, Types.LIST(Types.STRING)}, new String[] {"name", "tags"});
        assertThatThrownBy(() -> RowSchemas.of(nested))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Currently, output schema only support row contains basic type.")
                .hasMessageContaining("'tags'");
        for (TypeInformation<?> type :
                List.of(Types.LOCAL_DATE, Types.SQL_DATE, Types.PRIMITIVE_ARRAY(Types.BYTE), new RowTypeInfo())) {
            assertThatThrownBy(() -> RowSchemas.of(new RowTypeInfo(type))).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
