package io.github.flinkagentsnative;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a call cost, in tokens.
 *
 * @param promptTokens tokens of the request, or null when unknown
 * @param completionTokens tokens of the answer, or null when unknown
 * @param promptTokenDetails parts of the first, by the provider's names
 * @param completionTokenDetails parts of the second
 */
public record TokenUsage(
        Long promptTokens,
        Long completionTokens,
        Map<String, Long> promptTokenDetails,
        Map<String, Long> completionTokenDetails) {

    /**
     * @throws IllegalArgumentException for a negative count
     */
    public TokenUsage {
        check("prompt_tokens", promptTokens);
        check("completion_tokens", completionTokens);
        promptTokenDetails = copy("prompt_token_details", promptTokenDetails);
        completionTokenDetails = copy("completion_token_details", completionTokenDetails);
    }

    public TokenUsage(Long promptTokens, Long completionTokens) {
        this(promptTokens, completionTokens, Map.of(), Map.of());
    }

    private static void check(String name, Long count) {
        if (count != null && count < 0) {
            throw new IllegalArgumentException(name + " must not be negative.");
        }
    }

    private static Map<String, Long> copy(String name, Map<String, Long> details) {
        if (details == null || details.isEmpty()) {
            return Map.of();
        }
        Map<String, Long> copy = new LinkedHashMap<>(details);
        copy.forEach((key, count) -> {
            if (key == null || count == null) {
                throw new IllegalArgumentException(name + " must not hold null.");
            }
            check(name + "." + key, count);
        });
        return Collections.unmodifiableMap(copy);
    }
}
