package io.github.flinkagentsnative;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * How a {@link ChatClient} talks HTTP. Immutable.
 *
 * <p>Proxy and trusted certificates come from here when they are set here, else from the JVM's system properties
 * ({@code https.proxyHost}, {@code http.proxyHost}, {@code http.nonProxyHosts}; {@code javax.net.ssl.trustStore} and the JVM's own
 * trust store), else from the environment ({@code HTTPS_PROXY}, {@code NO_PROXY}, ...). Redirects are never followed.
 */
public final class TransportOptions {

    private static final TransportOptions DEFAULTS = builder().build();

    private final Duration connectTimeout;
    private final Duration timeout;
    private final Duration idleTimeout;
    private final int maxInFlight;
    private final long maxResponseBytes;
    private final boolean allowInsecureHttp;
    private final String userAgent;
    private final Path caFile;
    private final boolean proxyChosen;
    private final ProxySettings.Proxy proxy;

    private TransportOptions(Builder builder) {
        connectTimeout = builder.connectTimeout;
        timeout = builder.timeout;
        idleTimeout = builder.idleTimeout;
        maxInFlight = builder.maxInFlight;
        maxResponseBytes = builder.maxResponseBytes;
        allowInsecureHttp = builder.allowInsecureHttp;
        userAgent = builder.userAgent;
        caFile = builder.caFile;
        proxyChosen = builder.proxyChosen;
        proxy = builder.proxy;
    }

