package org.apache.flink.agents.api.chat.messages;

/** Content in the request itself; not decoded here (#1163). */
public final class Base64Source extends MediaSource {
    private static final long serialVersionUID = 1L;
    private final String data;

    public Base64Source(String data) {
        if (data == null || data.isEmpty()) {
            throw new IllegalArgumentException("A Base64 source requires data.");
        }
        this.data = data;
    }

    public String getData() {
        return data;
    }

    @Override
    public String getType() {
        return "base64";
    }

    @Override
    public Long getSizeBytes() {
        int padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
        return Math.max(0, data.length() * 3L / 4 - padding);
    }
}
