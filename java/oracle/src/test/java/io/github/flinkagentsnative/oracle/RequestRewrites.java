package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.stream.StreamSupport;

/** The SDK's requests in this library's form, schemas apart, one method for each {@link StatedDifference}. */
final class RequestRewrites {
    private RequestRewrites() {}

    // ---- the whole request

    /** The prompt has to hold the schema then; it is ours alone and is taken over. */
    static JsonNode openObject(String pointer, JsonNode sdk, JsonNode ours) {
        JsonNode schema = sdk.at("/response_format/json_schema/schema");
        boolean open = StreamSupport.stream(schema.path("properties").spliterator(), false)
                .anyMatch(RequestRewrites::isOpen);
        JsonNode prompt = ours.at("/messages/0");
        boolean prompted = prompt.path("role").asText().equals("system")
                && Json.names(schema.path("properties")).stream()
                        .allMatch(name -> prompt.path("content").asText().contains("\"" + name + "\""));
        if (!pointer.equals("/body") || !open || !prompted) {
            return null;
        }
        ObjectNode changed = ((ObjectNode) sdk).deepCopy();
        changed.remove("response_format");
        changed.withArray("messages").insert(0, prompt);
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
        if (!pointer.matches("/body/messages/\\d+/content") || !sdk.isArray()) {
            return null;
        }
        StringBuilder joined = new StringBuilder();
        for (JsonNode part : sdk) {
            if (!part.path("type").asText().equals("text")) {
                return null;
            }
            joined.append(part.path("text").asText());
        }
        return text(joined.toString());
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

    // ---- parameters

    static JsonNode toolChoice(String pointer, JsonNode sdk, JsonNode ours) {
        return pointer.equals("/body") && !sdk.has("tools") ? without(sdk, "tool_choice") : null;
    }

    static JsonNode maxTokens(String pointer, JsonNode sdk, JsonNode ours) {
        if (!pointer.equals("/body") || !sdk.has("max_tokens")) {
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
