package io.github.flinkagentsnative;

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
