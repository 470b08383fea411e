package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How this library's requests differ from those of openai-java 4.105.0 and anthropic-java 3.14.0, and why. The table in docs/differences.md is this enum.
 *
 * <p>Each rule rewrites the SDK's form of one place into ours, from the rule's own knowledge: only a place where exactly the stated
 * difference was found comes out equal.
 */
enum StatedDifference {
    SCHEMA_NAME(
            "the class name with a prefix of its own, whatever its length and letters",
            "the class name; characters that the service refuses become `_`, and it is cut to 64",
            "a long or non-ASCII name would be refused by the service",
            SchemaRewrites::name),
    SCHEMA_MARKER(
            "`$schema` at the root of the schema", "nothing", "it restricts nothing", SchemaRewrites::withoutMarker),
    ROOT_DEFINITION(
            "`$ref: #` where a class refers to itself",
            "a reference to the definition `root`, which holds the same as the root",
            "some servers that enforce schemas (llama.cpp) know references to definitions only",
            SchemaRewrites::rootDefinition),
    PROPERTY_ORDER(
            "properties sorted by name",
            "properties in declaration order, or as `@JsonPropertyOrder` says",
            "models write properties in this order: a thought declared before the verdict is written before it",
            SchemaRewrites::order),
    ENUM_VALUES(
            "the names of the constants",
            "the values that Jackson reads (`@JsonProperty`, `@JsonValue`)",
            "an answer with the constant's name could not be read back",
            SchemaRewrites::enumValues),
    ENUM_IN_PLACE(
            "an enum that is used twice becomes a definition",
            "an enum stands where it is used",
            "it is short, and the model sees it where it needs it",
            SchemaRewrites::enumsInPlace),
    DEFINITION_NAME(
            "definitions named `Holder(Integer)`, and numbered in the order of property names",
            "definition names of letters, digits, `_` and `-`, numbered in declaration order",
            "property order, and names that each server takes",
            SchemaRewrites::definitionNames),
    DESCRIBED_REFERENCE(
            "a description beside a `$ref`",
            "the described object in place of the reference",
            "the service takes nothing beside a `$ref`",
            SchemaRewrites::describedReferences),
    NULLABLE_ANNOTATION(
            "annotations called `Nullable` are not looked at",
            "such a field may be null",
            "the class says that the value can be missing; without a null the model has to make one up",
            SchemaRewrites::nullable),
    JDK_VALUES(
            "`OptionalInt` and its kin, `Locale`, `Year` as an object that can have no member",
            "the one value that Jackson reads",
            "such an object cannot be filled, and the service refuses it",
            SchemaRewrites::jdkValues),
    BYTES(
            "`byte[]` as a list of strings",
            "one string, described as Base64",
            "Jackson reads Base64",
            SchemaRewrites::bytes),
    LENGTH_IN_WORDS(
            "`char` as any string",
            "a string that is described as one character long",
            "longer strings cannot be read back; the service takes no length keyword",
            SchemaRewrites::character),
    FORMAT_IN_WORDS(
            "`format` with any value",
            "a format that the service does not list (`uri`) goes into the description",
            "the service refuses formats it does not list",
            SchemaRewrites::formatInWords),
    DATE_PATTERN(
            "`format: date` although `@JsonFormat` gives another pattern",
            "the pattern in the description",
            "Jackson reads the pattern only",
            SchemaRewrites::datePattern),
    DISCRIMINATOR_TYPE(
            "the subtype's name as a `const` without a type",
            "a `const` of type string",
            "the service wants a type in each node",
            SchemaRewrites::discriminator),
    ROOT_WRAPPED(
            "a polymorphic root as `anyOf`",
            "a wrapper object with the property `value`, undone in the answer",
            "the service wants an object at the root",
            SchemaRewrites::wrappedRoot),
    ACCESS_FLAG(
            "`writeOnly` and `readOnly`",
            "nothing",
            "the service refuses these keywords",
            SchemaRewrites::withoutAccessFlags),
    IGNORED_TYPE(
            "fields of a type with `@JsonIgnoreType`",
            "no such property",
            "Jackson skips them, so the model would write for nobody",
            SchemaRewrites::withoutIgnoredTypes),
    SWAGGER(
            "limits and texts of Swagger annotations",
            "Jackson annotations only",
            "the class is described by what reads it; state limits in a JSON Schema document",
            SchemaRewrites::withoutSwagger),
    OPEN_OBJECT(
            "a map as an object that can have no entry, and a free-form value as `{}`",
            "the schema goes into the prompt (strategy AUTO), or the request is refused (NATIVE)",
            "no strict schema can say it: entries could never be given, and the service refuses `{}`",
            RequestRewrites::openObject),
    REFUSED_CLASS(
            "`@JsonUnwrapped` as `allOf`",
            "the class is refused, with the property's name",
            "the service refuses `allOf`",
            RequestRewrites::refusedClass),
    TEXTS_JOINED(
            "texts as a list of parts",
            "one text where a message or tool result holds text only",
            "the pieces are one text; each server with this wire format takes a string",
            RequestRewrites::joinedTexts),
    MESSAGE_TYPE(
            "`type: message` on messages of Responses",
            "no `type`, which the service does not ask for",
            "as Flink Agents sends it",
            RequestRewrites::messageType),
    EMPTY_CONTENT(
            "an empty assistant text as given",
            "no `content`",
            "some servers refuse an empty one beside tool calls",
            RequestRewrites::withoutEmptyContent),
    FILE_NAME(
            "no `filename` unless it is given",
            "`document` for a document without a name",
            "the service wants one beside `file_data`",
            RequestRewrites::fileName),
    TOOL_PARAMETERS(
            "no `parameters` for a tool without arguments",
            "an object schema without properties",
            "some servers refuse a function without them",
            RequestRewrites::toolParameters),
    STRICT_TOOL(
            "a strict tool's parameters as given",
            "closed, with all properties required, and what was optional nullable",
            "the service refuses a strict tool with an open object",
            RequestRewrites::strictTool),
    TOOL_CHOICE_ALONE(
            "`tool_choice` as given",
            "`tool_choice` only beside tools",
            "the service refuses it alone",
            RequestRewrites::toolChoice),
    MAX_TOKENS(
            "`max_tokens` as given",
            "the parameter `max_tokens` as `max_completion_tokens`",
            "current models refuse `max_tokens`",
            RequestRewrites::maxTokens),
    LOGPROBS_FALSE("`logprobs: false`", "nothing", "it is the default", RequestRewrites::logprobs),
    NULL_EXTRAS(
            "additional properties that are null",
            "nothing",
            "null means not set, here as in every parameter",
            RequestRewrites::withoutNulls),
    AZURE_V1_VERSION(
            "`v1` as a value of `api-version`, behind the deployment's path unless the endpoint ends in `/openai/v1`",
            "the v1 path without `api-version`",
            "`v1` names this form of the address",
            RequestRewrites::azureV1),
    AZURE_ANY_HOST(
            "the plain path, without `api-version`, for a host that is not Microsoft's",
            "the deployment's path for any host",
            "private gateways and sovereign clouds speak Azure too; `azure_url_path_mode` says otherwise",
            RequestRewrites::azureHost),
    TURNS_MERGED(
            "Anthropic's messages as given",
            "messages of one side that follow each other as one turn, tool results first, blank texts left out",
            "the service wants all results in the turn behind their calls, and refuses blank texts",
            RequestRewrites::mergedTurns);

    /** The SDK's form of a place in ours, or null when the rule has nothing to say about it. */
    interface Rewrite {
        JsonNode apply(String pointer, JsonNode sdk, JsonNode ours);
    }

    private final String sdk;
    private final String ours;
    private final String why;
    private final Rewrite rewrite;

    StatedDifference(String sdk, String ours, String why, Rewrite rewrite) {
        this.sdk = sdk;
        this.ours = ours;
        this.why = why;
        this.rewrite = rewrite;
    }

    JsonNode inOurForm(String pointer, JsonNode sdk, JsonNode ours) {
        return rewrite.apply(pointer, sdk, ours);
    }

    /** The row of docs/differences.md. */
    String row() {
        return "| `" + name() + "` | " + sdk + " | " + ours + " | " + why + " |";
    }
}
