package io.github.flinkagentsnative;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text as bytes, without loss. */
final class Texts {

    private Texts() {}

    /** The text with U+FFFD in place of each unpaired surrogate; for texts that must get through, such as errors. */
    static String wellFormed(String text) {
        StringBuilder clean = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                clean = clean == null ? new StringBuilder(text) : clean;
                clean.setCharAt(i, '\uFFFD');
            }
        }
        return clean == null ? text : clean.toString();
    }

    /**
     * @param what names the text in the message
     * @throws IllegalArgumentException for an unpaired surrogate, which has no UTF-8 form
     */
    static byte[] utf8(String text, String what) {
        if (text == null) {
            throw new IllegalArgumentException(what + " is null; pass its JSON text.");
        }
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(what + " holds an unpaired surrogate; remove or replace it.", e);
        }
    }
}
