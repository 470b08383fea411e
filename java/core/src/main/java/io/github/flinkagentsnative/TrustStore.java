package io.github.flinkagentsnative;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** The certificates that this JVM trusts: those of {@code javax.net.ssl.trustStore}, else its own. */
final class TrustStore {

    private static final String PROPERTY = "javax.net.ssl.trustStore";

    private TrustStore() {}

    /**
     * The certificates in DER form; empty when the JVM has none, as in some minimal images.
     *
     * @throws ChatConfigurationException if {@code javax.net.ssl.trustStore} is set but gives none
     */
    static List<byte[]> certificates() {
        String chosen = System.getProperty(PROPERTY, "");
        boolean isChosen = !chosen.isBlank() && !chosen.equals("NONE");
        if (isChosen && !Files.isReadable(Path.of(chosen))) {
            // The JVM would fall back to its own certificates in silence, which may be more than the user wants to
            // trust.
            throw unusable(chosen, "cannot be read", null);
        }
        List<byte[]> certificates = new ArrayList<>();
        GeneralSecurityException unreadable = null;
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509TrustManager x509) {
                    for (X509Certificate certificate : x509.getAcceptedIssuers()) {
                        certificates.add(certificate.getEncoded());
                    }
                }
            }
        } catch (GeneralSecurityException e) {
            unreadable = e;
        }
        if (isChosen && certificates.isEmpty()) {
            throw unusable(chosen, "gives no certificate", unreadable);
        }
        return certificates;
    }

    private static ChatConfigurationException unusable(String chosen, String why, GeneralSecurityException cause) {
        return new ChatConfigurationException(
                "System property '" + PROPERTY + "' names " + chosen + ", which " + why
                        + (cause == null ? "" : " (" + cause.getMessage() + ")")
                        + "; correct it, or set caFile to a PEM file",
                cause);
    }
}
