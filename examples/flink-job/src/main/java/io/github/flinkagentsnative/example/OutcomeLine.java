package io.github.flinkagentsnative.example;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.flinkagentsnative.ChatOutcome;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * One line of the outcome file: {@code id}, {@code place}, {@code duplicate_of} (where the id came before), and
 * the outcome as the library writes it.
 */
final class OutcomeLine {
    private OutcomeLine() {}

    static String of(SupportMessage message, ChatOutcome<Verdict> outcome) {
        ObjectNode line = Json.MAPPER.createObjectNode();
        line.put("id", message.id());
        line.put("place", message.place());
        if (message.duplicateOf() != null) {
            line.put("duplicate_of", message.duplicateOf());
        }
        try {
            line.setAll((ObjectNode) Json.MAPPER.readTree(outcome.toJson(requestId(message))));
            return Json.MAPPER.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the outcome of " + message.place() + " is no JSON object", e);
        }
    }

    /** The same for the same line in every run. */
    private static String requestId(SupportMessage message) {
        return UUID.nameUUIDFromBytes(message.place().getBytes(StandardCharsets.UTF_8))
                .toString();
    }
}
