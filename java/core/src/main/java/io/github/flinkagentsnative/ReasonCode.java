package io.github.flinkagentsnative;

import java.util.Locale;

/** Why a schema travels the way it does, for programs. The same table stands on the native side. */
public enum ReasonCode {
    /** No schema was given. */
    NO_SCHEMA,
    /** A row type has no native translation (#1270). */
    ROW_TYPE,
    /** An object that takes any member, at {@code pointer}, where the provider wants closed ones. */
    OPEN_OBJECT,
    /** The schema cannot be carried for another reason, at {@code pointer}. */
    UNTRANSLATABLE,
    /** The api-version is below the floor (#930). */
    API_VERSION_BELOW_FLOOR,
    /** The model is in the dated table or in the setting {@code native_models}. */
    MODEL_LISTED,
    /** The model is not in the dated table. */
    MODEL_NOT_LISTED,
    /** No (backing) model is known. */
    MODEL_UNKNOWN,
    /** A documented limit of the provider is exceeded, at {@code pointer}. */
    LIMIT_EXCEEDED,
    /** A limit that is not documented may be exceeded, at {@code pointer}. Does not change the answer. */
    LIMIT_WARNING,
    /** A keyword that the provider refuses was moved into the description, at {@code pointer}. */
    KEYWORD_MOVED,
    /** A keyword that the provider refuses was left out, at {@code pointer}. */
    KEYWORD_DROPPED,
    /** A keyword was rewritten into one that the provider takes, at {@code pointer}. */
    KEYWORD_REWRITTEN,
    /** An optional property became required and nullable, at {@code pointer}. */
    OPTIONAL_MADE_NULLABLE,
    /** The root is no object and travels in a wrapper. */
    ROOT_WRAPPED,
    /** The strategy PROMPT wins over any support. */
    STRATEGY_PROMPT,
    /** AUTO takes native only when it is recommended. */
    STRATEGY_AUTO_NEEDS_RECOMMENDED,
    /** NATIVE was asked for and cannot be honoured. */
    STRATEGY_NATIVE_INFEASIBLE,
    /** The caller's own response format collides with the schema. */
    FORMAT_COLLISION,
    /** A tool asked for strict, but its schema has no strict form: it is sent as given, without the flag. */
    TOOL_NOT_STRICT,
    /** The model has no connection that could be asked. */
    NO_CONNECTION,
    /** The model is reached across a language bridge, which carries no schema. */
    BRIDGE_SETUP,
    /** Tools are bound, and the model takes no schema beside them, or is not known to. */
    TOOLS_BOUND;

    /** The name in frames, journals and metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ReasonCode of(String wireName) {
        return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
}
