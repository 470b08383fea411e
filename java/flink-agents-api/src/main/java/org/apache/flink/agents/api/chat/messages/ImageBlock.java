package org.apache.flink.agents.api.chat.messages;

/** Media of type image. */
public final class ImageBlock extends MediaBlock {
    private static final long serialVersionUID = 1L;

    public ImageBlock(String mediaType, MediaSource source, String name, Long sizeBytes, String sha256) {
        super(mediaType, source, name, sizeBytes, sha256);
    }

    public static ImageBlock fromBase64(String mediaType, String data) {
        return new ImageBlock(mediaType, new Base64Source(data), null, null, null);
    }

    public static ImageBlock fromUrl(String mediaType, String url) {
        return new ImageBlock(mediaType, new UrlSource(url), null, null, null);
    }

    public static ImageBlock fromBytes(String mediaType, byte[] content) {
        return new ImageBlock(mediaType, encoded(content), null, null, null);
    }

    @Override
    public String getType() {
        return "image";
    }
}
