package io.github.flinkagentsnative;

/**
 * An audio.
 *
 * @param mediaType MIME type
 * @param source where the content is
 * @param name file name, or null
 * @param sizeBytes size in bytes, or null
 * @param sha256 SHA-256 of the content, or null
 */
public record AudioBlock(String mediaType, MediaSource source, String name, Long sizeBytes, String sha256)
        implements MediaBlock {

    public AudioBlock {
        MediaBlock.check(mediaType, source, sizeBytes);
    }

    /** An audio as standard Base64 text, which is sent as it is and not decoded here. */
    public static AudioBlock fromBase64(String mediaType, String data) {
        return new AudioBlock(mediaType, new Base64Source(data), null, null, null);
    }

    /** An audio behind a URL that the provider fetches. */
    public static AudioBlock fromUrl(String mediaType, String url) {
        return new AudioBlock(mediaType, new UrlSource(url), null, null, null);
    }

    /** An audio as bytes, encoded once; empty content is refused. */
    public static AudioBlock fromBytes(String mediaType, byte[] content) {
        return new AudioBlock(mediaType, Base64Source.ofBytes(content), null, null, null);
    }

    @Override
    public String type() {
        return "audio";
    }

    @Override
    public String toString() {
        return "AudioBlock[" + mediaType + ", " + source + "]";
    }
}
