package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses what Chat Completions refuses: address, key, model, root parameters and their ranges, response format. Messages and tools are
 * checked by {@link MessageCheck} and {@link ToolCheck}. Rules as documented by OpenAI and Azure in November 2026.
 */
final class RequestCheck {
    /** Names of schemas, tools and functions. */
    static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    private static final Set<String> PARAMETERS = Set.of(
            "audio",
            "frequency_penalty",
            "function_call",
            "functions",
            "logit_bias",
            "logprobs",
            "max_completion_tokens",
            "max_tokens",
            "messages",
            "metadata",
            "modalities",
            "model",
            "n",
            "parallel_tool_calls",
            "prediction",
            "presence_penalty",
            "prompt_cache_key",
            "prompt_cache_retention",
            "reasoning_effort",
            "response_format",
            "safety_identifier",
            "seed",
            "service_tier",
            "stop",
            "store",
            "stream",
            "stream_options",
            "temperature",
            "tool_choice",
            "tools",
            "top_logprobs",
            "top_p",
            "user",
            "verbosity",
            "web_search_options");

    /** The o-series and the GPT-5 family: no {@code max_tokens}, and the default temperature only. */
    private static final Pattern REASONING_MODEL = Pattern.compile("(o\\d|gpt-5).*");

    /** Models older than structured outputs. */
    private static final Pattern NO_SCHEMA_MODEL = Pattern.compile("gpt-3\\.5.*|gpt-4|gpt-4-.*|gpt-4o-2024-05-13");

    private RequestCheck() {}

    static void check(ReceivedRequest request, String apiKey, Set<String> models) throws Refusal {
        Endpoint endpoint = Endpoint.of(request.path());
        checkAddress(request, endpoint);
        checkKey(request, endpoint, apiKey);
        JsonNode body = body(request);
        checkModel(request, endpoint, models);
        checkParameters(body, request.model());
        MessageCheck.check(body.path("messages"));
        ToolCheck.check(body);
        checkResponseFormat(body, request);
    }

    private static void checkAddress(ReceivedRequest request, Endpoint endpoint) throws Refusal {
        if (endpoint.kind() == Endpoint.Kind.UNKNOWN) {
            throw Refusal.of(
                    404,
                    "invalid_request_error",
                    null,
                    null,
                    "Invalid URL (" + request.method() + " " + request.path() + ")");
        }
        if (!request.method().equals("POST")) {
            throw Refusal.of(
                    405,
                    "invalid_request_error",
                    null,
                    "method_not_supported",
                    "Only POST is accepted here, got " + request.method() + ".");
        }
        boolean dated = request.query().getOrDefault("api-version", "").matches("\\d{4}-\\d{2}-\\d{2}(-preview)?");
        if (endpoint.kind() == Endpoint.Kind.AZURE_DEPLOYMENT && !dated) {
            throw Refusal.of(404, null, null, "404", "Resource not found: the query lacks a dated api-version.");
        }
    }

    private static void checkKey(ReceivedRequest request, Endpoint endpoint, String apiKey) throws Refusal {
        if (apiKey == null) {
            return;
        }
        boolean bearer = ("Bearer " + apiKey).equals(request.headers().get("authorization"));
        boolean azureKey = endpoint.azure() && apiKey.equals(request.headers().get("api-key"));
        if (bearer || azureKey) {
            return;
        }
        if (endpoint.azure()) {
            throw Refusal.of(
                    401, null, null, "401", "Access denied: the subscription key or token is missing or wrong.");
        }
        String message = request.headers().containsKey("authorization")
                ? "Incorrect API key provided."
                : "You didn't provide an API key: send it in an Authorization header.";
        throw Refusal.of(401, "invalid_request_error", null, "invalid_api_key", message);
    }

    private static JsonNode body(ReceivedRequest request) throws Refusal {
        if (!request.headers().getOrDefault("content-type", "").startsWith("application/json")) {
            throw Refusal.of(
                    415,
                    "invalid_request_error",
                    null,
                    "unsupported_content_type",
                    "The content type has to be application/json.");
        }
        if (!request.json().isObject()) {
            throw Refusal.badRequest(
                    null, null, "The body could not be read as one JSON object without repeated keys.");
        }
        return request.json();
    }

    private static void checkModel(ReceivedRequest request, Endpoint endpoint, Set<String> models) throws Refusal {
        if (request.model().isBlank()) {
            throw Refusal.badRequest(null, null, "you must provide a model parameter");
        }
        if (models.isEmpty() || models.contains(request.model())) {
            return;
        }
        if (endpoint.azure()) {
            throw Refusal.of(
                    404, null, null, "DeploymentNotFound", "The API deployment for this resource does not exist.");
        }
        throw Refusal.of(
                404,
                "invalid_request_error",
                null,
                "model_not_found",
                "The model `" + request.model() + "` does not exist or you do not have access to it.");
    }

