package org.apache.flink.agents.api.chat.messages;

import java.util.LinkedHashMap;
import java.util.Map;

/** Tokens of a call; null means unknown. */
public final class TokenUsage {
    private final Long promptTokens;
    private final Long completionTokens;
    private final Map<String, Long> promptTokenDetails;
    private final Map<String, Long> completionTokenDetails;

    public TokenUsage(
            Long promptTokens,
            Long completionTokens,
            Map<String, Long> promptTokenDetails,
            Map<String, Long> completionTokenDetails) {
        if (promptTokens != null && promptTokens < 0 || completionTokens != null && completionTokens < 0) {
            throw new IllegalArgumentException("Token counts must not be negative.");
        }
        this.promptTokens = promptTokens;
        this.completionTokens = completionTokens;
        this.promptTokenDetails = new LinkedHashMap<>(promptTokenDetails);
        this.completionTokenDetails = new LinkedHashMap<>(completionTokenDetails);
    }

    public TokenUsage(Long promptTokens, Long completionTokens) {
        this(promptTokens, completionTokens, Map.of(), Map.of());
    }

    public Long getPromptTokens() {
        return promptTokens;
    }

    public Long getCompletionTokens() {
        return completionTokens;
    }

    public Map<String, Long> getPromptTokenDetails() {
        return promptTokenDetails;
    }

    public Map<String, Long> getCompletionTokenDetails() {
        return completionTokenDetails;
    }
}
