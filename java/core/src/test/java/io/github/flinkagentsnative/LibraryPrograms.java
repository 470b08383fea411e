package io.github.flinkagentsnative;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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
            List<Future<Throwable>> loads = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                loads.add(threads.submit(() -> {
                    start.await();
                    try {
                        NativeLibrary.load();
                        return null;
                    } catch (UnsatisfiedLinkError e) {
                        return e;
                    }
                }));
            }
            start.countDown();
            List<Throwable> failures = new ArrayList<>();
            for (Future<Throwable> load : loads) {
                if (load.get() != null) {
                    failures.add(load.get());
                }
            }
            threads.shutdown();
            System.out.println("loaded: " + (16 - failures.size()));
            System.out.println("failed: " + failures.size());
            // The others have it as their cause.
            System.out.println("first failures: "
                    + failures.stream()
                            .map(failure -> failures.contains(failure.getCause()) ? failure.getCause() : failure)
                            .distinct()
                            .count());
            System.out.println("mapped copies: " + mappedCopies());
        }
    }

    /** Loads and stays until it is killed. */
    static final class LoadAndStay {
        public static void main(String[] args) throws Exception {
            printOrigin();
            Thread.sleep(60_000);
        }
    }

    /** Makes a copy and stays in the middle of it. */
    static final class CopyAndStay {
        public static void main(String[] args) throws Exception {
            CopyFolder folder = CopyFolder.in(Path.of(args[0]));
            System.out.println("copied to " + folder.write(new byte[1000]));
            Thread.sleep(60_000);
        }
    }

    /** Makes and removes copies, so that it is killed at any moment of that. */
    static final class CopyForEver {
        public static void main(String[] args) throws Exception {
            byte[] library = new byte[1_000_000];
            System.out.println("copying");
            while (true) {
                try (CopyFolder folder = CopyFolder.in(Path.of(args[0]))) {
                    folder.write(library);
                }
            }
        }
    }

    /** One class loader has an old copy open while another one sweeps. */
    static final class CopyInTwoLoaders {
        public static void main(String[] args) throws Exception {
            Path parent = Path.of(args[0]);
            try (CopyFolder folder = CopyFolder.in(parent);
                    IsolatedLoader other = new IsolatedLoader()) {
                Path copy = folder.write(new byte[1000]);
                Files.setLastModifiedTime(
                        copy.getParent(), FileTime.from(Instant.now().minusSeconds(7200)));
                other.call("sweep", parent.toString());
                System.out.println("kept: " + Files.exists(copy));
                String inode = ":" + Files.getAttribute(copy.resolveSibling("lock"), "unix:ino") + " ";
                System.out.println("still locked: "
                        + Files.readString(Path.of("/proc/locks")).contains(inode));
            }
        }
    }

    static void sweep(String parent) {
        CopyFolder.sweep(Path.of(parent));
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

    /** The application has loaded a library that is not of our version. */
    static final class FailAfterLoadByApplication {
        public static void main(String[] args) {
            System.loadLibrary("flink_agents_native");
            try {
                NativeLibrary.load();
            } catch (UnsatisfiedLinkError e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** The application loads one file in two class loaders by itself. */
    static final class OneFileInTwoLoaders {
        public static void main(String[] args) throws Exception {
            System.load(args[0]);
            try (IsolatedLoader other = new IsolatedLoader()) {
                other.call("loadFile", args[0]);
            } catch (InvocationTargetException e) {
                System.out.println("second: " + LinkFailure.of(e.getCause()));
            }
        }
    }

    static void loadFile(String file) {
        System.load(file);
    }

    /** What a failure in words that nobody knows is taken for, in this folder. */
    static final class ExplainUnknownFailure {
        public static void main(String[] args) {
            UnsatisfiedLinkError translated =
                    new UnsatisfiedLinkError("Zuordnen eines Segments aus gemeinsam genutztem Objekt nicht möglich");
            System.out.println(
                    LibraryCopy.explained(translated, Path.of(args[0])).failure());
        }
    }

    /** Two jobs, each with a class loader of its own, at the same time. */
    static final class TwoLoaders {
        public static void main(String[] args) throws Exception {
            try (IsolatedLoader first = new IsolatedLoader();
                    IsolatedLoader second = new IsolatedLoader()) {
                first.call("printOrigin");
                second.call("printOrigin");
                first.call("printOrigin");
            }
        }
    }

    /** Two jobs work; one of them ends, and its class loader and its copy of the library with it. */
    static final class DropOneLoader {
        public static void main(String[] args) throws Exception {
            Job staying = new Job();
            Job going = new Job();
            staying.awaitCalls(100);
            going.awaitCalls(100);
            System.out.println("copies while both work: " + mappedCopies());
            going.end();
            long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (mappedCopies() > 1 && System.nanoTime() < patience) {
                System.gc();
                Thread.sleep(20);
            }
            System.out.println("copies when one is gone: " + mappedCopies());
            staying.awaitCalls(1000);
            staying.end();
            System.out.println("the other worked on: true");
        }

        /** Calls the library in a class loader and on a thread of its own. */
        private static final class Job {
            private final AtomicLong calls = new AtomicLong();
            private final AtomicBoolean stop = new AtomicBoolean();
            private final CompletableFuture<Void> end =
                    CompletableFuture.runAsync(this::run, job -> new Thread(job).start());

            private void run() {
                try (IsolatedLoader loader = new IsolatedLoader()) {
                    loader.call("workUntil", calls, stop);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }

            void awaitCalls(long more) throws InterruptedException {
                long enough = calls.get() + more;
                while (calls.get() < enough && !end.isDone()) {
                    Thread.sleep(5);
                }
            }

            void end() throws Exception {
                stop.set(true);
                end.get();
            }
        }
    }

    static void workUntil(AtomicLong calls, AtomicBoolean stop) throws Exception {
        ChatModel model = ChatModel.builder(Provider.OPENAI)
                .model("gpt-4o")
                .apiKey("sk-test")
                .build();
        OutputSchema<Object> schema = OutputSchema.ofJsonSchema(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]}");
        ChatRequest request = ChatRequest.of(ChatMessage.user("hi"));
        while (!stop.get()) {
            model.buildRequest(request, schema);
            calls.incrementAndGet();
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
            } catch (InvocationTargetException e) {
                System.out.println(e.getCause());
            }
        }
    }

    /** Loads through a class loader that gives the library in its own way. */
    static final class LoadThroughStrangeLoader {
        public static void main(String[] args) throws Exception {
            StrangeLoader.load(args[0]);
        }
    }

    /** Loads the library from a jar, in five class loaders. */
    static final class LoadFromJar {
        public static void main(String[] args) throws Exception {
            Path jar = Path.of(args[0]);
            AtomicBoolean closing = new AtomicBoolean(!args[1].isEmpty());
            Thread closer = new Thread(() -> closeCached(jar, closing));
            closer.start();
            for (int i = 0; i < 5; i++) {
                try (IsolatedLoader loader = new IsolatedLoader(jar)) {
                    loader.call("printOriginOrFailure");
                }
            }
            closing.set(false);
            closer.join();
        }

        private static void closeCached(Path jar, AtomicBoolean closing) {
            while (closing.get()) {
                try {
                    URL url = new URL("jar:" + jar.toUri() + "!/");
                    ((JarURLConnection) url.openConnection()).getJarFile().close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    static void printOriginOrFailure() {
        try {
            printOrigin();
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
    }

    /** A class loader that shares nothing with the application's, as a Flink job has one. */
    static final class IsolatedLoader extends URLClassLoader {
        IsolatedLoader() throws MalformedURLException {
            super(urls(ChildJvm.classPath(true)), ClassLoader.getPlatformClassLoader());
        }

        /** With the library in this jar. */
        IsolatedLoader(Path jar) throws MalformedURLException {
            super(urls(jar + File.pathSeparator + ChildJvm.classPath(false)), ClassLoader.getPlatformClassLoader());
        }

        void call(String method, Object... arguments) throws ReflectiveOperationException {
            LibraryPrograms.call(this, method, arguments);
        }

        private static URL[] urls(String classPath) throws MalformedURLException {
            List<URL> urls = new ArrayList<>();
            for (String entry : classPath.split(File.pathSeparator)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }
    }

    /** Calls a method of this class as the given loader has it. */
    static void call(ClassLoader loader, String method, Object... arguments) throws ReflectiveOperationException {
        Class<?> programs = Class.forName(LibraryPrograms.class.getName(), true, loader);
        for (Method candidate : programs.getDeclaredMethods()) {
            if (candidate.getName().equals(method)) {
                candidate.setAccessible(true);
                candidate.invoke(null, arguments);
                return;
            }
        }
        throw new NoSuchMethodException(method);
    }

    static long mappedCopies() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            return maps.filter(line -> line.contains("flink_agents_native"))
                    .map(line -> line.replaceAll("^.*?(/.*)$", "$1"))
                    .distinct()
                    .count();
        }
    }
}
