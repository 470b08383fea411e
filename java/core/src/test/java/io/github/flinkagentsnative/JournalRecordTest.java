package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a record keeps, and what it shows. */
class JournalRecordTest {

    private static final byte[] BYTES = "a secret prompt".getBytes(StandardCharsets.UTF_8);

    @Test
    void a_record_shares_no_array_with_anybody() {
        byte[] given = BYTES.clone();
        JournalRecord record = new JournalRecord("chat", given);
        given[0] = 0;
        record.bytes()[1] = 0;
        assertThat(record.bytes()).isEqualTo(BYTES);
    }

    @Test
    void records_are_equal_by_content() {
        JournalRecord record = new JournalRecord("chat", BYTES);
        assertThat(record).isEqualTo(new JournalRecord("chat", BYTES.clone()));
        assertThat(record).hasSameHashCodeAs(new JournalRecord("chat", BYTES.clone()));
        assertThat(record).isNotEqualTo(new JournalRecord("chat:final", BYTES));
        assertThat(record).isNotEqualTo(new JournalRecord("chat", new byte[0]));
    }

    @Test
    void the_printed_form_has_key_and_size_only() {
        assertThat(new JournalRecord("chat", BYTES)).hasToString("JournalRecord[key=chat, 15 bytes]");
    }

    @Test
    void keys_that_no_database_keeps_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JournalRecord("", BYTES))
                .withMessageContaining("0 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JournalRecord("k".repeat(1001), BYTES))
                .withMessageContainingAll("1001 characters", "1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JournalRecord("tool:\0", BYTES))
                .withMessageContaining("U+0000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JournalRecord("tool:\ud83d", BYTES))
                .withMessageContaining("unpaired surrogate");
        assertThatNullPointerException()
                .isThrownBy(() -> new JournalRecord(null, BYTES))
                .withMessage("key");
        assertThatNullPointerException()
                .isThrownBy(() -> new JournalRecord("chat", null))
                .withMessage("bytes");
    }
}
