package io.github.flinkagentsnative.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Refuses root parameters that Chat Completions refuses: unknown names, wrong types and ranges, combinations that exclude each other. */
final class ParameterCheck {
    /** Efforts of all models together; a single model knows fewer. */
    static final Set<String> EFFORTS = Set.of("none", "minimal", "low", "medium", "high", "xhigh", "max");

    /** The o-series and the GPT-5 family: no {@code max_tokens}, and the default temperature only. */
    private static final Pattern REASONING_MODEL = Pattern.compile("(o\\d|gpt-5).*");

    private static final int MAX_STOPS = 4;

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

    private ParameterCheck() {}

    static void check(JsonNode body, String model) throws Refusal {
        Values.knownKeys(body, "", PARAMETERS);
        checkNumbers(body);
        checkTypes(body);
        checkStop(body.path("stop"));
        checkLogitBias(body.path("logit_bias"));
        if (body.has("top_logprobs") && !body.path("logprobs").asBoolean()) {
            throw Refusal.badRequest("top_logprobs", "invalid_value", "'top_logprobs' needs 'logprobs' to be true.");
        }
        if (body.path("stream").asBoolean()) {
            throw Refusal.badRequest("stream", "unsupported_value", "The local server does not stream.");
        }
        if (Values.given(body, "max_tokens") && Values.given(body, "max_completion_tokens")) {
            throw Refusal.badRequest(
                    "max_tokens",
                    "invalid_parameter_combination",
                    "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.");
        }
        checkReasoningModel(body, model);
    }

    private static void checkNumbers(JsonNode body) throws Refusal {
        Values.range(body, "temperature", "", 0, 2);
        Values.range(body, "top_p", "", 0, 1);
        Values.range(body, "presence_penalty", "", -2, 2);
        Values.range(body, "frequency_penalty", "", -2, 2);
        Values.range(body, "top_logprobs", "", 0, 20);
        Values.count(body, "max_tokens", "", 1);
        Values.count(body, "max_completion_tokens", "", 1);
        Values.count(body, "n", "", 1);
        Values.integer(body, "top_logprobs", "");
        Values.integer(body, "seed", "");
    }

    private static void checkTypes(JsonNode body) throws Refusal {
        for (String name : new String[] {"user", "safety_identifier", "prompt_cache_key", "service_tier"}) {
            Values.text(body, name, "");
        }
        for (String name : new String[] {"logprobs", "parallel_tool_calls", "store", "stream"}) {
            Values.flag(body, name, "");
        }
        Values.oneOf(body, "reasoning_effort", "", EFFORTS);
        Values.oneOf(body, "verbosity", "", Set.of("low", "medium", "high"));
    }

    private static void checkStop(JsonNode stop) throws Refusal {
        if (stop.isMissingNode() || stop.isNull() || stop.isTextual()) {
            return;
        }
        boolean texts = stop.isArray();
        for (JsonNode each : stop) {
            texts &= each.isTextual();
        }
        if (!texts) {
            throw Values.wrongType("stop", "a string or an array of strings");
        }
        if (stop.size() > MAX_STOPS) {
            throw Refusal.badRequest(
                    "stop",
                    "array_above_max_length",
                    "Invalid 'stop': array too long. Expected at most " + MAX_STOPS + " strings, got " + stop.size()
                            + ".");
        }
    }

    private static void checkLogitBias(JsonNode bias) throws Refusal {
        if (bias.isMissingNode() || bias.isNull()) {
            return;
        }
        Values.object(bias, "logit_bias");
        for (Map.Entry<String, JsonNode> token : bias.properties()) {
            Values.range(bias, token.getKey(), "logit_bias", -100, 100);
        }
    }

    private static void checkReasoningModel(JsonNode body, String model) throws Refusal {
        if (!REASONING_MODEL.matcher(model).matches()) {
            return;
        }
        if (body.has("max_tokens")) {
            throw Refusal.badRequest(
                    "max_tokens",
                    "unsupported_parameter",
                    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.");
        }
        checkDefaultTemperature(body, model);
    }

    static void checkDefaultTemperature(JsonNode body, String model) throws Refusal {
        JsonNode temperature = body.path("temperature");
        if (REASONING_MODEL.matcher(model).matches() && temperature.isNumber() && temperature.asDouble() != 1) {
            throw Refusal.badRequest(
                    "temperature",
                    "unsupported_value",
                    "Unsupported value: 'temperature' does not support " + temperature.asText()
                            + " with this model. Only the default (1) value is supported.");
        }
    }
}
