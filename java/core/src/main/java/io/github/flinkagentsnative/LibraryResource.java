package io.github.flinkagentsnative;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;

/**
 * The library in the jar, read whole. A redeploy of another job may close a jar file that class loaders share while it is read, and
 * a class loader of its own kind may have no URL for it: so there are two ways to it.
 */
final class LibraryResource {

    /** Below the package, so that no other jar's resource has the name. */
    private final String name;

    /** The checksum that the jar holds; negative when nothing said it. */
    private long checksum = -1;

    LibraryResource(String nameInPackage) {
        this.name = "io/github/flinkagentsnative/" + nameInPackage;
    }

    String name() {
        return name;
    }

    /**
     * Its bytes.
     *
     * @throws LoadError if it is not there, or cannot be read whole
     */
    byte[] read() {
        List<Exception> failures = new ArrayList<>();
        for (Way way : List.<Way>of(this::throughUrl, this::throughClassLoader)) {
            try {
                byte[] bytes = way.read();
                if (bytes != null) {
                    return bytes;
                }
            } catch (IOException | RuntimeException e) { // a closed jar file is an IllegalStateException
                failures.add(e);
            }
        }
        if (failures.isEmpty()) {
            throw new LoadError(LinkFailure.NO_JAR, "resource " + name);
        }
        LoadError damaged = new LoadError(LinkFailure.DAMAGED_JAR, failures.get(0));
        failures.stream().skip(1).forEach(damaged::addSuppressed);
        throw damaged;
    }

    /** Gives the bytes, or null when there is no such resource. */
    private interface Way {
        byte[] read() throws IOException;
    }

    private byte[] throughUrl() throws IOException {
        ClassLoader loader = LibraryResource.class.getClassLoader();
        // Not Class.getResource: on the module path that one looks into this module alone.
        URL url = loader == null ? ClassLoader.getSystemResource(name) : loader.getResource(name);
        if (url == null) {
            return null;
        }
        URLConnection connection = url.openConnection();
        // A cached connection shares its jar file with others, who may close it.
        connection.setUseCaches(false);
        try (InputStream in = connection.getInputStream()) {
            if (connection instanceof JarURLConnection jar) {
                JarEntry entry = jar.getJarEntry();
                checksum = entry == null ? -1 : entry.getCrc();
            }
            return verified(in.readAllBytes());
        }
    }

    private byte[] throughClassLoader() throws IOException {
        ClassLoader loader = LibraryResource.class.getClassLoader();
        try (InputStream in =
                loader == null ? ClassLoader.getSystemResourceAsStream(name) : loader.getResourceAsStream(name)) {
            return in == null ? null : verified(in.readAllBytes());
        }
    }

    /** The JDK compares no checksum when it reads from a jar file, and a damaged library would crash the JVM at some time. */
    private byte[] verified(byte[] bytes) throws IOException {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        if (checksum >= 0 && checksum != crc.getValue()) {
            throw new IOException(String.format(
                    "%d bytes have the checksum %08x, but the jar says %08x", bytes.length, crc.getValue(), checksum));
        }
        return bytes;
    }
}
