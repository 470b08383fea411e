package io.github.flinkagentsnative;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this host says about AWS when nobody sets it: keys, a Bedrock API key, a region
 * (<a href="https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html">order of the AWS SDKs</a>, read 2026-11).
 */
final class AwsDefaults {

    private static final List<String> PROPERTIES =
            List.of("aws.accessKeyId", "aws.secretAccessKey", "aws.sessionToken", "aws.region", "user.home");

    /** Ways to keys that need calls to other services, which the AWS SDK makes. */
    private static final List<String> FOREIGN = List.of(
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
            "AWS_ROLE_ARN");

    private final Map<String, String> environment;
    private final Map<String, String> properties;
    private final AwsProfiles profiles;

    AwsDefaults(Map<String, String> environment, Map<String, String> properties) {
        this.environment = environment;
        this.properties = properties;
        this.profiles = AwsProfiles.of(environment, properties);
    }

    /** What this JVM's variables and properties say. */
    static AwsDefaults ofHost() {
        return new AwsDefaults(System.getenv(), systemProperties());
    }

    private static Map<String, String> systemProperties() {
        Map<String, String> found = new LinkedHashMap<>();
        for (String name : PROPERTIES) {
            String value = System.getProperty(name);
            if (value != null) {
                found.put(name, value);
            }
        }
        return found;
    }

    /** A Bedrock API key from {@code AWS_BEARER_TOKEN_BEDROCK}, which comes before all keys; null when there is none. */
    String bearerToken() {
        return text(environment, "AWS_BEARER_TOKEN_BEDROCK");
    }

    /** {@code aws.region}, {@code AWS_REGION}, {@code AWS_DEFAULT_REGION}, or that of the profile; null when nobody says one. */
    String region() {
        return region(profile());
    }

    /** As {@link #region()}, with a profile in place of the host's. */
    String region(String profile) {
        return Stream.of(
                        text(properties, "aws.region"),
                        text(environment, "AWS_REGION"),
                        text(environment, "AWS_DEFAULT_REGION"))
                .filter(found -> found != null)
                .findFirst()
                .orElseGet(() -> profiles.region(profile));
    }

    /** The keys of one profile, whatever else the host has. */
    AwsProfileKeys profileKeys(String name) {
        return new AwsProfileKeys(name, profiles);
    }

    AwsKeys keys() {
        AwsKeys keys = keys(properties, "aws.accessKeyId", "aws.secretAccessKey", "aws.sessionToken");
        if (keys == null) {
            keys = keys(environment, "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN");
        }
        if (keys == null && (environment.containsKey("AWS_PROFILE") || profiles.has(profile()))) {
            keys = profiles.keys(profile());
        }
        if (keys == null) {
            throw new ChatConfigurationException(
                    "No AWS keys found: neither in the system properties aws.accessKeyId and"
                            + " aws.secretAccessKey, nor in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, nor as profile '"
                            + profile()
                            + "' in " + profiles.files() + ". Set one of them, or give keys with awsCredentials(...)."
                            + foreign());
        }
        return keys;
    }

    private String foreign() {
        String found =
                FOREIGN.stream().filter(name -> text(environment, name) != null).collect(Collectors.joining(", "));
        return found.isEmpty()
                ? ""
                : " " + found
                        + " is set: keys from there need the AWS SDK; hand its provider over with awsCredentials(...).";
    }

    private String profile() {
        String named = text(environment, "AWS_PROFILE");
        return named == null ? "default" : named;
    }

    /** Null when neither key is there; one without the other is an error. */
    private static AwsKeys keys(Map<String, String> from, String id, String secret, String token) {
        String accessKeyId = text(from, id);
        String secretAccessKey = text(from, secret);
        if (accessKeyId == null && secretAccessKey == null) {
            return null;
        }
        if (accessKeyId == null || secretAccessKey == null) {
            throw new ChatConfigurationException((accessKeyId == null ? secret : id) + " is set without "
                    + (accessKeyId == null ? id : secret) + "; set both, or neither");
        }
        return AwsKeys.of(accessKeyId, secretAccessKey, text(from, token));
    }

    private static String text(Map<String, String> from, String name) {
        String value = from.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }
}