    /** All defaults. */
    public static TransportOptions defaults() {
        return DEFAULTS;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Longest time for a connection to be made, TLS included. */
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /** Longest time for a whole call, from handing it over to the last byte; a request may bring its own. */
    public Duration timeout() {
        return timeout;
    }

    /** How long an unused connection is kept. */
    public Duration idleTimeout() {
        return idleTimeout;
    }

    /** Most calls at once; further ones wait, within their own time. */
    public int maxInFlight() {
        return maxInFlight;
    }

    /** Largest answer, in bytes. */
    public long maxResponseBytes() {
        return maxResponseBytes;
    }

    /** Whether a key may travel over plain {@code http://} to another host. */
    public boolean allowInsecureHttp() {
        return allowInsecureHttp;
    }

    public String userAgent() {
        return userAgent;
    }

    /** PEM file with the certificates to trust, or null for the JVM's. */
    public Path caFile() {
        return caFile;
    }

    /** The frame that opens a client; reads certificates and the JVM's properties now. */
    byte[] openFrame() {
        ProxySettings settings = proxySettings();
        byte[] pem = pem();
        List<byte[]> der = pem == null ? TrustStore.certificates() : List.of();
        FrameWriter frame = new FrameWriter(256 * 1024)
                .map(10)
                .key("connect_timeout_ms")
                .integer(milliseconds(connectTimeout))
                .key("idle_timeout_ms")
                .integer(milliseconds(idleTimeout))
                .key("max_in_flight")
                .integer(maxInFlight)
                .key("max_response_bytes")
                .integer(maxResponseBytes)
                .key("allow_insecure_http")
                .bool(allowInsecureHttp)
                .key("user_agent")
                .text(userAgent)
                .key("system_proxy")
                .bool(settings == null);
        frame.key("proxy");
        if (settings == null) {
            frame.nil();
        } else {
            settings.write(frame);
        }
        frame.key("ca_pem").bytes(pem).key("ca_der");
        if (der.isEmpty()) {
            return frame.nil().toBytes();
        }
        frame.array(der.size());
        der.forEach(frame::bytes);
        return frame.toBytes();
    }

    /** At least one, and no overflow: the native side knows what is too much. */
    static long milliseconds(Duration duration) {
        try {
            return Math.max(1, duration.toMillis());
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Secrets of the way to the provider, so that error texts can be cleaned of them. */
    List<Secret> secrets() {
        ProxySettings settings = proxySettings();
        return settings == null ? List.of() : settings.secrets();
    }

    /** The proxies to use; null leaves that to the environment. */
    private ProxySettings proxySettings() {
        return proxyChosen ? ProxySettings.explicit(proxy) : ProxySettings.fromSystemProperties();
    }

    private byte[] pem() {
        if (caFile == null) {
            return null;
        }
        try {
            return Files.readAllBytes(caFile);
        } catch (IOException e) {
            throw new ChatConfigurationException(
                    "Setting 'caFile': cannot read " + caFile + " (" + e + "); name a readable PEM file", e);
        }
    }

    @Override
    public String toString() {
        return "TransportOptions[connectTimeout=" + connectTimeout + ", timeout=" + timeout + ", idleTimeout="
                + idleTimeout
                + ", maxInFlight=" + maxInFlight + ", maxResponseBytes=" + maxResponseBytes + ", allowInsecureHttp="
                + allowInsecureHttp + ", caFile=" + caFile + ", proxy=" + (proxyChosen ? proxy : "from the JVM") + "]";
    }

    /** Collects options; not thread-safe. */
    public static final class Builder {

        private Duration connectTimeout = Duration.ofSeconds(10);
        private Duration timeout = Duration.ofSeconds(60);
        private Duration idleTimeout = Duration.ofSeconds(90);
        private int maxInFlight = 64;
        private long maxResponseBytes = 64L * 1024 * 1024;
        private boolean allowInsecureHttp;
        private String userAgent = "flink-agents-native/" + NativeLibrary.VERSION;
        private Path caFile;
        private boolean proxyChosen;
        private ProxySettings.Proxy proxy;

        private Builder() {}

        /** Default 10 s. */
        public Builder connectTimeout(Duration value) {
            connectTimeout = positive("connectTimeout", value);
            return this;
        }

        /** Default 60 s. */
        public Builder timeout(Duration value) {
            timeout = positive("timeout", value);
            return this;
        }

        /** Default 90 s. */
        public Builder idleTimeout(Duration value) {
            idleTimeout = positive("idleTimeout", value);
            return this;
        }

        /** Default 64. */
        public Builder maxInFlight(int value) {
            maxInFlight = (int) positive("maxInFlight", value);
            return this;
        }

        /** Default 64 MiB. */
        public Builder maxResponseBytes(long value) {
            maxResponseBytes = positive("maxResponseBytes", value);
            return this;
        }

        /** Default false: a key travels over {@code https://}, or over {@code http://} to this very host. */
        public Builder allowInsecureHttp(boolean value) {
            allowInsecureHttp = value;
            return this;
        }

        public Builder userAgent(String value) {
            userAgent = Objects.requireNonNull(value, "userAgent");
            return this;
        }

        /** PEM file with the certificates to trust, instead of the JVM's. */
        public Builder caFile(Path value) {
            caFile = value;
            return this;
        }

        /**
         * Sends every call through this proxy.
         *
         * @param url {@code http://[user:password@]host:port}
         * @throws ChatConfigurationException if it is no such URL
         */
        public Builder proxy(String url) {
            proxy = ProxySettings.parse(url);
            proxyChosen = true;
            return this;
        }

        /** Uses no proxy, whatever the JVM and the environment say. */
        public Builder noProxy() {
            proxy = null;
            proxyChosen = true;
            return this;
        }

        public TransportOptions build() {
            return new TransportOptions(this);
        }

        private static Duration positive(String setting, Duration value) {
            if (value == null || value.compareTo(Duration.ofMillis(1)) < 0) {
                throw new ChatConfigurationException(
                        "Setting '" + setting + "' must be at least a millisecond, not " + value);
            }
            return value;
        }

        private static long positive(String setting, long value) {
            if (value < 1) {
                throw new ChatConfigurationException("Setting '" + setting + "' must be positive, not " + value);
            }
            return value;
        }
    }
}