    private static void checkParameters(JsonNode body, String model) throws Refusal {
        for (Iterator<String> names = body.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!PARAMETERS.contains(name)) {
                throw Refusal.badRequest(name, "unknown_parameter", "Unknown parameter: '" + name + "'.");
            }
        }
        checkRange(body, "temperature", 0, 2);
        checkRange(body, "top_p", 0, 1);
        checkRange(body, "presence_penalty", -2, 2);
        checkRange(body, "frequency_penalty", -2, 2);
        checkCount(body, "max_tokens");
        checkCount(body, "max_completion_tokens");
        checkCount(body, "n");
        checkRange(body, "top_logprobs", 0, 20);
        if (body.has("top_logprobs") && !body.path("logprobs").asBoolean()) {
            throw Refusal.badRequest("top_logprobs", "invalid_value", "'top_logprobs' needs 'logprobs' to be true.");
        }
        if (body.path("stream").asBoolean()) {
            throw Refusal.badRequest("stream", "unsupported_value", "The local server does not stream.");
        }
        if (REASONING_MODEL.matcher(model).matches()) {
            checkReasoningModel(body);
        }
    }

    private static void checkReasoningModel(JsonNode body) throws Refusal {
        if (body.has("max_tokens")) {
            throw Refusal.badRequest(
                    "max_tokens",
                    "unsupported_parameter",
                    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.");
        }
        JsonNode temperature = body.path("temperature");
        if (temperature.isNumber() && temperature.asDouble() != 1) {
            throw Refusal.badRequest(
                    "temperature",
                    "unsupported_value",
                    "Unsupported value: 'temperature' does not support " + temperature.asText()
                            + " with this model. Only the default (1) value is supported.");
        }
    }

    private static void checkRange(JsonNode body, String name, double least, double most) throws Refusal {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return;
        }
        if (!value.isNumber()) {
            throw Refusal.badRequest(name, "invalid_type", "Invalid type for '" + name + "': expected a number.");
        }
        if (value.asDouble() < least || value.asDouble() > most) {
            throw Refusal.badRequest(
                    name,
                    "decimal_out_of_range",
                    "Invalid '" + name + "': expected a value from " + least + " to " + most + ", got " + value.asText()
                            + ".");
        }
    }

    private static void checkCount(JsonNode body, String name) throws Refusal {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return;
        }
        if (!value.isIntegralNumber()) {
            throw Refusal.badRequest(name, "invalid_type", "Invalid type for '" + name + "': expected an integer.");
        }
        if (value.asLong() < 1) {
            throw Refusal.badRequest(
                    name,
                    "integer_below_min_value",
                    "Invalid '" + name + "': integer below minimum value. Expected a value >= 1, got " + value.asText()
                            + ".");
        }
    }

    private static void checkResponseFormat(JsonNode body, ReceivedRequest request) throws Refusal {
        JsonNode format = body.path("response_format");
        if (format.isMissingNode() || format.isNull()) {
            return;
        }
        switch (format.path("type").asText()) {
            case "text" -> {}
            case "json_object" -> {
                if (!Json.write(body.path("messages")).toLowerCase(Locale.ROOT).contains("json")) {
                    throw Refusal.badRequest(
                            "messages",
                            null,
                            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.");
                }
            }
            case "json_schema" -> checkSchemaFormat(format.path("json_schema"), request.model());
            default ->
                throw Refusal.badRequest(
                        "response_format.type",
                        "invalid_value",
                        "Invalid value for 'response_format.type': expected 'text', 'json_object' or 'json_schema'.");
        }
    }

    private static void checkSchemaFormat(JsonNode format, String model) throws Refusal {
        if (NO_SCHEMA_MODEL.matcher(model).matches()) {
            throw Refusal.badRequest(
                    "response_format",
                    null,
                    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.");
        }
        for (Map.Entry<String, JsonNode> member : format.properties()) {
            if (!Set.of("name", "description", "schema", "strict").contains(member.getKey())) {
                String param = "response_format.json_schema." + member.getKey();
                throw Refusal.badRequest(param, "unknown_parameter", "Unknown parameter: '" + param + "'.");
            }
        }
        String name = format.path("name").asText("");
        if (!NAME.matcher(name).matches()) {
            throw Refusal.badRequest(
                    "response_format.json_schema.name",
                    name.isEmpty() ? "missing_required_parameter" : "invalid_value",
                    "Invalid 'response_format.json_schema.name': expected 1 to 64 characters of a-z, A-Z, 0-9, '_' and '-'.");
        }
        if (!format.path("schema").isObject()) {
            throw Refusal.badRequest(
                    "response_format.json_schema.schema",
                    "missing_required_parameter",
                    "Missing required parameter: 'response_format.json_schema.schema'.");
        }
        if (format.path("strict").asBoolean()) {
            String fault = StrictSchemaCheck.fault(format.path("schema"));
            if (fault != null) {
                throw Refusal.badRequest(
                        "response_format", null, "Invalid schema for response_format '" + name + "': " + fault);
            }
        }
    }
}
