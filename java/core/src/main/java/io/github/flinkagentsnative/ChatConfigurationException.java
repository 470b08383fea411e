package io.github.flinkagentsnative;

/** A setting is missing or wrong. The message names it and says what to set; repeating the call cannot help. */
public class ChatConfigurationException extends IllegalArgumentException {

    /** @param message which setting, what is wrong with it, what to do; never a secret */
    public ChatConfigurationException(String message) {
        super(message);
    }

    /** As above, with a cause. */
    public ChatConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Always {@link ErrorKind#CONFIGURATION}. */
    public ErrorKind kind() {
        return ErrorKind.CONFIGURATION;
    }
}
