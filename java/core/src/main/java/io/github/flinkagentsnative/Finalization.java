package io.github.flinkagentsnative;

import java.util.Locale;

/** When a schema that travels natively gets a call of its own. On the prompt path there never is one. */
public enum Finalization {
    /** Always, as upstream's runtime does (#1215): the answer is asked for, and then once more in the form of the schema. */
    ALWAYS,
    /** Only for requests that offer tools; any other is one call that carries the schema. */
    WITH_TOOLS;

    /** The name in frames. */
    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
