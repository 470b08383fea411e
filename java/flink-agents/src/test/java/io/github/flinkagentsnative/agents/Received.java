package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * A request as it came.
 *
 * @param path with the query
 * @param headers by lower-case names
 * @param text the whole body
 * @param body the body as JSON; a missing node for anything else
 */
record Received(String method, String path, Map<String, String> headers, String text, JsonNode body) {

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** Without headers: those hold the key. */
    @Override
    public String toString() {
        return method + " " + path + " " + text;
    }
}
