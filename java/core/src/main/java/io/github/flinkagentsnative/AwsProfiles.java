package io.github.flinkagentsnative;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The profiles of the AWS files (<a href="https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html">format</a>, read 2026-11). What
 * stands in the credentials file wins. A file that changes is read again. Thread-safe.
 */
final class AwsProfiles {

    /** A profile with one of these gets its keys by calls to other services, or by starting a program. */
    private static final List<String> FOREIGN = List.of(
            "role_arn",
            "sso_session",
            "sso_start_url",
            "credential_process",
            "web_identity_token_file",
            "login_session");

    private final ProfileFile credentials;
    private final ProfileFile config;

    private AwsProfiles(Path credentials, Path config) {
        this.credentials = new ProfileFile(credentials, false);
        this.config = new ProfileFile(config, true);
    }

    static AwsProfiles of(Map<String, String> environment, Map<String, String> properties) {
        Path folder = Path.of(properties.getOrDefault("user.home", "")).resolve(".aws");
        return new AwsProfiles(
                path(environment.get("AWS_SHARED_CREDENTIALS_FILE"), folder.resolve("credentials")),
                path(environment.get("AWS_CONFIG_FILE"), folder.resolve("config")));
    }

    private static Path path(String named, Path usual) {
        return named == null || named.isBlank() ? usual : Path.of(named.strip());
    }

    boolean has(String profile) {
        return !profile(profile).isEmpty();
    }

    /** Null when the profile names none. */
    String region(String profile) {
        return profile(profile).get("region");
    }

    String files() {
        return credentials.path + " and " + config.path;
    }

    /**
     * @throws ChatConfigurationException for a profile that is missing, has no keys, or gets them in a way that this library does not
     *     know
     */
    AwsKeys keys(String name) {
        Map<String, String> profile = profile(name);
        if (profile.isEmpty()) {
            throw new ChatConfigurationException(
                    "There is no AWS profile '" + name + "' in " + files() + "; add it, or name another one");
        }
        String id = profile.get("aws_access_key_id");
        String secret = profile.get("aws_secret_access_key");
        if (id != null && secret != null) {
            return AwsKeys.of(id, secret, profile.get("aws_session_token"));
        }
        String foreign =
                FOREIGN.stream().filter(profile::containsKey).findFirst().orElse(null);
        if (foreign != null) {
            throw new ChatConfigurationException("The AWS profile '" + name + "' in " + files() + " gets its keys by '"
                    + foreign + "', which needs the AWS SDK; hand its provider over with awsCredentials(...)");
        }
        throw new ChatConfigurationException("The AWS profile '" + name + "' in " + files() + " has no "
                + (id == null ? "aws_access_key_id" : "aws_secret_access_key") + "; add it, or name another profile");
    }

    private Map<String, String> profile(String name) {
        Map<String, String> merged = new HashMap<>(config.profiles().getOrDefault(name, Map.of()));
        merged.putAll(credentials.profiles().getOrDefault(name, Map.of()));
        return merged;
    }

    /** One file: sections in brackets, a name and a value on each line. */
    private static final class ProfileFile {
        private final Path path;
        /** In the config file a profile's section is called {@code profile NAME}, but for the default one. */
        private final boolean prefixed;

        private volatile Read read;

        ProfileFile(Path path, boolean prefixed) {
            this.path = path;
            this.prefixed = prefixed;
        }

        private record Read(FileTime modified, long size, Map<String, Map<String, String>> profiles) {}

        /** Empty when there is no such file. */
        Map<String, Map<String, String>> profiles() {
            try {
                BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
                Read known = read;
                if (known == null
                        || !known.modified().equals(attributes.lastModifiedTime())
                        || known.size() != attributes.size()) {
                    known = new Read(attributes.lastModifiedTime(), attributes.size(), parse(Files.readString(path)));
                    read = known;
                }
                return known.profiles();
            } catch (NoSuchFileException e) {
                return Map.of();
            } catch (IOException e) {
                throw new ChatConfigurationException("The AWS file " + path + " cannot be read ("
                        + e.getClass().getSimpleName() + "); check its permissions, and that it is UTF-8 text");
            }
        }

        private Map<String, Map<String, String>> parse(String text) {
            Map<String, Map<String, String>> profiles = new LinkedHashMap<>();
            Map<String, String> section = new LinkedHashMap<>(); // what stands before the first one counts for none
            for (String line : text.lines().toList()) {
                // An indented line belongs to the value before it: a nested setting, none of which is used here.
                boolean skipped = line.isBlank() || "#; \t".indexOf(line.charAt(0)) >= 0;
                int equals = line.indexOf('=');
                if (!skipped && line.charAt(0) == '[') {
                    String name = sectionName(line);
                    section = name == null
                            ? new LinkedHashMap<>()
                            : profiles.computeIfAbsent(name, any -> new LinkedHashMap<>());
                } else if (!skipped && equals > 0) {
                    String key = line.substring(0, equals).strip().toLowerCase(Locale.ROOT);
                    String value = line.substring(equals + 1)
                            .replaceAll("\\s[#;].*", "")
                            .strip();
                    if (!value.isEmpty()) {
                        section.put(key, value);
                    }
                }
            }
            return profiles;
        }

        /** Null for a section that is no profile. */
        private String sectionName(String line) {
            int end = line.indexOf(']');
            String name = line.substring(1, end < 0 ? line.length() : end).strip();
            if (!prefixed || name.equals("default")) {
                return name;
            }
            String[] words = name.split("\\s+", 2);
            return words.length == 2 && words[0].equals("profile") ? words[1].strip() : null;
        }
    }
}
