package io.github.flinkagentsnative.example;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SupportMessageTest {
    private static SupportMessage of(String line) {
        return SupportMessage.of(new Line("in.jsonl", 12, line, null));
    }

    @Test
    void aMessageKeepsItsIdAndOneWithoutTakesItsPlace() {
        assertThat(of("{\"id\":\"m-1\",\"text\":\"hi\",\"lang\":\"en\"}"))
                .isEqualTo(new SupportMessage("m-1", "in.jsonl:12", "hi", null, null));
        assertThat(of("{\"text\":\"hi\"}").id()).isEqualTo("in.jsonl:12");
        assertThat(of("{\"id\":17,\"text\":\"hi\"}").id()).isEqualTo("17");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                         | the line is empty",
                "`  `                       | the line is empty",
                "{\"text\":\"cut            | the line is no JSON",
                "{\"text\":\"a\"} trailing  | the line is no JSON",
                "[\"text\"]                 | the line is no JSON object",
                "null                       | the line is no JSON object",
                "{\"subject\":\"a\"}        | 'text' is missing",
                "{\"text\":null}            | 'text' is missing",
                "{\"text\":42}              | 'text' is no string",
                "{\"text\":\"  \"}          | 'text' is blank",
            })
    void aLineThatIsNoMessageSaysWhyAndHasItsPlaceAsId(String line, String problem) {
        SupportMessage message = of(line);
        assertThat(message.problem()).startsWith(problem);
        assertThat(message.id()).isEqualTo("in.jsonl:12");
        assertThat(message.text()).isNull();
    }

    @Test
    void aRepeatHasAnIdOfItsOwn() {
        SupportMessage repeat = of("{\"id\":\"m-1\",\"text\":\"hi\"}").asRepeat();
        assertThat(repeat.id()).isEqualTo("m-1@in.jsonl:12");
        assertThat(repeat.duplicateOf()).isEqualTo("m-1");
    }
}
