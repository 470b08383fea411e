package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses what the service refuses: address, key, model, and of Chat Completions the response format. Root parameters, messages and tools
 * are checked by {@link ParameterCheck}, {@link MessageCheck} and {@link ToolCheck}, all of Responses by {@link ResponsesCheck}. Rules as documented by OpenAI and Azure in November 2026.
 */
final class RequestCheck {
    /** Names of schemas, tools and functions. */
    static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    /** Models older than structured outputs. */
    private static final Pattern NO_SCHEMA_MODEL = Pattern.compile("gpt-3\\.5.*|gpt-4|gpt-4-.*|gpt-4o-2024-05-13");

    private static final String FIRST_VERSION_WITH_SCHEMAS = "2024-08-01";

    private RequestCheck() {}

    static void check(ReceivedRequest request, String apiKey, Set<String> models) throws Refusal {
        Endpoint endpoint = Endpoint.of(request.path());
        checkAddress(request, endpoint);
        checkKey(request, endpoint, apiKey);
        JsonNode body = body(request);
        checkModel(request, endpoint, models);
        if (endpoint.responses()) {
            ResponsesCheck.check(body, request.model());
            return;
        }
        ParameterCheck.check(body, request.model());
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
            case "json_schema" -> {
                checkApiVersion(request);
                checkSchemaFormat(
                        format.path("json_schema"),
                        "response_format.json_schema",
                        Set.of(),
                        "response_format",
                        request.model());
            }
            default ->
                throw Refusal.badRequest(
                        "response_format.type",
                        "invalid_value",
                        "Invalid value for 'response_format.type': expected 'text', 'json_object' or 'json_schema'.");
        }
    }

    /** Azure's dated versions know schemas from 2024-08-01-preview on; dates compare as text. */
    private static void checkApiVersion(ReceivedRequest request) throws Refusal {
        boolean dated = Endpoint.of(request.path()).kind() == Endpoint.Kind.AZURE_DEPLOYMENT;
        if (dated && request.query().getOrDefault("api-version", "").compareTo(FIRST_VERSION_WITH_SCHEMAS) < 0) {
            throw Refusal.badRequest(
                    "response_format",
                    "BadRequest",
                    "response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later");
        }
    }

    /**
     * Checks name and schema.
     *
     * @param where the format's place in the request
     * @param more keys that stand beside name, description, schema and strict
     * @param faulty the parameter that the service names for a schema that is not strict
     */
    static void checkSchemaFormat(JsonNode format, String where, Set<String> more, String faulty, String model)
            throws Refusal {
        String root = where.startsWith("text") ? "text.format" : "response_format";
        if (NO_SCHEMA_MODEL.matcher(model).matches()) {
            throw Refusal.badRequest(
                    root,
                    null,
                    "Invalid parameter: '" + root + "' of type 'json_schema' is not supported with this model.");
        }
        Set<String> keys = new HashSet<>(Set.of("name", "description", "schema", "strict"));
        keys.addAll(more);
        Values.knownKeys(format, where, keys);
        Values.text(format, "description", where);
        Values.flag(format, "strict", where);
        String name = format.path("name").asText("");
        if (!NAME.matcher(name).matches()) {
            throw Refusal.badRequest(
                    where + ".name",
                    name.isEmpty() ? "missing_required_parameter" : "invalid_value",
                    "Invalid '" + where + ".name': expected 1 to 64 characters of a-z, A-Z, 0-9, '_' and '-'.");
        }
        if (!format.path("schema").isObject()) {
            throw Refusal.badRequest(
                    where + ".schema",
                    "missing_required_parameter",
                    "Missing required parameter: '" + where + ".schema'.");
        }
        if (format.path("strict").asBoolean()) {
            String fault = StrictSchemaCheck.fault(format.path("schema"));
            if (fault != null) {
                throw Refusal.badRequest(
                        faulty,
                        faulty.equals(root) ? null : "invalid_json_schema",
                        "Invalid schema for response_format '" + name + "': " + fault);
            }
        }
    }
}
