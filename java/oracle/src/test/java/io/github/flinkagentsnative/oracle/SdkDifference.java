package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;

/**
 * A stated difference between an SDK's requests and this library's: a constant of an enum, which is the table in a page of docs. It puts the
 * SDK's request into our form, from its own knowledge.
 */
interface SdkDifference {

    /** What both send, why, and the way from the one to the other. */
    record Rule(String sdk, String ours, String why, Consumer<ObjectNode> rewrite) {}

    String name();

    Rule rule();

    default JsonNode inOurForm(JsonNode request) {
        ObjectNode copy = request.deepCopy();
        rule().rewrite().accept(copy);
        return copy;
    }

    /** The row of the page. */
    default String row() {
        return "| `" + name() + "` | " + rule().sdk() + " | " + rule().ours() + " | " + rule().why() + " |";
    }
}
