package io.github.flinkagentsnative;

import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Exchanges an IBM Cloud API key for the IAM tokens that watsonx.ai takes. A token is kept until a minute before it expires; then one
 * caller fetches the next, and the others go on with the old one while it lasts. Thread-safe; one object may serve many models.
 *
 * <p>{@code ChatModel.builder(Provider.WATSONX).apiKey(...)} makes one by itself. Make one yourself for another token service, or for a
 * proxy or CA file of your own. For Cloud Pak for Data, whose tokens come from elsewhere, write a {@link CredentialSupplier}.
 */
public final class WatsonxCredentials implements CredentialSupplier {

    /** IBM Cloud's token service. */
    public static final URI IBM_CLOUD = URI.create("https://iam.cloud.ibm.com/identity/token");

    /** How long before its end a token is replaced. */
    private static final Duration EARLY = Duration.ofSeconds(60);
    /** Longest text of the service that goes into a message, in UTF-16 units. */
    private static final int MAX_FOREIGN_TEXT = 300;

    private static final String GRANT = "urn:ibm:params:oauth:grant-type:apikey";

    private final Secret apiKey;
    private final URI tokenUrl;
    private final TransportOptions options;
    private final Clock clock;
    /** Held by the one caller that fetches a token. */
    private final ReentrantLock fetching = new ReentrantLock();

    private volatile Token token;

    WatsonxCredentials(Secret apiKey, URI tokenUrl, TransportOptions options, Clock clock) {
        this.apiKey = Objects.requireNonNull(apiKey, "apiKey");
        this.tokenUrl = checked(tokenUrl, options);
        this.options = options;
        this.clock = clock;
    }

    /**
     * Tokens of IBM Cloud.
     *
     * @throws ChatConfigurationException for a missing or blank key
     */
    public static WatsonxCredentials of(String apiKey) {
        return of(Secret.of(apiKey));
    }

    /** Tokens of IBM Cloud. */
    public static WatsonxCredentials of(Secret apiKey) {
        TransportOptions options =
                TransportOptions.builder().timeout(Duration.ofSeconds(20)).build();
        return of(apiKey, IBM_CLOUD, options);
    }

    /**
     * Tokens of another service.
     *
     * @param tokenUrl the whole URL that is posted to
     * @param options of the calls for tokens alone
     * @throws ChatConfigurationException for a URL that is none, or that would carry the key in the clear to another host
     */
    public static WatsonxCredentials of(Secret apiKey, URI tokenUrl, TransportOptions options) {
        return new WatsonxCredentials(apiKey, tokenUrl, options, Clock.systemUTC());
    }

    private record Token(Secret secret, Instant expires) {}

    /**
     * The token for the next call; fetched first where there is none that lasts.
     *
     * @throws ChatModelException if the service cannot be reached or refuses; {@link ChatModelException#retryable()} says whether a
     *     repeat may help
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Override
    public Secret get() throws ChatModelException, InterruptedException {
        Token known = token;
        if (lastsFor(known, EARLY)) {
            return known.secret();
        }
        if (!lastsFor(known, Duration.ZERO)) {
            fetching.lockInterruptibly();
        } else if (!fetching.tryLock()) {
            return known.secret();
        }
        try {
            return renewed();
        } finally {
            fetching.unlock();
        }
    }

    /** A token that the provider refused is not used again. */
    void forget(Secret refused) {
        Token known = token;
        if (known != null && known.secret() == refused) {
            token = null;
        }
    }

    /** Called by one thread at a time. */
    private Secret renewed() throws ChatModelException, InterruptedException {
        Token known = token;
        if (lastsFor(known, EARLY)) {
            return known.secret();
        }
        try {
            known = fetch();
            token = known;
        } catch (ChatModelException e) {
            // A token that still lasts is good enough; the next call tries again.
            if (!lastsFor(known, Duration.ZERO)) {
                throw e;
            }
        }
        return known.secret();
    }

    private boolean lastsFor(Token known, Duration time) {
        return known != null && clock.instant().plus(time).isBefore(known.expires());
    }

