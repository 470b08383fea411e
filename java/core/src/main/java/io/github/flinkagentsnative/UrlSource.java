package io.github.flinkagentsnative;

/**
 * Content behind an address.
 *
 * @param url not empty; may be a provider's file URI or a {@code data:} URL
 */
public record UrlSource(String url) implements MediaSource {

    public UrlSource {
        if (url == null || url.isEmpty()) {
            throw new IllegalArgumentException("A URL source requires a URL.");
        }
    }

    @Override
    public String type() {
        return "url";
    }

    /** An address can carry a signature, so it is not printed. */
    @Override
    public String toString() {
        return "UrlSource[redacted]";
    }
}
