package io.github.flinkagentsnative.example;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What the job wants to know about a support message. The schema that the model has to follow is derived from this record, and each
 * answer is checked against it and read into it.
 */
public record Verdict(
        @JsonPropertyDescription("What the message is about")
        Topic topic,

        @JsonPropertyDescription("How soon somebody has to act")
        Urgency urgency,

        @JsonPropertyDescription("One sentence, in the language of the message")
        String summary,

        @JsonPropertyDescription("Up to three words that tell this message from others")
        List<String> keywords,

        @JsonPropertyDescription("The money that the message is about")
        Claim claim,

        @JsonPropertyDescription("The order number, if one is given")
        Optional<String> orderNumber,

        @JsonPropertyDescription("Whether the writer expects an answer")
        boolean needsReply) {

    /** Labels of the final table. */
    public enum Topic {
        BILLING,
        DELIVERY,
        RETURNS,
        TECHNICAL,
        ACCOUNT,
        PRAISE,
        OTHER
    }

    /** How soon somebody has to act. */
    public enum Urgency {
        LOW,
        NORMAL,
        HIGH
    }

    /**
     * Money that a message is about.
     *
     * @param amount the amount, exact; 0 when the message names none
     * @param currency ISO 4217 code
     */
    public record Claim(
            @JsonPropertyDescription("The amount, 0 when none is named")
            BigDecimal amount,

            @JsonPropertyDescription("ISO 4217 code of the currency, if there is one")
            Optional<String> currency) {}
}
