package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** How one provider says what every provider says, where its requests hold what tests look for, and what it would refuse. */
abstract class Wire {

    /** A call of a tool; wires without ids leave the id out. */
    record Call(String id, String name, Map<String, Object> input) {}

    abstract Answer text(String text);

    /** An answer that the limit cut. */
    abstract Answer cut(String text);

    abstract Answer calls(Call... calls);

    /** A call whose arguments are no object. */
    abstract Answer brokenCall(String name);

    /** An answer with a thought before a call; null where the wire has none. */
    Answer thought(String thought, Call call) {
        return null;
    }

    /** Null where the provider has no word for it. */
    Answer refusal(String why) {
        return null;
    }

    /** Null where the provider has no word for it. */
    Answer filtered() {
        return null;
    }

    /** An answer in which nothing is. */
    abstract Answer nothing();

    abstract Answer error(int status, String code, String message);

    /** An error with a status that is repeated, which no repeat can mend; null where there is none. */
    Answer exhausted() {
        return null;
    }

    /** The schema in a request; missing where there is none. */
    abstract JsonNode schema(JsonNode body);

    /** The names of the tools in a request. */
    abstract List<String> tools(JsonNode body);

    /** The turns of a request. */
    abstract JsonNode turns(JsonNode body);

    /** What a caller's own format is, in {@code additional_kwargs}. */
    abstract Map<String, Object> ownFormat();

    /** What the service would refuse, or null. */
    abstract String fault(Received request);

    /** The answer to a call for a token, or null for every other call. */
    Answer token(Received request) {
        return null;
    }

    /** What the service's model is called in answers. */
    String model;

    // ---- what the checks share ----

    /** Collects the first fault. */
    static final class Check {
        private String fault;

        Check that(boolean holds, String otherwise) {
            if (!holds && fault == null) {
                fault = otherwise;
            }
            return this;
        }

        Check known(JsonNode object, String where, Collection<String> names) {
            for (String name : Json.names(object)) {
                that(names.contains(name), where + " must not hold " + name);
            }
            return this;
        }

        String fault() {
            return fault;
        }
    }

    static Check post(Received request, String path) {
        return new Check()
                .that(request.method().equals("POST"), "the method is " + request.method())
                .that(request.path().equals(path), "the path is " + request.path() + ", not " + path)
                .that(request.header("content-type").equals("application/json"), "the body is not labelled as JSON")
                .that(request.body().isObject(), "the body is no JSON object");
    }

    /** Every object of a schema closed, as strict services want it. */
    static boolean isClosed(JsonNode schema) {
        if (schema.path("properties").isObject()
                && !schema.path("additionalProperties")
                        .equals(Json.object("a", false).get("a"))) {
            return false;
        }
        for (JsonNode child : schema) {
            if (child.isContainerNode() && !isClosed(child)) {
                return false;
            }
        }
        return true;
    }

    /** What Chat Completions and its kin want of calls and results: each result follows its call. */
    static void checkResults(JsonNode messages, Check check) {
        List<String> open = new ArrayList<>();
        for (JsonNode message : messages) {
            if (message.path("role").asText().equals("tool")) {
                String id = message.path("tool_call_id").asText();
                check.that(open.remove(id), "a result of the call '" + id + "' without that call before it");
            } else {
                check.that(open.isEmpty(), "the calls " + open + " have no results");
                open.addAll(Json.texts(message.path("tool_calls"), "/id"));
            }
        }
        check.that(open.isEmpty(), "the calls " + open + " have no results");
    }
}
