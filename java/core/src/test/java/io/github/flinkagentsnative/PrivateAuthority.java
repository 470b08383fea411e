package io.github.flinkagentsnative;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate authority that nobody knows, and a server certificate of it for {@code localhost}, made with the JDK's keytool. */
record PrivateAuthority(Path pem, Path trustStore, Path serverStore) {

    static final String PASSWORD = "changeit";

    static PrivateAuthority in(Path folder) throws Exception {
        Path authority = folder.resolve("authority.p12");
        Path server = folder.resolve("server.p12");
        Path pem = folder.resolve("authority.pem");
        Path request = folder.resolve("server.csr");
        Path certificate = folder.resolve("server.pem");
        Path trust = folder.resolve("trust.p12");
        keytool(
                authority,
                "-genkeypair",
                "-alias",
                "ca",
                "-keyalg",
                "EC",
                "-dname",
                "CN=Private Authority",
                "-ext",
                "bc:c",
                "-ext",
                "ku:c=keyCertSign");
        keytool(authority, "-exportcert", "-alias", "ca", "-rfc", "-file", pem.toString());
        keytool(server, "-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=localhost");
        keytool(server, "-certreq", "-alias", "server", "-file", request.toString());
        keytool(
                authority,
                "-gencert",
                "-alias",
                "ca",
                "-rfc",
                "-infile",
                request.toString(),
                "-outfile",
                certificate.toString(),
                "-ext",
                "san=dns:localhost,ip:127.0.0.1");
        keytool(server, "-importcert", "-noprompt", "-alias", "ca", "-file", pem.toString());
        keytool(server, "-importcert", "-noprompt", "-alias", "server", "-file", certificate.toString());
        keytool(trust, "-importcert", "-noprompt", "-alias", "ca", "-file", pem.toString());
        return new PrivateAuthority(pem, trust, server);
    }

    private static void keytool(Path store, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException("keytool " + arguments[0] + ": " + output);
        }
    }

    SSLContext serverContext() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(serverStore)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
