package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A classifier stands in one table: the enums here are the native side's. */
class NativeTablesTest {

    @Test
    void reasons_and_providers_are_those_of_the_native_side() {
        NativeLibrary.load();
        Map<String, Object> tables = NativeErrors.resultUnchecked(Native.handshake(Frames.pack(Map.of())));
        List<String> reasons =
                Stream.of(ReasonCode.values()).map(ReasonCode::wireName).toList();
        List<String> providers =
                Stream.of(Provider.values()).map(Provider::wireName).toList();
        assertThat(tables.get("reason_codes")).isEqualTo(reasons);
        assertThat(tables.get("providers")).isEqualTo(providers);
    }
}
