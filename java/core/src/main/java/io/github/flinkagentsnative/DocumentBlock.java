package io.github.flinkagentsnative;

/**
 * A document.
 *
 * @param mediaType MIME type
 * @param source where the content is
 * @param name file name, or null
 * @param sizeBytes size in bytes, or null
 * @param sha256 SHA-256 of the content, or null
 */
public record DocumentBlock(String mediaType, MediaSource source, String name, Long sizeBytes, String sha256)
        implements MediaBlock {

    public DocumentBlock {
        MediaBlock.check(mediaType, source, sizeBytes);
    }

    /** A document as standard Base64 text, which is sent as it is and not decoded here. */
    public static DocumentBlock fromBase64(String mediaType, String data) {
        return new DocumentBlock(mediaType, new Base64Source(data), null, null, null);
    }

    /** A document behind a URL that the provider fetches. */
    public static DocumentBlock fromUrl(String mediaType, String url) {
        return new DocumentBlock(mediaType, new UrlSource(url), null, null, null);
    }

    /** A document as bytes, encoded once; empty content is refused. */
    public static DocumentBlock fromBytes(String mediaType, byte[] content) {
        return new DocumentBlock(mediaType, Base64Source.ofBytes(content), null, null, null);
    }

    @Override
    public String type() {
        return "document";
    }

    @Override
    public String toString() {
        return "DocumentBlock[" + mediaType + ", " + source + "]";
    }
}
