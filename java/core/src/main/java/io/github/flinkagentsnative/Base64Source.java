package io.github.flinkagentsnative;

import java.util.Base64;

/**
 * Content in the request itself.
 *
 * @param data Base64 text, not empty; not decoded or checked here (upstream #1163)
 */
public record Base64Source(String data) implements MediaSource {

    public Base64Source {
        if (data == null || data.isEmpty()) {
            throw new IllegalArgumentException("A Base64 source requires data.");
        }
    }

    static Base64Source ofBytes(byte[] content) {
        if (content == null || content.length == 0) {
            throw new IllegalArgumentException("A media block requires content, but the byte array is empty.");
        }
        return new Base64Source(Base64.getEncoder().encodeToString(content));
    }

    @Override
    public String type() {
        return "base64";
    }

    /** Size of the decoded content in bytes, inferred from the text's length and padding. */
    public long sizeBytes() {
        int padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
        return Math.max(0, data.length() * 3L / 4 - padding);
    }

    @Override
    public String toString() {
        return "Base64Source[" + data.length() + " characters]";
    }
}
