package io.github.flinkagentsnative;

/**
 * A video.
 *
 * @param mediaType MIME type
 * @param source where the content is
 * @param name file name, or null
 * @param sizeBytes size in bytes, or null
 * @param sha256 SHA-256 of the content, or null
 */
public record VideoBlock(String mediaType, MediaSource source, String name, Long sizeBytes, String sha256)
        implements MediaBlock {

    public VideoBlock {
        MediaBlock.check(mediaType, source, sizeBytes);
    }

    /** A video as standard Base64 text, which is sent as it is and not decoded here. */
    public static VideoBlock fromBase64(String mediaType, String data) {
        return new VideoBlock(mediaType, new Base64Source(data), null, null, null);
    }

    /** A video behind a URL that the provider fetches. */
    public static VideoBlock fromUrl(String mediaType, String url) {
        return new VideoBlock(mediaType, new UrlSource(url), null, null, null);
    }

    /** A video as bytes, encoded once; empty content is refused. */
    public static VideoBlock fromBytes(String mediaType, byte[] content) {
        return new VideoBlock(mediaType, Base64Source.ofBytes(content), null, null, null);
    }

    @Override
    public String type() {
        return "video";
    }

    @Override
    public String toString() {
        return "VideoBlock[" + mediaType + ", " + source + "]";
    }
}
