package io.github.flinkagentsnative;

import java.util.Objects;

/**
 * Gives the AWS keys of a call, for {@link ChatModel.Builder#awsCredentials}. It is asked for each call, on the thread that makes the
 * call, so that keys which expire stay fresh; it should answer from memory. A failure is an outcome or exception of kind
 * {@link ErrorKind#CONFIGURATION}.
 *
 * <p>Keys of roles, SSO, containers and instances come from the AWS SDK, which renews them:
 *
 * <pre>{@code
 * AwsCredentialsProvider provider = DefaultCredentialsProvider.builder().build();   // of the AWS SDK for Java 2
 * AwsCredentials credentials = () -> {
 *     var keys = provider.resolveCredentials();
 *     var token = keys instanceof AwsSessionCredentials session ? session.sessionToken() : null;
 *     return AwsKeys.of(keys.accessKeyId(), keys.secretAccessKey(), token);
 * };
 * }</pre>
 */
@FunctionalInterface
public interface AwsCredentials {

    /** @return the keys for the next call, never null */
    AwsKeys get() throws Exception;

    /** The same keys for each call. */
    static AwsCredentials of(AwsKeys keys) {
        Objects.requireNonNull(keys, "keys");
        return () -> keys;
    }

    /**
     * The first of these that is there, looked up for each call: the system properties {@code aws.accessKeyId},
     * {@code aws.secretAccessKey} and {@code aws.sessionToken}; the variables {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY}
     * and {@code AWS_SESSION_TOKEN}; the profile that {@code AWS_PROFILE} names, or {@code default}. Where none is, the failure lists
     * them, and names what is there but cannot be used.
     */
    static AwsCredentials defaults() {
        return AwsDefaults.ofHost()::keys;
    }

    /**
     * The keys of a profile in the files {@code ~/.aws/credentials} and {@code ~/.aws/config}, or those that
     * {@code AWS_SHARED_CREDENTIALS_FILE} and {@code AWS_CONFIG_FILE} name. A file that changes is read again. A model without a region
     * takes the profile's, unless {@code AWS_REGION} and the like say another.
     *
     * @throws ChatConfigurationException for a blank name; a profile that is missing or holds no keys is told by the call
     */
    static AwsCredentials ofProfile(String name) {
        if (name == null || name.isBlank()) {
            throw new ChatConfigurationException(
                    "The name of the AWS profile is blank; use defaults() for the default profile");
        }
        return AwsDefaults.ofHost().profileKeys(name.strip());
    }

    /**
     * The region that this host says: the system property {@code aws.region}, else {@code AWS_REGION}, {@code AWS_DEFAULT_REGION}, or that
     * of the profile.
     *
     * @param profile null for the one that {@code AWS_PROFILE} names, or {@code default}
     * @return null when nobody says one
     * @throws ChatConfigurationException for an AWS file that cannot be read
     */
    static String hostRegion(String profile) {
        AwsDefaults host = AwsDefaults.ofHost();
        return profile == null ? host.region() : host.region(profile.strip());
    }
}
