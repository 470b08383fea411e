package org.apache.flink.agents.api.chat.messages;

/** Media of type audio. */
public final class AudioBlock extends MediaBlock {
    private static final long serialVersionUID = 1L;

    public AudioBlock(String mediaType, MediaSource source, String name, Long sizeBytes, String sha256) {
        super(mediaType, source, name, sizeBytes, sha256);
    }

    public static AudioBlock fromBase64(String mediaType, String data) {
        return new AudioBlock(mediaType, new Base64Source(data), null, null, null);
    }

    public static AudioBlock fromUrl(String mediaType, String url) {
        return new AudioBlock(mediaType, new UrlSource(url), null, null, null);
    }

    public static AudioBlock fromBytes(String mediaType, byte[] content) {
        return new AudioBlock(mediaType, encoded(content), null, null, null);
    }

    @Override
    public String getType() {
        return "audio";
    }
}
