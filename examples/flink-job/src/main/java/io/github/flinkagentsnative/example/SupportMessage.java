package io.github.flinkagentsnative.example;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * A record of the job: a support message, or a line that is none.
 *
 * @param id the message's own id, or the line's place when it has none
 * @param place file and line, for example {@code messages.jsonl:12}
 * @param text the message; null when there is a problem
 * @param problem what is wrong with the line, for people; null when nothing is
 * @param duplicateOf the id that this message repeats; null when it repeats none
 */
public record SupportMessage(String id, String place, String text, String problem, String duplicateOf) {

    /** Reads {@code {"id": "...", "text": "..."}}; the id may be missing, other members are ignored. */
    static SupportMessage of(Line line) {
        if (line.problem() != null) {
            return malformed(line, line.problem());
        }
        if (line.text().isBlank()) {
            return malformed(line, "the line is empty");
        }
        JsonNode json;
        try {
            json = Json.MAPPER.readTree(line.text());
        } catch (JsonProcessingException e) {
            long column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
            return malformed(line, "the line is no JSON (column " + column + ")");
        }
        if (!json.isObject()) {
            return malformed(line, "the line is no JSON object");
        }
        JsonNode text = json.path("text");
        if (text.isMissingNode() || text.isNull()) {
            return malformed(line, "'text' is missing");
        }
        if (!text.isTextual()) {
            return malformed(line, "'text' is no string");
        }
        if (text.asText().isBlank()) {
            return malformed(line, "'text' is blank");
        }
        String id = json.path("id").asText("");
        return new SupportMessage(id.isBlank() ? line.place() : id, line.place(), text.asText(), null, null);
    }

    /** The same message under an id of its own: its place tells it from the first with that id. */
    SupportMessage asRepeat() {
        return new SupportMessage(id + "@" + place, place, text, problem, id);
    }

    private static SupportMessage malformed(Line line, String problem) {
        return new SupportMessage(line.place(), line.place(), null, problem, null);
    }
}
