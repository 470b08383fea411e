package io.github.flinkagentsnative;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Programs that the loader's tests run in child JVMs. Each prints what happened. */
final class LibraryPrograms {

    private LibraryPrograms() {}

    static void printOrigin() {
        NativeLibrary.load();
        System.out.println("origin: " + NativeLibrary.origin().orElse("none"));
        System.out.println("version: "
                + NativeErrors.resultUnchecked(Native.handshake(Frames.pack(Map.of())))
                        .get("version"));
    }

    /** Loads and says from where. */
    static final class Load {
        public static void main(String[] args) {
            printOrigin();
        }
    }

    /** The application loads the library first. */
    static final class LoadByApplication {
        public static void main(String[] args) {
            System.loadLibrary("flink_agents_native");
            printOrigin();
        }
    }

    /** A task that is being cancelled loads. */
    static final class LoadWhileInterrupted {
        public static void main(String[] args) {
            Thread.currentThread().interrupt();
            printOrigin();
            System.out.println("interrupted: " + Thread.interrupted());
        }
    }

    /** 16 threads load at once. */
    static final class LoadFromManyThreads {
        public static void main(String[] args) throws Exception {
            ExecutorService threads = Executors.newFixedThreadPool(16);
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> loads = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                loads.add(threads.submit(() -> {
                    start.await();
                    NativeLibrary.load();
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> load : loads) {
                load.get();
            }
            threads.shutdown();
            printOrigin();
            System.out.println("mapped copies: " + mappedCopies());
        }
    }

    /** Fails, then fails again; then the application loads the library itself. */
    static final class FailTwice {
        public static void main(String[] args) {
            UnsatisfiedLinkError first = fail();
            UnsatisfiedLinkError second = fail();
            System.out.println("first: " + first.getMessage());
            System.out.println("second is new: " + (second != first));
            System.out.println("second has the first as cause: " + (second.getCause() == first));
            System.out.println("same message: " + second.getMessage().equals(first.getMessage()));
            System.out.println("loaded: " + NativeLibrary.isLoaded());
            if (args.length > 0) {
                System.load(args[0]);
                printOrigin();
            }
        }

        private static UnsatisfiedLinkError fail() {
            try {
                NativeLibrary.load();
            } catch (UnsatisfiedLinkError e) {
                return e;
            }
            throw new IllegalStateException("loaded from " + NativeLibrary.origin());
        }
    }

    /** Two jobs, each with a class loader of its own, at the same time; the second goes on when the first is gone. */
    static final class TwoLoaders {
        public static void main(String[] args) throws Exception {
            try (IsolatedLoader first = new IsolatedLoader();
                    IsolatedLoader second = new IsolatedLoader()) {
                first.printOrigin();
                second.printOrigin();
                first.printOrigin();
            }
        }
    }

    /** Loads classes whose package was renamed, as a shading tool does it. */
    static final class Relocated {
        public static void main(String[] args) throws Exception {
            ClassLoader relocating = new ClassLoader(Relocated.class.getClassLoader()) {
                @Override
                protected Class<?> findClass(String name) throws ClassNotFoundException {
                    String original = name.replace("xx.github", "io.github").replace('.', '/') + ".class";
                    try (InputStream in = getParent().getResourceAsStream(original)) {
                        if (in == null || !name.startsWith("xx.github")) {
                            throw new ClassNotFoundException(name);
                        }
                        // Names of the same length, so that replacing bytes leaves valid class files.
                        byte[] renamed = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
                                .replace("io/github/flinkagentsnative", "xx/github/flinkagentsnative")
                                .replace("io.github.flinkagentsnative", "xx.github.flinkagentsnative")
                                .getBytes(StandardCharsets.ISO_8859_1);
                        return defineClass(name, renamed, 0, renamed.length);
                    } catch (IOException e) {
                        throw new ClassNotFoundException(name, e);
                    }
                }
            };
            try {
                relocating
                        .loadClass("xx.github.flinkagentsnative.NativeLibrary")
                        .getMethod("load")
                        .invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(e.getCause());
            }
        }
    }

    /** A class loader that shares nothing with the application's, as a Flink job has one. */
    static final class IsolatedLoader extends URLClassLoader {
        IsolatedLoader() throws MalformedURLException {
            super(urls(), ClassLoader.getPlatformClassLoader());
        }

        void printOrigin() throws ReflectiveOperationException {
            var print =
                    Class.forName(LibraryPrograms.class.getName(), true, this).getDeclaredMethod("printOrigin");
            print.setAccessible(true);
            print.invoke(null);
        }

        private static URL[] urls() throws MalformedURLException {
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }
    }

    static long mappedCopies() throws IOException {
        try (Stream<String> maps = java.nio.file.Files.lines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            return maps.filter(line -> line.contains("flink_agents_native"))
                    .map(line -> line.replaceAll("^.*?(/.*)$", "$1"))
                    .distinct()
                    .count();
        }
    }
}
