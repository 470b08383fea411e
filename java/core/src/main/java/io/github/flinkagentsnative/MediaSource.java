package io.github.flinkagentsnative;

/** Where the content of a {@link MediaBlock} is. Neither kind prints content or address. */
public sealed interface MediaSource permits Base64Source, UrlSource {

    /** {@code base64} or {@code url}. */
    String type();
}
