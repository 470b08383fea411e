package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What JVMs and linkers say, and what we take it for. */
class LinkFailureTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /tmp/a.so) | GLIBC_TOO_OLD",
                "/t/a.so: /t/a.so: failed to map segment from shared object | NO_EXECUTION",
                "/t/a.so: /t/a.so: failed to map segment from shared object: Operation not permitted | NO_EXECUTION",
                "/t/a.so: cannot open shared object file: Permission denied | NO_EXECUTION",
                "libc.musl-x86_64.so.1: cannot open shared object file: No such file or directory | WRONG_LIBC",
                "Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by /tmp/a.so) | WRONG_LIBC",
                "Error relocating /tmp/a.so: __register_atfork: symbol not found | WRONG_LIBC",
                "/t/a.so: cannot open shared object file: No such file or directory (Possible cause: can't load AARCH64 .so on a AMD 64 platform) | WRONG_PLATFORM",
                "/t/a.so: wrong ELF class: ELFCLASS32 (Possible cause: architecture word width mismatch) | WRONG_PLATFORM",
                "dlopen(/t/a.dylib, 0x0001): (mach-o file, but is an incompatible architecture (have 'x86_64', need 'arm64')) | WRONG_PLATFORM",
                "C:\\t\\a.dll: Can't load AMD 64-bit .dll on a ARM 64-bit platform | WRONG_PLATFORM",
                "C:\\t\\a.dll: %1 is not a valid Win32 application | WRONG_PLATFORM",
                "/t/a.so: file too short | TRUNCATED",
                "/t/a.so: invalid ELF header | TRUNCATED",
                "/t/a.so: cannot read file data | TRUNCATED",
                "Native Library /t/a.so already loaded in another classloader | OTHER_CLASS_LOADER",
                "no flink_agents_native in java.library.path: /usr/lib | MISSING",
                "Can't load library: /t/a.so | MISSING",
                "libstrange.so.1: cannot open shared object file: No such file or directory | MISSING",
                "C:\\t\\a.dll: Can't find dependent libraries | MISSING",
                "/t/a.so: cannot allocate memory in static TLS block | NO_TLS_SPACE",
                "/lib/x86_64-linux-gnu/libc.so.6: Version »GLIBC_2.34« nicht gefunden (wird von /tmp/a.so benötigt) | GLIBC_TOO_OLD",
                "/t/a.so: undefined symbol: fancy, version GLIBC_2.99 | GLIBC_TOO_OLD",
                "something new | UNKNOWN",
            })
    void messages_are_told_apart(String message, LinkFailure expected) {
        assertThat(LinkFailure.of(new UnsatisfiedLinkError(message))).isEqualTo(expected);
    }

    @Test
    void a_denied_call_is_an_access_failure() {
        assertThat(LinkFailure.of(new IllegalCallerException("Illegal native access from an unnamed module")))
                .isEqualTo(LinkFailure.ACCESS_DENIED);
        assertThat(LinkFailure.of(new UnsatisfiedLinkError(null))).isEqualTo(LinkFailure.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(LinkFailure.class)
    void each_says_why_and_what_to_do(LinkFailure failure) {
        assertThat(failure.explain("detail"))
                .contains("; ")
                .endsWith(" [detail]")
                .doesNotContain("{");
    }
}
