package org.apache.flink.agents.api.chat.messages;

/** Content behind an address. */
public final class UrlSource extends MediaSource {
    private static final long serialVersionUID = 1L;
    private final String url;

    public UrlSource(String url) {
        if (url == null || url.isEmpty()) {
            throw new IllegalArgumentException("A URL source requires a URL.");
        }
        this.url = url;
    }

    public String getUrl() {
        return url;
    }

    @Override
    public String getType() {
        return "url";
    }

    @Override
    public Long getSizeBytes() {
        return null;
    }
}
