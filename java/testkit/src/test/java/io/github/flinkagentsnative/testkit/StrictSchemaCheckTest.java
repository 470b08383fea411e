package io.github.flinkagentsnative.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictSchemaCheckTest {
    /** Wraps a property's schema into a root that is fine. */
    private static String fault(String property) throws Exception {
        return StrictSchemaCheck.fault(Json.parse("{\"type\":\"object\",\"properties\":{\"p\":" + property
                + "},\"required\":[\"p\"],\"additionalProperties\":false,\"$defs\":{\"d\":{\"type\":\"string\"}}}"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"string\",\"minLength\":1}                        | 'minLength' is not permitted",
                "{\"type\":\"string\",\"default\":\"x\"}                      | 'default' is not permitted",
                "{\"oneOf\":[{\"type\":\"string\"}]}                          | 'oneOf' is not permitted",
                "{}                                                           | must have a 'type' key",
                "{\"enum\":[\"a\"]}                                           | must have a 'type' key",
                "true                                                         | must be a JSON object",
                "{\"type\":\"text\"}                                          | invalid 'type'",
                "{\"type\":\"array\"}                                         | missing items",
                "{\"type\":\"string\",\"enum\":[]}                            | non-empty array",
                "{\"type\":\"string\",\"format\":\"uri\"}                     | 'uri' is not a valid format",
                "{\"$ref\":\"#/$defs/x\"}                                     | reference can only point",
                "{\"$ref\":\"https://example.com/x.json\"}                    | reference can only point",
                "{\"$ref\":\"#/$defs/d\",\"description\":\"x\"}               | $ref cannot have keywords {'description'}",
                "{\"anyOf\":[]}                                               | non-empty array",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"additionalProperties\":false} | Missing 'a'",
                "{\"type\":\"object\",\"properties\":{},\"required\":[\"a\"],\"additionalProperties\":false}       | no properties: [a]",
                "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}                              | 'additionalProperties' is required",
                "{\"type\":\"string\",\"enum\":[\"a\",5]} | 'enum' value 5 does not validate against type string",
                "{\"type\":[\"integer\",\"null\"],\"enum\":[1,null,1.5]} | 'enum' value 1.5 does not validate",
                "{\"type\":\"string\",\"enum\":[{\"a\":1}]} | is not a scalar",
                "{\"type\":\"string\",\"const\":5} | 'const' value 5 does not validate",
                "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":\"x\"} | 'minItems': expected a count",
                "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":-1} | 'maxItems': expected a count",
                "{\"type\":\"integer\",\"minimum\":\"0\"} | 'minimum': expected a number",
                "{\"type\":\"number\",\"multipleOf\":0} | 'multipleOf': expected a number above 0",
                "{\"type\":\"object\",\"properties\":[],\"required\":[],\"additionalProperties\":false} | 'properties': expected an object",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":\"a\",\"additionalProperties\":false} | 'required': expected an array of different strings",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\",\"a\"],\"additionalProperties\":false} | 'required': expected an array of different strings",
                "{\"$ref\":\"#/properties\"} | reference can only point",
                "{\"$ref\":\"#/properties/p\"} | reference can only point",
                "{\"$ref\":5} | '$ref': expected a string",
                "{\"type\":\"string\",\"$defs\":5} | '$defs': expected an object",
                "{\"type\":\"string\",\"description\":5} | 'description': expected a string",
                "{\"type\":\"string\",\"pattern\":5} | 'pattern': expected a string",
            })
    void names(String property, String rule) throws Exception {
        assertThat(fault(property)).startsWith("In context=('properties', 'p')").contains(rule);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":[\"string\",\"null\"],\"description\":\"d\",\"pattern\":\"^a\"}",
                "{\"anyOf\":[{\"$ref\":\"#/$defs/d\"},{\"type\":\"null\"}]}",
                "{\"$ref\":\"#\"}",
                "{\"type\":[\"integer\",\"null\"],\"enum\":[1,2.0,null]}",
                "{\"type\":\"object\",\"properties\":{\"description\":{\"type\":\"string\",\"const\":\"x\"}},\"required\":[\"description\"],\"additionalProperties\":false}",
                "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0},\"minItems\":1,\"maxItems\":3}",
                "{\"type\":\"object\",\"properties\":{\"$ref\":{\"type\":\"boolean\"}},\"required\":[\"$ref\"],\"additionalProperties\":false}",
            })
    void takes(String property) throws Exception {
        assertThat(fault(property)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}             | got 'type: \"array\"'",
                "{\"anyOf\":[{\"type\":\"string\"}]}                              | 'anyOf' at the top level",
                "[]                                                               | must be a JSON object",
            })
    void theRootIsAClosedObject(String schema, String rule) throws Exception {
        assertThat(StrictSchemaCheck.fault(Json.parse(schema)))
                .startsWith("In context=()")
                .contains(rule);
    }

    @Test
    void definitionsThatReferOnlyToEachOtherAreRefused() throws Exception {
        for (String definitions : new String[] {
            "{\"a\":{\"$ref\":\"#/$defs/a\"}}", "{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}"
        }) {
            String schema =
                    "{\"type\":\"object\",\"properties\":{},\"required\":[],\"additionalProperties\":false,\"$defs\":"
                            + definitions + "}";
            assertThat(StrictSchemaCheck.fault(Json.parse(schema)))
                    .startsWith("In context=('$defs', 'a')")
                    .contains("leads back to itself");
        }
    }

    @Test
    void tenLevelsAreTakenAndElevenRefused() throws Exception {
        assertThat(fault(nested(9))).isNull();
        assertThat(fault(nested(10))).contains("nesting depth of 10");
    }

    @Test
    void limitsInSizeAreRefusedByName() throws Exception {
        String values =
                IntStream.range(0, 1001).mapToObj(i -> "\"v" + i + "\"").collect(Collectors.joining(",", "[", "]"));
        assertThat(fault("{\"type\":\"string\",\"enum\":" + values + "}")).contains("more than 1000 enum values");
        String text = "t".repeat(60_001);
        assertThat(fault("{\"type\":\"string\",\"enum\":[\"" + text + "\",\"2" + text + "\"]}"))
                .contains("120000 characters");
    }

    private static String nested(int levels) {
        return "{\"type\":\"array\",\"items\":".repeat(levels) + "{\"type\":\"string\"}" + "}".repeat(levels);
    }
}
