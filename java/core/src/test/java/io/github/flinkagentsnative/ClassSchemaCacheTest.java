package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ClassSchemaCacheTest {

    /** Loaded by throw-away loaders, too. */
    public record Order(String id, List<Item> items, Kind kind) {}

    public record Item(String name, int count) {}

    public enum Kind {
        NEW,
        OLD
    }

    public static final class Holder {
        public List<Order> orders;
    }

    @Test
    void b074_a_schema_does_not_keep_the_class_loader_of_a_job_alive() throws Exception {
        WeakReference<ClassLoader> job = useAndForget();
        for (int i = 0; i < 100 && job.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(job.get()).isNull();
    }

    private static WeakReference<ClassLoader> useAndForget() throws Exception {
        try (JobClassLoader loader = new JobClassLoader(
                Order.class.getProtectionDomain().getCodeSource().getLocation())) {
            Class<?> order = loader.loadClass(Order.class.getName());
            assertThat(order).isNotSameAs(Order.class);
            OutputSchema<?> schema = OutputSchema.of(order);
            Object value =
                    schema.read(answer("{\"id\":\"a\",\"items\":[{\"name\":\"x\",\"count\":1}],\"kind\":\"OLD\"}"));
            assertThat(value).isInstanceOf(order).hasToString("Order[id=a, items=[Item[name=x, count=1]], kind=OLD]");
            OutputSchema<?> list = OutputSchema.ofType(
                    loader.loadClass(Holder.class.getName()).getField("orders").getGenericType());
            assertThat((List<?>) list.read(answer("[]"))).isEmpty();
            return new WeakReference<>(loader);
        }
    }

    private static Answer answer(String json) {
        return new Answer(json.getBytes(StandardCharsets.UTF_8), null);
    }

    /** Loads the classes of this test itself, everything else as usual: a job on a cluster that has the library in {@code lib/}. */
    private static final class JobClassLoader extends URLClassLoader {
        JobClassLoader(URL classes) {
            super(new URL[] {classes}, ClassSchemaCacheTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(ClassSchemaCacheTest.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            return known != null ? known : findClass(name);
        }
    }

    @Test
    void b075_all_threads_get_the_same_schema() throws Exception {
        List<Class<?>> types = List.of(Order.class, Item.class, Kind.class, Holder.class);
        Set<Object> schemas = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newFixedThreadPool(64);
        try (JobClassLoader loader = new JobClassLoader(
                Order.class.getProtectionDomain().getCodeSource().getLocation())) {
            List<Class<?>> fresh = new ArrayList<>();
            for (Class<?> type : types) {
                fresh.add(loader.loadClass(type.getName()));
            }
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 64; thread++) {
                done.add(threads.submit(() -> {
                    start.await();
                    for (int round = 0; round < 200; round++) {
                        schemas.add(OutputSchema.of(fresh.get(round % fresh.size())));
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> thread : done) {
                thread.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(schemas).hasSameSizeAs(types);
    }

    @Test
    void without_victools_and_jackson_only_classes_fail_and_the_message_says_what_to_add() throws Exception {
        URL main = OutputSchema.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader bare = new URLClassLoader(new URL[] {main}, ClassLoader.getPlatformClassLoader())) {
            Class<?> schema = bare.loadClass(OutputSchema.class.getName());
            assertThat(schema.getMethod("ofJsonSchema", String.class).invoke(null, "{}"))
                    .isNotNull();
            assertThatThrownBy(() -> schema.getMethod("of", Class.class).invoke(null, String.class))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("com.github.victools:jsonschema-generator")
                    .hasMessageContaining("com.fasterxml.jackson.core:jackson-databind");
        }
    }
}
