package io.github.flinkagentsnative;

/**
 * A message holds a content block that the provider cannot carry. The message, the same as upstream's, says which kind of block
 * and why; {@link #path} says where it stands.
 */
public class UnsupportedContentBlockException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String path;

    /** @param message which kind of block, for which provider, and why */
    public UnsupportedContentBlockException(String message) {
        this(message, null);
    }

    /**
     * @param message which kind of block, for which provider, and why
     * @param path where, for example {@code messages[2].blocks[0]}; null when unknown
     */
    public UnsupportedContentBlockException(String message, String path) {
        super(message);
        this.path = path;
    }

    /**
     * Where the block stands: {@code messages[2].blocks[0]}, in a tool result {@code messages[2].blocks[0].blocks[1]}; null
     * when unknown.
     */
    public String path() {
        return path;
    }
}
