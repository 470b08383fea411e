package io.github.flinkagentsnative;

/** A message holds a content block that the provider cannot carry; the message says which and where. */
public class UnsupportedContentBlockException extends IllegalArgumentException {

    /** @param message which block, in which message, for which provider */
    public UnsupportedContentBlockException(String message) {
        super(message);
    }
}
