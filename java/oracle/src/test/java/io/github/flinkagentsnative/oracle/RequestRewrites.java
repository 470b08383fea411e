package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/** The SDK's requests in this library's form, schemas apart, one method for each {@link StatedDifference}. */
final class RequestRewrites {
    private RequestRewrites() {}

    // ---- the whole request

    /** The prompt has to hold the schema then; it is ours alone and is taken over. */
    static JsonNode openObject(String pointer, JsonNode sdk, JsonNode ours) {
        if (!pointer.equals("/body")) {
            return null;
        }
        String messages = sdk.has("input") ? "input" : "messages";
        JsonNode schema =
                sdk.has("input") ? sdk.at("/text/format/schema") : sdk.at("/response_format/json_schema/schema");
        JsonNode properties = schema.path("properties");
        boolean open = StreamSupport.stream(properties.spliterator(), false).anyMatch(RequestRewrites::isOpen);
        JsonNode prompt = ours.path(messages).path(0);
        boolean prompted = prompt.path("role").asText().equals("system")
                && Json.names(properties).stream()
                        .allMatch(name ->
                                prompt.findValuesAsText("text").toString().contains("\"" + name + "\"")
                                        || prompt.path("content").asText().contains("\"" + name + "\""));
        if (!open || !prompted) {
            return null;
        }
        ObjectNode changed = ((ObjectNode) sdk).deepCopy();
        changed.remove(List.of("response_format", "text"));
        changed.withArray(messages).insert(0, prompt);
        return changed;
    }

    private static boolean isOpen(JsonNode property) {
        return property.isEmpty() || property.equals(Json.read("{\"type\":\"object\",\"additionalProperties\":false}"));
    }

    static JsonNode refusedClass(String pointer, JsonNode sdk, JsonNode ours) {
        boolean unwrapped = sdk.at("/body/response_format/json_schema/schema").has("allOf");
        return unwrapped && ours.path("refused").asText().contains("'address' is @JsonUnwrapped") ? ours : null;
    }

    static JsonNode azureV1(String pointer, JsonNode sdk, JsonNode ours) {
        if (!pointer.equals("/url") || !sdk.asText().endsWith("?api-version=v1")) {
            return null;
        }
        URI url = URI.create(sdk.asText());
        return text("https://" + url.getHost() + "/openai/v1/chat/completions");
    }

    static JsonNode azureHost(String pointer, JsonNode sdk, JsonNode ours) {
        String plain = "/chat/completions";
        if (!pointer.equals("/url") || !URI.create(sdk.asText()).getPath().equals(plain)) {
            return null;
        }
        return text(sdk.asText().replace(plain, "/openai/deployments/chat/chat/completions?api-version=2024-10-21"));
    }

    // ---- messages and tools

    static JsonNode joinedTexts(String pointer, JsonNode sdk, JsonNode ours) {
        if (!sdk.isArray() || !pointer.matches("/body/(messages|input)/\\d+/(content|output)")) {
            return null;
        }
        StringBuilder joined = new StringBuilder();
        for (JsonNode part : sdk) {
            if (!Set.of("text", "input_text").contains(part.path("type").asText())) {
                return null;
            }
            joined.append(part.path("text").asText());
        }
        if (!pointer.matches("/body/input/\\d+/content")) {
            return text(joined.toString());
        }
        ObjectNode part = ((ObjectNode) sdk.get(0)).deepCopy().put("text", joined.toString());
        return Json.object().arrayNode().add(part);
    }

    static JsonNode messageType(String pointer, JsonNode sdk, JsonNode ours) {
        boolean typed = pointer.matches("/body/input/\\d+")
                && sdk.has("role")
                && sdk.path("type").asText().equals("message");
        return typed ? without(sdk, "type") : null;
    }

    static JsonNode withoutEmptyContent(String pointer, JsonNode sdk, JsonNode ours) {
        boolean empty = sdk.path("role").asText().equals("assistant")
                && sdk.path("content").isTextual()
                && sdk.path("content").asText().isEmpty();
        return empty ? without(sdk, "content") : null;
    }

    static JsonNode fileName(String pointer, JsonNode sdk, JsonNode ours) {
        boolean nameless = sdk.has("file_data") && !sdk.has("filename");
        return nameless ? ((ObjectNode) sdk).deepCopy().put("filename", "document") : null;
    }

    static JsonNode toolParameters(String pointer, JsonNode sdk, JsonNode ours) {
        if (!pointer.matches("/body/tools/\\d+/function") || sdk.has("parameters")) {
            return null;
        }
        ObjectNode changed = ((ObjectNode) sdk).deepCopy();
        return changed.set("parameters", Json.read("{\"type\":\"object\",\"properties\":{}}"));
    }

