package io.github.flinkagentsnative;

import java.util.Arrays;
import java.util.Objects;

/**
 * What a run keeps of one finished call.
 *
 * @param key which call, for example {@code chat}, {@code chat:final} or {@code tool:search}: 1 to {@link #MAX_KEY_LENGTH}
 *     characters, neither U+0000 nor an unpaired surrogate among them, because a database cannot keep those
 * @param bytes opaque to the journal; copied on the way in and on the way out
 */
public record JournalRecord(String key, byte[] bytes) {

    /** How many {@code char}s a key may have. */
    public static final int MAX_KEY_LENGTH = 1_000;

    /** @throws IllegalArgumentException for a key that cannot be kept */
    public JournalRecord {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(bytes, "bytes");
        if (key.isEmpty() || key.length() > MAX_KEY_LENGTH) {
            throw new IllegalArgumentException("A journal key has " + key.length() + " characters; 1 to "
                    + MAX_KEY_LENGTH + " are possible. Shorten the names of router, candidate or tool.");
        }
        if (key.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "A journal key holds U+0000; remove it from the name of router, candidate or tool.");
        }
        Texts.utf8(key, "A journal key");
        bytes = bytes.clone();
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JournalRecord that && key.equals(that.key) && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + Arrays.hashCode(bytes);
    }

    /** Key and size: the bytes hold prompts and answers, so they are not printed. */
    @Override
    public String toString() {
        return "JournalRecord[key=" + key + ", " + bytes.length + " bytes]";
    }
}
