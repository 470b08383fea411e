package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * How this library's requests differ from those of google-genai 2.3.0, and why. The table in docs/differences-gemini.md is this enum.
 */
enum GeminiDifference implements SdkDifference {
    PATH_VERSION(
            "the path version `v1` on the Gemini API, `v1beta1` on Vertex AI",
            "`v1beta` on the Gemini API, `v1` on Vertex AI; the setting `api_version` says otherwise",
            "as Flink Agents has it; functions and schemas as JSON Schema came to `v1beta` first",
            GeminiDifference::pathVersion),
    SYSTEM_ROLE(
            "a role on the system instruction, where its content was made from texts",
            "no role",
            "it has none",
            request -> ((ObjectNode) request.at("/body/systemInstruction")).remove("role")),
    EMPTY_CONFIGURATION(
            "an empty `generationConfig` beside tools or a system instruction",
            "nothing",
            "it says nothing",
            request -> ((ObjectNode) request.get("body")).remove("generationConfig")),
    TEXTS_JOINED(
            "the texts of a user as parts",
            "one text where a message holds text only",
            "the pieces are one text",
            GeminiDifference::joinedTexts),
    EMPTY_TURN(
            "a turn with an empty text",
            "no such turn of an assistant",
            "the service refuses a part without data",
            GeminiDifference::withoutEmptyTurns),
    NULL_ARGUMENTS(
            "no member that is null in the arguments of a call",
            "the arguments as the model wrote them",
            "the model may have meant the null",
            GeminiDifference::nullArgument),
    SCHEMA_FORM(
            "the schema as given",
            "every object closed, with `propertyOrdering`; a `const` as an `enum` of one value, and keywords that the service ignores "
                    + "in the description",
            "an answer keeps to the schema as far as the service can see to it, and its members keep their order",
            request -> schemaForm((ObjectNode) request.at("/body/generationConfig/responseJsonSchema"))),
    TOOL_CHOICE_ALONE(
            "`toolConfig` as given",
            "`toolConfig` for a tool choice only beside tools",
            "without tools there is nothing to choose",
            request -> ((ObjectNode) request.get("body")).remove("toolConfig"));

    private final Rule rule;

    GeminiDifference(String sdk, String ours, String why, Consumer<ObjectNode> rewrite) {
        rule = new Rule(sdk, ours, why, rewrite);
    }

    @Override
    public Rule rule() {
        return rule;
    }

    private static void pathVersion(ObjectNode request) {
        String path = request.get("path").asText();
        request.put(
                "path",
                path.startsWith("/v1beta1/")
                        ? "/v1/" + path.substring("/v1beta1/".length())
                        : path.replaceFirst("^/v1/", "/v1beta/"));
    }

    private static void joinedTexts(ObjectNode request) {
        for (JsonNode content : request.at("/body/contents")) {
            StringBuilder text = new StringBuilder();
            content.get("parts").forEach(part -> text.append(part.get("text").asText()));
            ((ObjectNode) content).putArray("parts").addObject().put("text", text.toString());
        }
    }

    private static void withoutEmptyTurns(ObjectNode request) {
        ArrayNode contents = (ArrayNode) request.at("/body/contents");
        for (int i = contents.size() - 1; i >= 0; i--) {
            if (contents.get(i).at("/parts/0/text").asText("-").isEmpty()) {
                contents.remove(i);
            }
        }
    }

    /** The rule knows the one input that has a null. */
    private static void nullArgument(ObjectNode request) {
        ((ObjectNode) request.at("/body/contents/1/parts/0/functionCall/args")).putNull("date");
    }

    private static void schemaForm(ObjectNode schema) {
        JsonNode constant = schema.remove("const");
        if (constant != null) {
            schema.putArray("enum").add(constant);
        }
        JsonNode least = schema.remove("minLength");
        if (least != null) {
            schema.put("description", "At least " + least.asInt() + " characters.");
        }
        if (schema.has("properties")) {
            ArrayNode order = schema.put("additionalProperties", false).putArray("propertyOrdering");
            List<String> names = new ArrayList<>(Json.names(schema.get("properties")));
            names.forEach(order::add);
        }
        for (JsonNode child : schema) {
            if (child instanceof ObjectNode) {
                child.forEach(inner -> {
                    if (inner instanceof ObjectNode object) {
                        schemaForm(object);
                    }
                });
            }
        }
        if (schema.get("items") instanceof ObjectNode items) {
            schemaForm(items);
        }
    }
}
