package org.apache.flink.agents.api.chat.messages;

/** Media of type document. */
public final class DocumentBlock extends MediaBlock {
    private static final long serialVersionUID = 1L;

    public DocumentBlock(String mediaType, MediaSource source, String name, Long sizeBytes, String sha256) {
        super(mediaType, source, name, sizeBytes, sha256);
    }

    public static DocumentBlock fromBase64(String mediaType, String data) {
        return new DocumentBlock(mediaType, new Base64Source(data), null, null, null);
    }

    public static DocumentBlock fromUrl(String mediaType, String url) {
        return new DocumentBlock(mediaType, new UrlSource(url), null, null, null);
    }

    public static DocumentBlock fromBytes(String mediaType, byte[] content) {
        return new DocumentBlock(mediaType, encoded(content), null, null, null);
    }

    @Override
    public String getType() {
        return "document";
    }
}
