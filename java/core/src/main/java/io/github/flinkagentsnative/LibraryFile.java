package io.github.flinkagentsnative;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A look at a library before the linker gets it. The linker's words depend on system and language, and some faults it does not see
 * in time.
 */
final class LibraryFile {

    private static final int ELF = 0x7f454c46;
    private static final int MACH_O = 0xcffaedfe;
    private static final int MACH_O_FOR_SEVERAL = 0xcafebabe;

    private LibraryFile() {}

    /**
     * Whether this JVM may try to link it.
     *
     * @throws LoadError if not
     */
    static void check(byte[] library, LibraryPlatform platform) {
        ByteBuffer file = ByteBuffer.wrap(library);
        if (library.length < 64) {
            throw new LoadError(LinkFailure.TRUNCATED, library.length + " bytes");
        }
        int magic = file.getInt(0);
        if (magic == ELF) {
            ElfFile elf = ElfFile.read(library);
            check("linux", elf.architecture(), platform);
            checkLibc(elf, platform);
        } else if (magic == MACH_O) {
            check("osx", appleMachine(file.order(ByteOrder.LITTLE_ENDIAN).getInt(4)), platform);
        } else if (magic == MACH_O_FOR_SEVERAL) {
            check("osx", platform.architecture(), platform);
        } else if (magic >>> 16 == 0x4d5a) {
            check("windows", windowsMachine(file.order(ByteOrder.LITTLE_ENDIAN)), platform);
        } else {
            throw new LoadError(LinkFailure.TRUNCATED, "it starts like no library");
        }
    }

    private static void check(String system, String architecture, LibraryPlatform platform) {
        boolean otherUnix = !platform.os().equals("windows") && !platform.os().equals("osx") && system.equals("linux");
        if (!(system.equals(platform.os()) || otherUnix) || !architecture.equals(platform.architecture())) {
            throw new LoadError(
                    LinkFailure.WRONG_PLATFORM,
                    "it is for " + system + "-" + architecture + ", this JVM runs on " + platform.classifier());
        }
    }

    private static void checkLibc(ElfFile elf, LibraryPlatform platform) {
        Boolean musl = elf.musl();
        if (platform.os().equals("linux") && musl != null && musl != platform.musl()) {
            throw new LoadError(
                    LinkFailure.WRONG_LIBC,
                    "it needs " + String.join(", ", elf.needed()) + "; this JVM runs on "
                            + (platform.musl() ? "musl" : "glibc"));
        }
    }

    private static String appleMachine(int type) {
        return switch (type) {
            case 0x01000007 -> "x86_64";
            case 0x0100000c -> "aarch_64";
            default -> "Mach-O machine " + type;
        };
    }

    private static String windowsMachine(ByteBuffer file) {
        int header = file.getInt(0x3c);
        if (header < 0 || header > file.capacity() - 6) {
            throw new LoadError(LinkFailure.TRUNCATED, file.capacity() + " bytes");
        }
        int machine = Short.toUnsignedInt(file.getShort(header + 4));
        return switch (machine) {
            case 0x8664 -> "x86_64";
            case 0xaa64 -> "aarch_64";
            default -> "PE machine " + machine;
        };
    }
}
