package io.github.flinkagentsnative;

/**
 * Gives the key or token of a call. It is asked for each call, on the thread that makes the call, so that rotating tokens
 * stay fresh; it should answer from memory. A failure is an outcome or exception of kind {@link ErrorKind#CONFIGURATION};
 * that of {@link WatsonxCredentials} keeps its own kind.
 */
@FunctionalInterface
public interface CredentialSupplier {

    /** @return the secret for the next call, never null */
    Secret get() throws Exception;
}
