package org.apache.flink.agents.api.chat.messages;

/** Media of type video. */
public final class VideoBlock extends MediaBlock {
    private static final long serialVersionUID = 1L;

    public VideoBlock(String mediaType, MediaSource source, String name, Long sizeBytes, String sha256) {
        super(mediaType, source, name, sizeBytes, sha256);
    }

    public static VideoBlock fromBase64(String mediaType, String data) {
        return new VideoBlock(mediaType, new Base64Source(data), null, null, null);
    }

    public static VideoBlock fromUrl(String mediaType, String url) {
        return new VideoBlock(mediaType, new UrlSource(url), null, null, null);
    }

    public static VideoBlock fromBytes(String mediaType, byte[] content) {
        return new VideoBlock(mediaType, encoded(content), null, null, null);
    }

    @Override
    public String getType() {
        return "video";
    }
}