    private Token fetch() throws ChatModelException, InterruptedException {
        NativeLibrary.load();
        String form = "grant_type=" + encoded(GRANT) + "&apikey=" + encoded(apiKey.reveal());
        FrameWriter frame = new FrameWriter(form.length() + 512)
                .map(6)
                .key("method")
                .text("POST")
                .key("url")
                .text(tokenUrl.toString())
                .key("headers")
                .value(Map.of("Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json"))
                .key("body")
                .bytes(form.getBytes(StandardCharsets.UTF_8))
                .key("timeout_ms")
                .integer(TransportOptions.milliseconds(options.timeout()))
                .key("secret_headers")
                .map(0);
        CallRuntime.Opened opened = CallRuntime.open(options.openFrame());
        try {
            return read(
                    opened.runtime().submit(opened.client(), frame.toBytes()).get());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ChatModelException failure) {
                throw failed(
                        failure.kind(),
                        "The IAM token could not be fetched: " + failure.getMessage(),
                        failure.details());
            }
            throw (RuntimeException) e.getCause();
        } finally {
            opened.runtime().close(opened.client());
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Token read(HttpAnswer answer) throws ChatModelException {
        Map<?, ?> body = json(answer.body());
        if (answer.status() < 200 || answer.status() > 299) {
            throw refused(answer, body);
        }
        if (!(body.get("access_token") instanceof String text) || text.isBlank()) {
            throw failed(
                    ErrorKind.PROVIDER_ERROR,
                    "The answer of " + tokenUrl + " (HTTP status " + answer.status()
                            + ") has no access_token. Check the URL, and whether a proxy answers in the service's place.",
                    Map.of("status", answer.status(), "retryable", false));
        }
        return new Token(Secret.of("access_token", text), expires(body));
    }

    /** Without a time a token counts for one call. */
    private Instant expires(Map<?, ?> body) {
        Instant now = clock.instant();
        try {
            if (body.get("expires_in") instanceof Number seconds) {
                return now.plusSeconds(seconds.longValue());
            }
            if (body.get("expiration") instanceof Number epoch) {
                return Instant.ofEpochSecond(epoch.longValue());
            }
        } catch (DateTimeException | ArithmeticException e) {
            return now;
        }
        return now;
    }

    private ChatModelException refused(HttpAnswer answer, Map<?, ?> body) {
        int status = answer.status();
        boolean retryable = status == 408 || status == 429 || status >= 500;
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("status", status);
        details.put("retryable", retryable);
        StringBuilder text = new StringBuilder("The IAM token service ")
                .append(tokenUrl)
                .append(" answered with HTTP status ")
                .append(status);
        if (body.get("errorCode") instanceof String code) {
            details.put("code", clean(code));
            text.append(", code ").append(clean(code));
        }
        if (body.get("context") instanceof Map<?, ?> context && context.get("requestId") instanceof String id) {
            details.put("request_id", clean(id));
            text.append(", request id ").append(clean(id));
        }
        if (body.get("errorMessage") instanceof String message) {
            text.append(": ").append(clean(message));
        }
        text.append(retryable ? ". Repeat the call later." : ". Check the IBM Cloud API key and the URL.");
        return failed(ErrorKind.PROVIDER_ERROR, text.toString(), details);
    }

    private String clean(String foreign) {
        String text = apiKey.hideIn(foreign).replaceAll("\\p{Cntrl}", " ");
        return text.length() <= MAX_FOREIGN_TEXT ? text : text.substring(0, MAX_FOREIGN_TEXT) + "…";
    }

    private ChatModelException failed(ErrorKind kind, String text, Map<String, Object> details) {
        List<Secret> secrets = new ArrayList<>(options.secrets());
        secrets.add(apiKey);
        return NativeErrors.redact(new ChatModelException(kind, text, details), secrets);
    }

    /** Empty for anything that is no JSON object. */
    private static Map<?, ?> json(byte[] body) {
        try {
            return JsonReader.read(body) instanceof Map<?, ?> map ? map : Map.of();
        } catch (RuntimeException e) {
            return Map.of();
        }
    }

    private static URI checked(URI url, TransportOptions options) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        boolean plain = scheme.equals("http");
        if (url.getHost() == null || !plain && !scheme.equals("https") || url.getUserInfo() != null) {
            throw new ChatConfigurationException(
                    "The URL of the IAM token service must be an absolute https URL without user info");
        }
        if (plain && !options.allowInsecureHttp() && !isThisHost(url.getHost())) {
            throw new ChatConfigurationException("The URL of the IAM token service, " + url.getScheme() + "://"
                    + url.getHost() + ", would carry the key in the clear; use https, or allowInsecureHttp(true)");
        }
        return url;
    }

    /** Names are not looked up: what a name server says is no proof. */
    private static boolean isThisHost(String host) {
        String name = host.replaceAll("[\\[\\]]", "");
        if (name.equalsIgnoreCase("localhost")) {
            return true;
        }
        if (!name.matches("[0-9.]+|[0-9a-fA-F]*:[0-9a-fA-F:]*")) {
            return false;
        }
        try {
            return InetAddress.getByName(name).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Without key and token. */
    @Override
    public String toString() {
        return "WatsonxCredentials[" + tokenUrl + "]";
    }
}
