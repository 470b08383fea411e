package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;

/**
 * How this library's requests differ from those of the AWS SDK for Java 2.57.8, and why. The table in docs/differences-bedrock.md is this
 * enum.
 */
enum BedrockDifference implements SdkDifference {
    BLANK_TEXT(
            "blank texts, and turns that hold nothing else, as given",
            "neither",
            "the service refuses a text that is blank, and a turn without content",
            BedrockDifference::withoutBlankTexts),
    ONE_TURN(
            "messages that follow each other on one side as given",
            "one message, tool results first",
            "the service wants turns that alternate, and all results of a turn's calls in the next one",
            BedrockDifference::oneTurn),
    SUCCESS_STATUS(
            "no `status` on a tool result, unless it is set",
            "`success` or `error` always",
            "what a tool said about itself is told either way",
            request -> request.at("/body/messages").forEach(BedrockDifference::withStatus)),
    DOCUMENT_NAME(
            "a document's name as given",
            "without its extension, and with nothing but what the service takes",
            "the service refuses a name with a dot, and two documents of one name",
            BedrockDifference::plainNames),
    SCHEMA_FORM(
            "the schema's text as given, without a name",
            "every object closed, every property required, an optional one nullable, keywords that the service refuses in the description; and the "
                    + "schema's name",
            "the service takes closed objects only",
            BedrockDifference::schemaForm);

    private final Rule rule;

    BedrockDifference(String sdk, String ours, String why, Consumer<ObjectNode> rewrite) {
        rule = new Rule(sdk, ours, why, rewrite);
    }

    @Override
    public Rule rule() {
        return rule;
    }

    private static void withoutBlankTexts(ObjectNode request) {
        ArrayNode messages = (ArrayNode) request.at("/body/messages");
        for (int i = messages.size() - 1; i >= 0; i--) {
            ArrayNode content = (ArrayNode) messages.get(i).get("content");
            for (int j = content.size() - 1; j >= 0; j--) {
                if (content.get(j).path("text").asText("-").isBlank()) {
                    content.remove(j);
                }
            }
            if (content.isEmpty()) {
                messages.remove(i);
            }
        }
    }

    private static void oneTurn(ObjectNode request) {
        ArrayNode messages = (ArrayNode) request.at("/body/messages");
        for (int i = messages.size() - 1; i > 0; i--) {
            JsonNode before = messages.get(i - 1);
            if (before.get("role").equals(messages.get(i).get("role"))) {
                ((ArrayNode) before.get("content"))
                        .addAll((ArrayNode) messages.get(i).get("content"));
                messages.remove(i);
            }
        }
    }

    private static void withStatus(JsonNode message) {
        for (JsonNode block : message.get("content")) {
            if (block.get("toolResult") instanceof ObjectNode result && !result.has("status")) {
                result.put("status", "success");
            }
        }
    }

    private static void plainNames(ObjectNode request) {
        for (JsonNode block : request.at("/body/messages/0/content")) {
            if (block.get("document") instanceof ObjectNode document) {
                document.put(
                        "name",
                        document.get("name").asText().replaceAll("\\.pdf$", "").replace('_', ' '));
            }
        }
    }

    private static void schemaForm(ObjectNode request) {
        ObjectNode format = (ObjectNode) request.at("/body/outputConfig/textFormat/structure/jsonSchema");
        ObjectNode schema = (ObjectNode) Json.read(format.get("schema").asText());
        schema.put("additionalProperties", false)
                .putArray("required")
                .add("amount")
                .add("note");
        ((ObjectNode) schema.at("/properties/note"))
                .putArray("type")
                .add("string")
                .add("null");
        ObjectNode amount = (ObjectNode) schema.at("/properties/amount");
        amount.remove("minimum");
        amount.put("description", "At least 0.");
        format.put("schema", schema.toString()).put("name", "Order");
    }
}
