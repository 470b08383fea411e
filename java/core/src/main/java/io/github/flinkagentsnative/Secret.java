package io.github.flinkagentsnative;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * An API key or token. It never prints, is compared in constant time, and cannot be serialized: a job that is shipped to a
 * cluster reads its key there, or asks a {@link CredentialSupplier}.
 */
public final class Secret {

    private static final String HIDDEN = "***";
    /** Shorter ones are no secrets, and replacing them would make error texts unreadable. */
    private static final int MIN_HIDDEN_LENGTH = 4;

    /** From this length on, a piece of a secret is hidden as the whole. */
    private static final int HIDDEN_PIECE = 8;

    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    /**
     * A secret from text; blanks and line ends around it are cut off.
     *
     * @throws ChatConfigurationException if the text is null or blank, or holds what no HTTP header can carry
     */
    public static Secret of(String value) {
        return of("api_key", value);
    }

    /** As {@link #of(String)}; messages name {@code setting}. */
    static Secret of(String setting, String value) {
        if (value == null || value.isBlank()) {
            throw new ChatConfigurationException("Setting '" + setting + "' is " + (value == null ? "missing" : "empty")
                    + "; set it to the provider's key, or choose keyless() for a server that wants none");
        }
        String trimmed = value.strip();
        for (int i = 0; i < trimmed.length(); i++) {
            char c = trimmed.charAt(i);
            if (c < 0x20 || c > 0x7e) {
                throw new ChatConfigurationException(
                        "Setting '" + setting + "' holds a character that no HTTP header can" + " carry (character "
                                + (i + 1) + " of " + trimmed.length() + "); copy the key again");
            }
        }
        return new Secret(trimmed);
    }

    /** The text itself: for the wire only, never for a message. */
    String reveal() {
        return value;
    }

    /** The text without this secret, and without any piece of it that is long enough to tell: texts are cut, keys are masked. */
    String hideIn(String text) {
        if (text == null || value.length() < MIN_HIDDEN_LENGTH) {
            return text;
        }
        int piece = Math.min(value.length(), HIDDEN_PIECE);
        StringBuilder clean = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int end = Math.min(at + piece, text.length());
            if (end - at < piece || !value.contains(text.substring(at, end))) {
                clean.append(text.charAt(at++));
                continue;
            }
            while (end < text.length() && value.contains(text.substring(at, end + 1))) {
                end++;
            }
            clean.append(HIDDEN);
            at = end;
        }
        return clean.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.US_ASCII), secret.value.getBytes(StandardCharsets.US_ASCII));
    }

    /** The same for all secrets: a hash of the text would tell something about it. */
    @Override
    public int hashCode() {
        return Secret.class.hashCode();
    }

    @Override
    public String toString() {
        return "Secret(hidden)";
    }
}
