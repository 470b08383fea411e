package io.github.flinkagentsnative;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Map;

/** A class loader of its own kind: classes and resources come as streams, and what a URL gives depends on the kind. */
final class StrangeLoader extends ClassLoader {

    /** What becomes of the library's URL and stream. */
    private record Kind(boolean hasUrl, boolean urlOpens, boolean streamLives) {}

    private static final Map<String, Kind> KINDS = Map.of(
            "streams only", new Kind(false, false, true),
            "url that cannot be opened", new Kind(true, false, true),
            "url that dies in the middle", new Kind(true, true, true),
            "everything dies", new Kind(true, true, false));

    private final Kind kind;

    private StrangeLoader(Kind kind) {
        super(ClassLoader.getPlatformClassLoader());
        this.kind = kind;
    }

    /** Loads the library through a loader of this kind and prints what came of it. */
    static void load(String kind) throws ReflectiveOperationException {
        LibraryPrograms.call(new StrangeLoader(KINDS.get(kind)), "printOriginOrFailure");
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = getSystemResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        return kind.streamLives() ? getSystemResourceAsStream(name) : dying();
    }

    @Override
    public URL getResource(String name) {
        if (!kind.hasUrl()) {
            return null;
        }
        URLStreamHandler handler = new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) throws IOException {
                if (!kind.urlOpens()) {
                    throw new IOException("nested jars have no connection");
                }
                return new URLConnection(url) {
                    @Override
                    public void connect() {}

                    @Override
                    public InputStream getInputStream() {
                        return dying();
                    }
                };
            }
        };
        try {
            return new URL("nested", "", -1, "/app.jar/!BOOT-INF/lib/native.jar!/" + name, handler);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InputStream dying() {
        return new SequenceInputStream(new ByteArrayInputStream(new byte[1000]), new InputStream() {
            @Override
            public int read() {
                throw new IllegalStateException("zip file closed");
            }
        });
    }
}
