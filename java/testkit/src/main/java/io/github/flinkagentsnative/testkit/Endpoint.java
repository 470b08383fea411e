package io.github.flinkagentsnative.testkit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which service a path belongs to.
 *
 * @param kind the service
 * @param deployment the Azure deployment of a path that names one, else empty
 */
record Endpoint(Kind kind, String deployment) {
    enum Kind {
        OPENAI,
        OPENAI_RESPONSES,
        AZURE_DEPLOYMENT,
        AZURE_V1,
        AZURE_V1_RESPONSES,
        UNKNOWN
    }

    private static final Pattern AZURE_DEPLOYMENT = Pattern.compile("/openai/deployments/([^/]+)/chat/completions");

    static Endpoint of(String path) {
        if (path.equals("/v1/chat/completions")) {
            return new Endpoint(Kind.OPENAI, "");
        }
        if (path.equals("/openai/v1/chat/completions")) {
            return new Endpoint(Kind.AZURE_V1, "");
        }
        if (path.equals("/v1/responses")) {
            return new Endpoint(Kind.OPENAI_RESPONSES, "");
        }
        if (path.equals("/openai/v1/responses")) {
            return new Endpoint(Kind.AZURE_V1_RESPONSES, "");
        }
        Matcher deployment = AZURE_DEPLOYMENT.matcher(path);
        return deployment.matches()
                ? new Endpoint(Kind.AZURE_DEPLOYMENT, deployment.group(1))
                : new Endpoint(Kind.UNKNOWN, "");
    }

    boolean azure() {
        return kind == Kind.AZURE_DEPLOYMENT || kind == Kind.AZURE_V1 || kind == Kind.AZURE_V1_RESPONSES;
    }

    /** Whether it speaks Responses, else Chat Completions. */
    boolean responses() {
        return kind == Kind.OPENAI_RESPONSES || kind == Kind.AZURE_V1_RESPONSES;
    }
}
