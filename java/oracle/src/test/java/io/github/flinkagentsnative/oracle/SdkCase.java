package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** One request, built twice from the same facts, and how the two differ. */
record SdkCase<D extends SdkDifference>(String name, JsonNode sdk, JsonNode ours, Set<D> differences) {
    @Override
    public String toString() {
        return name;
    }
}
