package io.github.flinkagentsnative;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a library says about itself in the format of Linux: its architecture, as classifiers name it, and the libraries that it
 * needs.
 */
record ElfFile(String architecture, List<String> needed) {

    private static final int HEADER_BYTES = 64;
    private static final int LOADED_SEGMENT = 1;
    private static final int DYNAMIC_SEGMENT = 2;
    private static final long TAG_END = 0;
    private static final long TAG_NEEDED = 1;
    private static final long TAG_STRINGS = 5;

    /**
     * Reads it.
     *
     * @throws LoadError if the file is cut short. The linker would map it without complaint, and the first touch of a missing
     *     page would kill the JVM (SIGBUS)
     */
    static ElfFile read(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            throw new LoadError(LinkFailure.TRUNCATED, bytes.length + " bytes");
        }
        ByteBuffer elf = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes[4] != 2 || bytes[5] != 1) {
            return new ElfFile(bytes[4] != 2 ? "32 bit" : "big endian", List.of());
        }
        try {
            checkLength(bytes.length, elf);
            return new ElfFile(machine(elf.getShort(18)), needed(elf));
        } catch (IndexOutOfBoundsException | ArithmeticException e) {
            throw new LoadError(LinkFailure.TRUNCATED, "its tables point outside of its " + bytes.length + " bytes");
        }
    }

    /** Whether it is built for musl; null when it needs no libc that tells. */
    Boolean musl() {
        // Alpine's own tools write the first name, others the second.
        if (needed.stream().anyMatch(name -> name.startsWith("libc.musl-") || name.equals("libc.so"))) {
            return true;
        }
        return needed.contains("libc.so.6") ? false : null;
    }

    private static String machine(short machine) {
        return switch (machine) {
            case 62 -> "x86_64";
            case 183 -> "aarch_64";
            default -> "ELF machine " + machine;
        };
    }

    /** The section headers come last in a file; a library without them still has its segments. */
    private static void checkLength(long length, ByteBuffer elf) {
        long end = Math.addExact(elf.getLong(40), (long) elf.getShort(58) * elf.getShort(60));
        if (length >= end) {
            for (int segment : segments(elf)) {
                end = Math.max(end, Math.addExact(elf.getLong(segment + 8), elf.getLong(segment + 32)));
            }
        }
        if (length < end) {
            throw new LoadError(LinkFailure.TRUNCATED, length + " of " + end + " bytes");
        }
    }

    private static List<Integer> segments(ByteBuffer elf) {
        List<Integer> offsets = new ArrayList<>();
        int table = Math.toIntExact(elf.getLong(32));
        for (int i = 0; i < elf.getShort(56); i++) {
            offsets.add(Math.addExact(table, i * elf.getShort(54)));
        }
        return offsets;
    }

    private static List<String> needed(ByteBuffer elf) {
        List<Integer> segments = segments(elf);
        List<Long> names = new ArrayList<>();
        int strings = 0;
        for (int segment : segments) {
            if (elf.getInt(segment) != DYNAMIC_SEGMENT) {
                continue;
            }
            int table = Math.toIntExact(elf.getLong(segment + 8));
            for (int entry = table; elf.getLong(entry) != TAG_END; entry += 16) {
                if (elf.getLong(entry) == TAG_NEEDED) {
                    names.add(elf.getLong(entry + 8));
                } else if (elf.getLong(entry) == TAG_STRINGS) {
                    strings = offset(elf, segments, elf.getLong(entry + 8));
                }
            }
        }
        List<String> needed = new ArrayList<>();
        for (long name : names) {
            needed.add(text(elf, Math.toIntExact(strings + name)));
        }
        return needed;
    }

    /** Where in the file an address of the loaded library lies. */
    private static int offset(ByteBuffer elf, List<Integer> segments, long address) {
        for (int segment : segments) {
            long start = elf.getLong(segment + 16);
            if (elf.getInt(segment) == LOADED_SEGMENT
                    && address >= start
                    && address < start + elf.getLong(segment + 32)) {
                return Math.toIntExact(address - start + elf.getLong(segment + 8));
            }
        }
        throw new IndexOutOfBoundsException();
    }

    private static String text(ByteBuffer elf, int start) {
        int end = start;
        while (elf.get(end) != 0) {
            end++;
        }
        return new String(elf.array(), start, end - start, StandardCharsets.UTF_8);
    }
}
