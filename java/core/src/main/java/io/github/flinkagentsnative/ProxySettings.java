package io.github.flinkagentsnative;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The proxies of a client: one for each scheme, and the hosts that are reached directly. */
record ProxySettings(Proxy http, Proxy https, List<String> noProxy) {

    /** What the JVM reaches directly when {@code http.nonProxyHosts} is not set. */
    private static final String DEFAULT_NON_PROXY_HOSTS = "localhost|127.*|[::1]|0.0.0.0|[::0]";

    /** One HTTP proxy; user name and password may be null. */
    record Proxy(String host, int port, String username, Secret password) {

        @Override
        public String toString() {
            return host + ":" + port;
        }

        void write(FrameWriter frame) {
            frame.map(4)
                    .key("host")
                    .text(host)
                    .key("port")
                    .integer(port)
                    .key("username")
                    .text(username)
                    .key("password")
                    .text(password == null ? null : password.reveal());
        }
    }

    /** The given proxy for everything; none at all for null. */
    static ProxySettings explicit(Proxy proxy) {
        return new ProxySettings(proxy, proxy, List.of());
    }

    /** What the JVM's system properties say, or null when they name no proxy. */
    static ProxySettings fromSystemProperties() {
        Proxy http = fromSystemProperties("http", 80);
        Proxy https = fromSystemProperties("https", 443);
        if (http == null && https == null) {
            return null;
        }
        String direct = System.getProperty("http.nonProxyHosts", DEFAULT_NON_PROXY_HOSTS);
        List<String> patterns = Stream.of(direct.split("\\|"))
                .map(String::strip)
                .filter(p -> !p.isEmpty())
                .toList();
        return new ProxySettings(http, https, patterns);
    }

    private static Proxy fromSystemProperties(String scheme, int defaultPort) {
        String host = property(scheme + ".proxyHost");
        if (host == null) {
            return null;
        }
        String port = property(scheme + ".proxyPort");
        String password = property(scheme + ".proxyPassword");
        return new Proxy(
                host,
                port == null ? defaultPort : port(scheme + ".proxyPort", port),
                property(scheme + ".proxyUser"),
                password == null ? null : Secret.of(scheme + ".proxyPassword", password));
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        return value == null || value.isBlank() ? null : value.strip();
    }

    private static int port(String property, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port < 65_536) {
                return port;
            }
        } catch (NumberFormatException e) {
            // told below, together with numbers out of range
        }
        throw new ChatConfigurationException(
                "System property '" + property + "' must be a port number, not '" + text + "'");
    }

    /** Reads {@code http://[user:password@]host:port}; messages never repeat it, since it may hold a password. */
    static Proxy parse(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException | NullPointerException e) {
            throw malformed();
        }
        if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null || uri.getPort() < 1) {
            throw malformed();
        }
        String user = uri.getRawUserInfo();
        int colon = user == null ? -1 : user.indexOf(':');
        return new Proxy(
                uri.getHost(),
                uri.getPort(),
                user == null ? null : decode(colon < 0 ? user : user.substring(0, colon)),
                colon < 0 ? null : Secret.of("proxy", decode(user.substring(colon + 1))));
    }

    private static String decode(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static ChatConfigurationException malformed() {
        return new ChatConfigurationException("Setting 'proxy' must have the form http://[user:password@]host:port");
    }

    void write(FrameWriter frame) {
        frame.map(3).key("http");
        write(http, frame);
        frame.key("https");
        write(https, frame);
        frame.key("no_proxy").value(noProxy);
    }

    private static void write(Proxy proxy, FrameWriter frame) {
        if (proxy == null) {
            frame.nil();
        } else {
            proxy.write(frame);
        }
    }

    List<Secret> secrets() {
        List<Secret> secrets = new ArrayList<>();
        Stream.of(http, https).filter(p -> p != null && p.password() != null).forEach(p -> secrets.add(p.password()));
        return secrets;
    }
}
