package io.github.flinkagentsnative;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The keys that sign one request to AWS. Immutable; prints none of them, and cannot be serialized. */
public final class AwsKeys {

    private final Secret accessKeyId;
    private final Secret secretAccessKey;
    private final Secret sessionToken;

    private AwsKeys(Secret accessKeyId, Secret secretAccessKey, Secret sessionToken) {
        this.accessKeyId = accessKeyId;
        this.secretAccessKey = secretAccessKey;
        this.sessionToken = sessionToken;
    }

    /**
     * Keys that last.
     *
     * @throws ChatConfigurationException for a missing or blank key
     */
    public static AwsKeys of(String accessKeyId, String secretAccessKey) {
        return of(accessKeyId, secretAccessKey, null);
    }

    /**
     * Temporary keys.
     *
     * @param sessionToken null for keys that last
     * @throws ChatConfigurationException for a missing or blank key
     */
    public static AwsKeys of(String accessKeyId, String secretAccessKey, String sessionToken) {
        return new AwsKeys(
                Secret.of("aws_access_key_id", accessKeyId),
                Secret.of("aws_secret_access_key", secretAccessKey),
                sessionToken == null ? null : Secret.of("aws_session_token", sessionToken));
    }

    Secret accessKeyId() {
        return accessKeyId;
    }

    Secret secretAccessKey() {
        return secretAccessKey;
    }

    /** Null for keys that last. */
    Secret sessionToken() {
        return sessionToken;
    }

    /** What no text may show. */
    List<Secret> secrets() {
        return Stream.of(accessKeyId, secretAccessKey, sessionToken)
                .filter(Objects::nonNull)
                .toList();
    }

    @Override
    public String toString() {
        return "AwsKeys(hidden)";
    }
}
