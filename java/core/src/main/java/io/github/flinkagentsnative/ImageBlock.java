package io.github.flinkagentsnative;

/**
 * An image.
 *
 * @param mediaType MIME type
 * @param source where the content is
 * @param name file name, or null
 * @param sizeBytes size in bytes, or null
 * @param sha256 SHA-256 of the content, or null
 */
public record ImageBlock(String mediaType, MediaSource source, String name, Long sizeBytes, String sha256)
        implements MediaBlock {

    public ImageBlock {
        MediaBlock.check(mediaType, source, sizeBytes);
    }

    /** An image as standard Base64 text, which is sent as it is and not decoded here. */
    public static ImageBlock fromBase64(String mediaType, String data) {
        return new ImageBlock(mediaType, new Base64Source(data), null, null, null);
    }

    /** An image behind a URL that the provider fetches. */
    public static ImageBlock fromUrl(String mediaType, String url) {
        return new ImageBlock(mediaType, new UrlSource(url), null, null, null);
    }

    /** An image as bytes, encoded once; empty content is refused. */
    public static ImageBlock fromBytes(String mediaType, byte[] content) {
        return new ImageBlock(mediaType, Base64Source.ofBytes(content), null, null, null);
    }

    @Override
    public String type() {
        return "image";
    }

    @Override
    public String toString() {
        return "ImageBlock[" + mediaType + ", " + source + "]";
    }
}