    /** Closes the one object and makes what it does not require nullable, as in schemas for answers. */
    static JsonNode strictTool(String pointer, JsonNode sdk, JsonNode ours) {
        boolean strict = pointer.matches("/body/tools/\\d+/function")
                && sdk.path("strict").asBoolean();
        JsonNode parameters = sdk.path("parameters");
        if (!strict || parameters.has("additionalProperties")) {
            return null;
        }
        List<String> required = Json.texts(parameters.path("required"));
        ObjectNode closed = ((ObjectNode) parameters).deepCopy().put("additionalProperties", false);
        ArrayNode all = closed.putArray("required");
        for (String name : Json.names(parameters.path("properties"))) {
            all.add(name);
            if (!required.contains(name)) {
                ObjectNode property = (ObjectNode) closed.get("properties").get(name);
                JsonNode type = property.get("type");
                property.putArray("type").add(type).add("null");
            }
        }
        return ((ObjectNode) sdk).deepCopy().set("parameters", closed);
    }

    static JsonNode mergedTurns(String pointer, JsonNode sdk, JsonNode ours) {
        return pointer.equals("/body") && isAnthropic(sdk)
                ? ((ObjectNode) sdk).deepCopy().set("messages", merged(sdk.get("messages")))
                : null;
    }

    private static boolean isAnthropic(JsonNode body) {
        return body.path("model").asText().equals(Ours.CLAUDE);
    }

    private static ArrayNode merged(JsonNode messages) {
        ArrayNode turns = Json.object().arrayNode();
        for (JsonNode message : messages) {
            List<JsonNode> blocks = sayingSomething(message.path("content"));
            JsonNode last = turns.path(turns.size() - 1);
            if (blocks.isEmpty()) {
                continue;
            }
            if (!last.path("role").equals(message.path("role"))) {
                last = turns.addObject().set("role", message.path("role"));
                ((ObjectNode) last).putArray("content");
            }
            ((ArrayNode) last.get("content")).addAll(blocks);
        }
        turns.forEach(RequestRewrites::resultsFirst);
        return turns;
    }

    private static List<JsonNode> sayingSomething(JsonNode content) {
        JsonNode text = Json.object().put("type", "text").set("text", content);
        JsonNode blocks = content.isTextual() ? Json.object().arrayNode().add(text) : content;
        return StreamSupport.stream(blocks.spliterator(), false)
                .filter(block ->
                        !block.has("text") || !block.get("text").asText().isBlank())
                .toList();
    }

    /** A turn of one text of the user is that text. */
    private static void resultsFirst(JsonNode turn) {
        List<JsonNode> sorted = StreamSupport.stream(turn.get("content").spliterator(), false)
                .sorted(Comparator.comparing(
                        block -> !block.path("type").asText().equals("tool_result")))
                .toList();
        ((ObjectNode) turn).putArray("content").addAll(sorted);
        if (turn.path("role").asText().equals("user")
                && sorted.size() == 1
                && sorted.get(0).has("text")) {
            ((ObjectNode) turn).set("content", sorted.get(0).get("text"));
        }
    }

    // ---- parameters

    static JsonNode toolChoice(String pointer, JsonNode sdk, JsonNode ours) {
        return pointer.equals("/body") && !sdk.has("tools") ? without(sdk, "tool_choice") : null;
    }

    static JsonNode maxTokens(String pointer, JsonNode sdk, JsonNode ours) {
        if (!pointer.equals("/body") || !sdk.has("max_tokens") || isAnthropic(sdk)) {
            return null;
        }
        return without(sdk, "max_tokens").set("max_completion_tokens", sdk.get("max_tokens"));
    }

    static JsonNode logprobs(String pointer, JsonNode sdk, JsonNode ours) {
        boolean off = sdk.path("logprobs").isBoolean() && !sdk.get("logprobs").asBoolean();
        return pointer.equals("/body") && off ? without(sdk, "logprobs") : null;
    }

    static JsonNode withoutNulls(String pointer, JsonNode sdk, JsonNode ours) {
        if (!pointer.equals("/body")) {
            return null;
        }
        ObjectNode changed = ((ObjectNode) sdk).deepCopy();
        List<String> nulls =
                Json.names(sdk).stream().filter(name -> sdk.get(name).isNull()).toList();
        return changed.remove(nulls);
    }

    private static ObjectNode without(JsonNode object, String name) {
        ObjectNode changed = ((ObjectNode) object).deepCopy();
        changed.remove(name);
        return changed;
    }

    private static JsonNode text(String value) {
        return Json.object().textNode(value);
    }
}
