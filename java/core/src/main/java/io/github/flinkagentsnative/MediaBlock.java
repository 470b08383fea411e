package io.github.flinkagentsnative;

import java.util.Map;

/**
 * An image, a sound, a film or a document, as Base64 data or as a URL (upstream #1060, #1163). Allowed in user messages, tool
 * results and, though few providers take it, assistant messages.
 *
 * <p>A {@code name}, {@code sizeBytes} or {@code sha256} that is null is unknown and stays out of the JSON.
 */
public sealed interface MediaBlock extends DataContentBlock permits ImageBlock, AudioBlock, VideoBlock, DocumentBlock {

    /** For example {@code image/png}; not empty, not checked otherwise. */
    String mediaType();

    MediaSource source();

    /** File name, or null. */
    String name();

    /** Size in bytes, or null. */
    Long sizeBytes();

    /** SHA-256 of the content as the caller states it, or null. */
    String sha256();

    /**
     * {@code type}, {@code media_type}, {@code name}, {@code size_bytes}, {@code sha256} and the type of the {@code source}; what is unknown is
     * absent. A size that is not given is inferred from Base64 data ({@link Base64Source#sizeBytes}); behind a URL it is unknown.
     */
    @Override
    default Map<String, Object> sanitize() {
        return LogForms.of(this);
    }

    /** The rules that hold for each kind. */
    static void check(String mediaType, MediaSource source, Long sizeBytes) {
        if (mediaType == null || mediaType.isEmpty()) {
            throw new IllegalArgumentException("A media block requires a media type.");
        }
        if (source == null) {
            throw new IllegalArgumentException("A media block requires a source.");
        }
        if (sizeBytes != null && sizeBytes < 0) {
            throw new IllegalArgumentException("size_bytes must not be negative.");
        }
    }
}
