package io.github.flinkagentsnative.agents;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.flink.agents.api.prompt.Prompt;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/** The arguments of a descriptor, checked: an unknown name or a wrong type is an error that names it, never its value. */
final class Arguments {

    /** What an argument has to be. */
    private enum Type {
        TEXT("a text that is not blank", value -> value instanceof String text && !text.isBlank()),
        INTEGER("a whole number", Arguments::isInteger),
        NUMBER("a number", value -> value instanceof Number),
        FLAG("true or false", Boolean.class::isInstance),
        TEXTS(
                "a list of texts",
                value -> value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)),
        TEXT_MAP("a map of texts to texts", value -> isTextMap(value, String.class)),
        MAP("a map with texts as keys", value -> isTextMap(value, Object.class)),
        WORD("a name", value -> value instanceof String || value instanceof Enum),
        PROMPT("a prompt or its name", value -> value instanceof String || value instanceof Prompt),
        /** Checked by Flink Agents' own class, or by the call. */
        ANY("anything", value -> true);

        private final String words;
        private final Predicate<Object> fits;

        Type(String words, Predicate<Object> fits) {
            this.words = words;
            this.fits = fits;
        }
    }

    /** Every argument of every class here. */
    private static final Map<String, Type> TYPES = Map.ofEntries(
            Map.entry("access_key_id", Type.TEXT),
            Map.entry("additional_kwargs", Type.MAP),
            Map.entry("allow_insecure_http", Type.FLAG),
            Map.entry("allowed_commands", Type.TEXTS),
            Map.entry("allowed_script_dirs", Type.TEXTS),
            Map.entry("anthropic_version", Type.TEXT),
            Map.entry("api_base_url", Type.TEXT),
            Map.entry("api_key", Type.TEXT),
            Map.entry("api_type", Type.WORD),
            Map.entry("api_version", Type.TEXT),
            Map.entry("auth", Type.WORD),
            Map.entry("azure_endpoint", Type.TEXT),
            Map.entry("azure_url_path_mode", Type.WORD),
            Map.entry("base_url", Type.TEXT),
            Map.entry("connection", Type.TEXT),
            Map.entry("credentials_class", Type.TEXT),
            Map.entry("default_headers", Type.TEXT_MAP),
            Map.entry("enable_thinking", Type.FLAG),
            Map.entry("endpoint", Type.TEXT),
            Map.entry("extract_reasoning", Type.FLAG),
            Map.entry("iam_url", Type.TEXT),
            Map.entry("instructions", Type.TEXT),
            Map.entry("json_prefill", Type.FLAG),
            Map.entry("keep_alive", Type.ANY),
            Map.entry("location", Type.TEXT),
            Map.entry("logprobs", Type.FLAG),
            Map.entry("max_output_tokens", Type.INTEGER),
            Map.entry("max_retries", Type.INTEGER),
            Map.entry("max_tokens", Type.INTEGER),
            Map.entry("model", Type.TEXT),
            Map.entry("model_of_azure_deployment", Type.TEXT),
            Map.entry("native_models", Type.TEXTS),
            Map.entry("num_ctx", Type.INTEGER),
            Map.entry("profile", Type.TEXT),
            Map.entry("project", Type.TEXT),
            Map.entry("project_id", Type.TEXT),
            Map.entry("prompt", Type.PROMPT),
            Map.entry("reasoning_effort", Type.WORD),
            Map.entry("region", Type.TEXT),
            Map.entry("requestTimeout", Type.NUMBER),
            Map.entry("request_timeout", Type.NUMBER),
            Map.entry("secret_access_key", Type.TEXT),
            Map.entry("session_token", Type.TEXT),
            Map.entry("skills", Type.TEXTS),
            Map.entry("space_id", Type.TEXT),
            Map.entry("store", Type.FLAG),
            Map.entry("strict", Type.FLAG),
            Map.entry("strict_tools", Type.FLAG),
            Map.entry("structured_output_strategy", Type.ANY),
            Map.entry("temperature", Type.NUMBER),
            Map.entry("think", Type.ANY),
            Map.entry("thinking_budget", Type.INTEGER),
            Map.entry("timeout", Type.NUMBER),
            Map.entry("token", Type.TEXT),
            Map.entry("tools", Type.TEXTS),
            Map.entry("top_logprobs", Type.INTEGER),
            Map.entry("url", Type.TEXT),
            Map.entry("vertex_ai", Type.FLAG));

    private Arguments() {}

    /**
     * The same descriptor.
     *
     * @param owner the class that takes the arguments, for messages
     * @param known the names that it takes
     * @throws IllegalArgumentException for another name, or a value of another type; null counts as absent
     */
    static ResourceDescriptor checked(ResourceDescriptor descriptor, Class<?> owner, List<String> known) {
        if (descriptor.getInitialArguments() == null) {
            throw new IllegalArgumentException(
                    "The descriptor of " + owner.getSimpleName() + " has no arguments; give an empty map for none.");
        }
        descriptor.getInitialArguments().forEach((name, value) -> {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("Unknown argument '" + name + "' of " + owner.getSimpleName()
                        + "; it takes " + known.stream().sorted().toList() + ".");
            }
            Type type = TYPES.get(name);
            if (value != null && !type.fits.test(value)) {
                throw new IllegalArgumentException("Argument '" + name + "' of " + owner.getSimpleName() + " must be "
                        + type.words + "; it is a " + value.getClass().getName() + ".");
            }
        });
        return descriptor;
    }

    /** @throws IllegalArgumentException when one is absent */
    static void require(ResourceDescriptor descriptor, Class<?> owner, String... names) {
        for (String name : names) {
            if (descriptor.getArgument(name) == null) {
                throw new IllegalArgumentException("Argument '" + name + "' of " + owner.getSimpleName()
                        + " is missing; set it in the descriptor.");
            }
        }
    }

    /** @throws IllegalArgumentException when none is there */
    static void requireOne(ResourceDescriptor descriptor, Class<?> owner, String... names) {
        if (present(descriptor, names).isEmpty()) {
            String others = String.join(" or ", List.of(names).subList(1, names.length));
            throw new IllegalArgumentException("Argument '" + names[0] + "' of " + owner.getSimpleName()
                    + " is missing; set it in the descriptor, or " + others + " in its place.");
        }
    }

    /** @throws IllegalArgumentException when more than one is there */
    static void exclude(ResourceDescriptor descriptor, Class<?> owner, String... names) {
        List<String> present = present(descriptor, names);
        if (present.size() > 1) {
            throw new IllegalArgumentException("Arguments '" + String.join("', '", present) + "' of "
                    + owner.getSimpleName() + " exclude each other; keep one of them.");
        }
    }

    private static List<String> present(ResourceDescriptor descriptor, String... names) {
        return Stream.of(names)
                .filter(name -> descriptor.getArgument(name) != null)
                .toList();
    }

    static List<String> join(List<String> common, String... more) {
        return Stream.concat(common.stream(), Stream.of(more)).toList();
    }

    private static boolean isInteger(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
    }

    private static boolean isTextMap(Object value, Class<?> values) {
        if (!(value instanceof Map<?, ?> map)) {
            return false;
        }
        return map.keySet().stream().allMatch(String.class::isInstance)
                && map.values().stream().allMatch(member -> values == Object.class || values.isInstance(member));
    }
}
