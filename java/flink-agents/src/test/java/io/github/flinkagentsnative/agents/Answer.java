package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer as it goes over the wire. */
record Answer(int status, String body, Map<String, String> headers, Duration delay) {

    static Answer ok(JsonNode body) {
        return of(200, body.toString());
    }

    static Answer of(int status, String body) {
        return new Answer(status, body, Map.of(), Duration.ZERO);
    }

    Answer header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Answer(status, body, more, delay);
    }

    /** The same, sent after a while. */
    Answer after(Duration wait) {
        return new Answer(status, body, headers, wait);
    }
}
