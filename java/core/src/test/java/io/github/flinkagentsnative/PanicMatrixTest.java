package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A panic of each sort at each native function: its text, file and line arrive, and the next call works. */
class PanicMatrixTest {

    @Test
    void a_panic_at_any_entry_point_is_an_exception_and_the_next_call_works() throws Exception {
        var result = ChildJvm.running(Matrix.class)
                .property(NativeLibrary.PATH_PROPERTY, ChildJvm.probeLibrary())
                .run()
                .assertClean();
        long natives = Stream.of(Native.class.getDeclaredMethods())
                .filter(method -> Modifier.isNative(method.getModifiers()))
                .count();
        assertThat(result.out()).contains("panics: " + natives * Matrix.TEXTS.size());
    }

    @Test
    void null_empty_and_hostile_frames_have_defined_results_at_each_entry_point() throws Exception {
        ChildJvm.running(HostileFrames.class).run().assertClean();
    }

    /** Provokes every panic at every native function. */
    static final class Matrix {

        /** What each sort of panic says, in the order of the probe's numbers. */
        static final Map<String, String> TEXTS = new LinkedHashMap<>();

        static {
            TEXTS.put("literal", "probe: a literal text");
            TEXTS.put("formatted", "probe: formatted 42 \uD83D\uDE00 \u0000");
            TEXTS.put("index", "index out of bounds: the len is 3 but the index is 7");
            TEXTS.put("unwrap", "called `Option::unwrap()` on a `None` value");
            TEXTS.put("non_string", "a panic whose payload is no text");
            TEXTS.put("drop", "probe: raised by a destructor");
            TEXTS.put("payload_drop", "a panic whose payload is no text");
            TEXTS.put("overflow_arithmetic", "attempt to divide with overflow");
            TEXTS.put("long_text", "probe: " + "x".repeat(100_000));
        }

        public static void main(String[] args) throws Exception {
            NativeLibrary.load();
            int panics = 0;
            List<String> kinds = List.copyOf(TEXTS.keySet());
            for (Method method : Native.class.getDeclaredMethods()) {
                if (!Modifier.isNative(method.getModifiers())) {
                    continue;
                }
                for (int kind = 0; kind < kinds.size(); kind++) {
                    String name = kinds.get(kind);
                    Throwable thrown = call(method, probe(method, name, kind));
                    String text = String.valueOf(thrown == null ? null : thrown.getMessage());
                    if (!(thrown instanceof IllegalStateException)
                            || !text.contains(TEXTS.get(name))
                            || !text.matches("(?s).* at .*\\.rs:\\d+.*")) {
                        throw new AssertionError(method.getName() + ", " + name + ": " + thrown);
                    }
                    NativeErrors.resultUnchecked(Native.handshake(Frames.pack(Map.of())));
                    panics++;
                }
            }
            System.out.println("panics: " + panics);
        }

        private static Object[] probe(Method method, String name, int kind) {
            byte[] text = name.getBytes(StandardCharsets.US_ASCII);
            byte[] frame = new byte[text.length + 1];
            frame[0] = (byte) 0xc1;
            System.arraycopy(text, 0, frame, 1, text.length);
            boolean takesFrame = Arrays.asList(method.getParameterTypes()).contains(byte[].class);
            return Stream.of(method.getParameterTypes())
                    .map(type -> type == byte[].class ? frame : (Object) (takesFrame ? 0L : Long.MIN_VALUE + kind))
                    .toArray();
        }
    }

    /** Frames that this library never writes. */
    static final class HostileFrames {
        public static void main(String[] args) throws Exception {
            NativeLibrary.load();
            byte[] deep = new byte[100_000];
            Arrays.fill(deep, (byte) 0x91);
            byte[] huge = {(byte) 0xdf, -1, -1, -1, -1};
            byte[] tooLarge = new byte[Frames.MAX_FRAME_BYTES + 1];
            List<byte[]> frames =
                    List.of(new byte[0], new byte[] {(byte) 0xc0}, new byte[] {(byte) 0xc1}, deep, huge, tooLarge);
            for (Method method : Native.class.getDeclaredMethods()) {
                if (!Modifier.isNative(method.getModifiers())
                        || !Arrays.asList(method.getParameterTypes()).contains(byte[].class)) {
                    continue;
                }
                expect(NullPointerException.class, "`frame`", method, null);
                for (byte[] frame : frames) {
                    expect(IllegalStateException.class, "", method, frame);
                }
            }
        }

        private static void expect(Class<?> type, String text, Method method, byte[] frame) throws Exception {
            Object[] arguments = Stream.of(method.getParameterTypes())
                    .map(parameter -> parameter == byte[].class ? frame : (Object) 0L)
                    .toArray();
            Throwable thrown = call(method, arguments);
            if (!type.isInstance(thrown) || !thrown.getMessage().contains(text)) {
                throw new AssertionError(method.getName() + " with "
                        + (frame == null ? "null" : frame.length + " bytes") + ": " + thrown);
            }
        }
    }

    /** What the native function throws, or what its answer becomes; null for a result. */
    private static Throwable call(Method method, Object[] arguments) throws IllegalAccessException {
        method.setAccessible(true);
        try {
            NativeErrors.result((byte[]) method.invoke(null, arguments));
            return null;
        } catch (java.lang.reflect.InvocationTargetException e) {
            return e.getCause();
        } catch (ChatModelException | RuntimeException e) {
            return e;
        }
    }
}
