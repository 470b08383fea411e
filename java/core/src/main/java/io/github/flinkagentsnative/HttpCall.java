package io.github.flinkagentsnative;

import java.net.URI;
import java.util.List;
import java.util.Map;

/** One finished provider request without its secret. Immutable; prints neither body nor headers. */
public final class HttpCall {

    private final String method;
    private final URI url;
    private final Map<String, String> headers;
    private final byte[] body;
    private final StructuredOutputDecision decision;
    private final List<Reason> reasons;
    private final String authHeader;
    private final String authPrefix;
    private final AwsScope awsScope;
    private final Map<String, Object> parameters;

    /** Takes over body and headers, which nobody changes any more: no copies. */
    HttpCall(
            String method,
            URI url,
            Map<String, String> headers,
            byte[] body,
            StructuredOutputDecision decision,
            List<Reason> reasons,
            String authHeader,
            String authPrefix,
            AwsScope awsScope,
            Map<String, Object> parameters) {
        this.method = method;
        this.url = url;
        this.headers = headers;
        this.body = body;
        this.decision = decision;
        this.reasons = List.copyOf(reasons);
        this.authHeader = authHeader;
        this.authPrefix = authPrefix;
        this.awsScope = awsScope;
        this.parameters = parameters;
    }

    public String method() {
        return method;
    }

    public URI url() {
        return url;
    }

    /** All headers but the one that carries the secret. */
    public Map<String, String> headers() {
        return headers;
    }

    /** A copy of the body, JSON in UTF-8. */
    public byte[] body() {
        return body.clone();
    }

    /** Which way the schema travels, or null when the request was built without one. */
    public StructuredOutputDecision decision() {
        return decision;
    }

    /**
     * What became of the schemas of strict tools: rewritten, or sent without strict. Pointers lead into a tool's own schema, the
     * detail {@code tool} names the tool. Empty when nothing had to be changed.
     */
    public List<Reason> reasons() {
        return reasons;
    }

    /** The header that carries the secret, or null for a keyless server. */
    String authHeader() {
        return authHeader;
    }

    /** What stands before the secret in that header, possibly empty. */
    String authPrefix() {
        return authPrefix;
    }

    /** What the signature is for, or null for a call that carries a key. */
    AwsScope awsScope() {
        return awsScope;
    }

    /** Region and service of an AWS signature. */
    record AwsScope(String region, String service) {}

    /** The body itself, for the frame that submits it. */
    byte[] bodyBytes() {
        return body;
    }

    /** The call parameters that the request was built with; reading the answer needs them. */
    Map<String, Object> parameters() {
        return parameters;
    }

    @Override
    public String toString() {
        return "HttpCall[" + method + " " + url.getScheme() + "://" + url.getHost() + url.getPath() + ", " + body.length
                + " bytes]";
    }
}
