package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;

/**
 * One request, built twice from the same facts.
 *
 * @param sdk the request of openai-java, {@code {url, body}}
 * @param ours this library's, in the same shape, or {@code {refused: message}}
 */
record Input(String name, Supplier<JsonNode> sdk, Supplier<JsonNode> ours) {
    @Override
    public String toString() {
        return name;
    }
}
