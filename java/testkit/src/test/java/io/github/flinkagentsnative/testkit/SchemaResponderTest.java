package io.github.flinkagentsnative.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaResponderTest {
    private final SchemaResponder responder = new SchemaResponder()
            .hint("BILLING", "invoice", "Rechnung", "发票", "חשבונית")
            .hint("DELIVERY", "parcel", "Paket", "πακέτο", "배송")
            .hint("angry", "!", "worst");

    private JsonNode fill(String text, String schema) throws Exception {
        return responder.fill(Json.parse(schema), text);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "Die Rechnungen fehlen, BILLING",
        "请给我发票, BILLING",
        "יש לי שאלה על החשבונית, BILLING",
        "배송이 늦어요, DELIVERY",
        "Το πακέτο δεν ήρθε, DELIVERY",
        "The subparcel, OTHER",
        "nothing special, OTHER"
    })
    void enumsAreChosenByKeywords(String text, String value) throws Exception {
        assertThat(fill(text, "{\"type\":\"string\",\"enum\":[\"DELIVERY\",\"BILLING\",\"OTHER\"]}")
                        .asText())
                .isEqualTo(value);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "You charged me € 1.234,50 twice | 1234.50 | EUR",
                "I paid $1,299.99! | 1299.99 | USD",
                "zapłaciłem 49,90 zł | 49.90 | PLN",
                "Это стоило 1 500 ₽ | 1500 | RUB",
                "دفعت ١٢٠ ريال | 120 | SAR",
                "3500円を払いました | 3500 | JPY",
                "12 items | |"
            })
    void amountsAreReadInTheirCountrysForm(String text, String amount, String currency) throws Exception {
        JsonNode answer = fill(text, """
                {"type":"object","properties":{"amount":{"type":["number","null"]},"currency":{"type":["string","null"]}},
                 "required":["amount","currency"],"additionalProperties":false}""");
        assertThat(answer.path("amount").asText()).isEqualTo(amount == null ? "null" : amount);
        assertThat(answer.path("currency").asText()).isEqualTo(currency == null ? "null" : currency);
    }

    @Test
    void nullableValuesAreNullWhenTheTextHasNone() throws Exception {
        String schema = """
                {"type":"object","properties":{"orderNumber":{"anyOf":[{"type":"string"},{"type":"null"}]}},
                 "required":["orderNumber"],"additionalProperties":false}""";
        assertThat(fill("My order AB-12345 is late", schema).path("orderNumber").asText())
                .isEqualTo("AB-12345");
        assertThat(fill("My order is late", schema).path("orderNumber").isNull())
                .isTrue();
    }

    @Test
    void restrictionsAreKept() throws Exception {
        assertThat(fill("7 of 9", "{\"type\":\"integer\",\"minimum\":10}").asInt())
                .isEqualTo(10);
        assertThat(fill("7 of 9", "{\"type\":\"integer\",\"multipleOf\":5}").asInt())
                .isEqualTo(5);
        assertThat(fill("a", "{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"minItems\":5}"))
                .hasSize(5);
        assertThat(fill(
                        "one two three four five six",
                        "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":2}"))
                .hasSize(2);
        assertThat(fill("worst day", "{\"type\":\"object\",\"properties\":{\"angry\":{\"type\":\"boolean\"}}}")
                        .path("angry")
                        .asBoolean())
                .isTrue();
        assertThat(fill("fine day", "{\"type\":\"object\",\"properties\":{\"angry\":{\"type\":\"boolean\"}}}")
                        .path("angry")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void referencesAreFollowedAndRecursionEnds() throws Exception {
        JsonNode answer = fill("Top. Sub.", """
                {"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"label":{"type":"string"},
                 "next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"required":["label","next"],"additionalProperties":false}}}""");
        assertThat(answer.path("label").asText()).isEqualTo("Top.");
        assertThat(Json.write(answer)).contains("\"next\":null");
    }

    @Test
    void listsOfTheSchemaItselfEnd() throws Exception {
        String schema = """
                {"type":"object","properties":{"s":{"type":"string"},"more":{"type":"array","items":{"$ref":"#"}}},
                 "required":["s","more"],"additionalProperties":false}""";
        JsonNode node = fill("Only one sentence.", schema);
        while (!node.path("more").isEmpty()) {
            node = node.path("more").get(0);
            assertThat(node.has("s")).isTrue();
        }
        assertThat(node.path("more").isArray()).isTrue();
    }

    @Test
    void anExcerptNeverSplitsACharacter() throws Exception {
        String text = "x" + "😀".repeat(100);
        String excerpt = fill(text, "{\"type\":\"string\"}").asText();
        assertThat(excerpt.length()).isLessThanOrEqualTo(80);
        assertThat(excerpt.codePoints()).noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    }

    @Test
    void aSchemaInThePromptIsFilledToo() throws Exception {
        try (LocalChatServer server = LocalChatServer.start()) {
            String body = """
                    {"model":"m","messages":[{"role":"system","content":"Be {brief}. Answer as: {\\"type\\":\\"object\\",\\"properties\\":{\\"n\\":{\\"type\\":\\"integer\\"}}}"},
                     {"role":"user","content":"It is 42."}]}""";
            assertThat(Http.content(Http.chat(server, body))).isEqualTo("{\"n\":42}");
        }
    }

    @Test
    void aRequiredToolIsCalled() throws Exception {
        try (LocalChatServer server = LocalChatServer.start()) {
            String body = """
                    {"model":"m","messages":[{"role":"user","content":"It is 42."}],"tool_choice":"required","tools":[{"type":"function",
                     "function":{"name":"note","parameters":{"type":"object","properties":{"n":{"type":"integer"}}}}}]}""";
            JsonNode call = Json.parse(Http.chat(server, body).body()).at("/choices/0/message/tool_calls/0/function");
            assertThat(call.path("name").asText()).isEqualTo("note");
            assertThat(call.path("arguments").asText()).isEqualTo("{\"n\":42}");
        }
    }
}
