package io.github.flinkagentsnative.oracle;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** The AWS SDK's signer, at a clock of one's own. */
final class AwsSigner {
    private AwsSigner() {}

    /** Keys as AWS gives them; the token may be null. */
    record Keys(String accessKeyId, String secretAccessKey, String sessionToken) {}

    /** The headers of the signed request: those that were given, and the signer's own. */
    static SdkHttpRequest sign(
            URI url, Map<String, String> headers, byte[] body, Keys keys, String region, Instant now) {
        SdkHttpFullRequest.Builder request =
                SdkHttpFullRequest.builder().method(SdkHttpMethod.POST).uri(url);
        headers.forEach(request::putHeader);
        AwsCredentialsIdentity identity = keys.sessionToken() == null
                ? AwsCredentialsIdentity.create(keys.accessKeyId(), keys.secretAccessKey())
                : AwsSessionCredentialsIdentity.create(keys.accessKeyId(), keys.secretAccessKey(), keys.sessionToken());
        return AwsV4HttpSigner.create()
                .sign(signing -> signing.identity(identity)
                        .request(request.build())
                        .payload(() -> new ByteArrayInputStream(body))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "bedrock")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                        .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(now, ZoneOffset.UTC)))
                .request();
    }
}
