package org.apache.flink.agents.api.chat.messages;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** An image, a sound, a film or a document. */
public abstract class MediaBlock extends DataContentBlock {
    private static final long serialVersionUID = 1L;
    private final String mediaType;
    private final MediaSource source;
    private final String name;
    private final Long sizeBytes;
    private final String sha256;

    protected MediaBlock(String mediaType, MediaSource source, String name, Long sizeBytes, String sha256) {
        if (mediaType == null || mediaType.isEmpty()) {
            throw new IllegalArgumentException("A media block requires a media type.");
        }
        if (source == null) {
            throw new IllegalArgumentException("A media block requires a source.");
        }
        if (sizeBytes != null && sizeBytes < 0) {
            throw new IllegalArgumentException("size_bytes must not be negative.");
        }
        this.mediaType = mediaType;
        this.source = source;
        this.name = name;
        this.sizeBytes = sizeBytes;
        this.sha256 = sha256;
    }

    static Base64Source encoded(byte[] content) {
        if (content == null || content.length == 0) {
            throw new IllegalArgumentException("A media block requires content.");
        }
        return new Base64Source(Base64.getEncoder().encodeToString(content));
    }

    public String getMediaType() {
        return mediaType;
    }

    public MediaSource getSource() {
        return source;
    }

    public String getName() {
        return name;
    }

    public Long getSizeBytes() {
        return sizeBytes;
    }

    public String getSha256() {
        return sha256;
    }

    @Override
    public Map<String, Object> sanitize() {
        Map<String, Object> safe = new LinkedHashMap<>();
        safe.put("type", getType());
        safe.put("media_type", mediaType);
        safe.put("name", name);
        safe.put("size_bytes", sizeBytes == null ? source.getSizeBytes() : sizeBytes);
        safe.put("sha256", sha256);
        safe.put("source", Map.of("type", source.getType()));
        safe.values().removeIf(value -> value == null);
        return safe;
    }
}
