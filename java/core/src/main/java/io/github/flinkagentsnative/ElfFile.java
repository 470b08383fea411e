package io.github.flinkagentsnative;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * A look at a Linux library before the linker gets it. The linker maps a file that was cut short without complaint, and the first
 * touch of a missing page kills the JVM (SIGBUS).
 */
final class ElfFile {

    private static final int HEADER_BYTES = 64;

    private ElfFile() {}

    /** What is wrong with the library for this architecture, or null. */
    static String problem(Path library, String architecture) throws IOException {
        byte[] header = new byte[HEADER_BYTES];
        long length;
        try (RandomAccessFile file = new RandomAccessFile(library.toFile(), "r")) {
            length = file.length();
            if (length < HEADER_BYTES) {
                return "the file is cut short (" + length + " bytes); download or copy it again";
            }
            file.readFully(header);
        }
        ByteBuffer elf = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        if (elf.order(ByteOrder.BIG_ENDIAN).getInt(0) != 0x7f454c46) {
            return "the file is no Linux library (no ELF header); download or copy it again";
        }
        elf.order(ByteOrder.LITTLE_ENDIAN);
        String built = machine(header[4], elf.getShort(18));
        if (!built.equals(architecture)) {
            return "the library is built for another processor (" + built + ", this JVM runs on " + architecture
                    + "); use the dependency whose classifier matches this JVM";
        }
        // The section headers come last in a file.
        long end = elf.getLong(40) + (long) elf.getShort(58) * elf.getShort(60);
        if (length < end) {
            return "the file is cut short (" + length + " of " + end + " bytes); download or copy it again";
        }
        return null;
    }

    private static String machine(byte wordSize, short machine) {
        if (wordSize != 2) {
            return "32 bit";
        }
        return switch (machine) {
            case 62 -> "x86_64";
            case 183 -> "aarch_64";
            default -> "ELF machine " + machine;
        };
    }
}
