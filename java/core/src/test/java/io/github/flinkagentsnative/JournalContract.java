package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What every journal keeps to. */
abstract class JournalContract {

    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    final InstantSource clock = now::get;
    final UUID run = UUID.randomUUID();

    /** The journal under test, which takes the time from {@link #clock}. */
    abstract Journal journal();

    static JournalRecord record(String key, String text) {
        return new JournalRecord(key, text.getBytes(StandardCharsets.UTF_8));
    }

    static JournalRecord record(int number) {
        return record("chat", "record " + number);
    }

    /** Each with its own bytes, for several MiB as well. */
    static JournalRecord record(int seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return new JournalRecord("chat", bytes);
    }

    void append(UUID runId, int count) {
        for (int i = 0; i < count; i++) {
            journal().append(runId, i, record(i));
        }
    }

    @Test
    void an_unknown_run_has_no_records() {
        assertThat(journal().read(run)).isEmpty();
        journal().forget(run);
        journal().discard(run, 0);
        journal().discard(run, 3);
        assertThat(journal().read(run)).isEmpty();
    }

    @Test
    void records_are_read_in_the_order_they_were_written() {
        List<JournalRecord> records = List.of(
                record("decide", "native"),
                record("chat", "z"),
                record("tool:search", ""),
                record("chat", "a"),
                record("chat:final", "z"));
        for (int i = 0; i < records.size(); i++) {
            journal().append(run, i, records.get(i));
        }
        assertThat(journal().read(run)).isEqualTo(records);
    }

    @Test
    void runs_do_not_see_each_other() {
        UUID other = UUID.randomUUID();
        append(run, 2);
        journal().append(other, 0, record(7));
        journal().forget(run);
        assertThat(journal().read(run)).isEmpty();
        assertThat(journal().read(other)).containsExactly(record(7));
    }

    @Test
    void records_of_no_byte_and_of_several_mebibytes_come_back_as_they_were() {
        List<JournalRecord> records =
                List.of(record(1, 0), record(2, 300), record(3, 1 << 20), record(4, (1 << 20) + 1), record(5, 6 << 20));
        for (int i = 0; i < records.size(); i++) {
            journal().append(run, i, records.get(i));
        }
        assertThat(journal().read(run).equals(records)).isTrue();
    }

    @Test
    void every_byte_comes_back() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        journal().append(run, 0, new JournalRecord("chat", bytes));
        assertThat(journal().read(run).get(0).bytes()).isEqualTo(bytes);
    }

    @Test
    void odd_keys_come_back_as_they_were() {
        List<String> keys = List.of(
                "tool:o'brien\"; DROP TABLE chat_journal; --",
                "chat:{a}:{b}?",
                " blank at both ends ",
                "tab\tnewline\nreturn\r\u0001\u007f",
                "\u00e4\u00df\u6f22\u5b57\ud83d\ude00\u202e\ufeff",
                "back\\slash %_ %s $1",
                "k".repeat(1000),
                "\ud83d\ude00".repeat(500));
        for (int i = 0; i < keys.size(); i++) {
            journal().append(run, i, record(keys.get(i), "x"));
        }
        assertThat(journal().read(run)).extracting(JournalRecord::key).isEqualTo(keys);
    }

    @Test
    void a_position_that_is_taken_is_refused_even_for_the_same_record() {
        append(run, 2);
        for (int position = 0; position < 2; position++) {
            int taken = position;
            assertThatThrownBy(() -> journal().append(run, taken, record(taken)))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContainingAll("Position " + taken, run.toString(), "taken");
        }
        assertThat(journal().read(run)).containsExactly(record(0), record(1));
    }

    @Test
    void a_position_that_leaves_a_gap_is_refused() {
        assertThatThrownBy(() -> journal().append(run, 1, record(1)))
                .isInstanceOf(JournalException.class)
                .hasMessageContainingAll("Position 1", "gap", "the next one is 0");
        append(run, 1);
        assertThatThrownBy(() -> journal().append(run, 2, record(2))).isInstanceOf(JournalException.class);
        assertThat(journal().read(run)).containsExactly(record(0));
    }

    @Test
    void discard_removes_the_later_records_and_their_positions_are_free_again() {
        append(run, 4);
        journal().discard(run, 2);
        assertThat(journal().read(run)).containsExactly(record(0), record(1));
        journal().discard(run, 2);
        journal().discard(run, Integer.MAX_VALUE);
        journal().append(run, 2, record(22));
        assertThat(journal().read(run)).containsExactly(record(0), record(1), record(22));
        journal().discard(run, 0);
        journal().append(run, 0, record(5));
        assertThat(journal().read(run)).containsExactly(record(5));
    }

    @Test
    void purge_removes_runs_by_the_time_of_their_last_record() {
        UUID old = UUID.randomUUID();
        UUID revived = UUID.randomUUID();
        append(old, 3);
        append(revived, 1);
        now.set(NOON.plus(Duration.ofHours(1)));
        journal().append(revived, 1, record(1));
        append(run, 1);
        assertThat(journal().purge(NOON))
                .as("written at that time, not before it")
                .isZero();
        assertThat(journal().purge(NOON.plus(Duration.ofHours(1)))).isEqualTo(1);
        assertThat(journal().read(old)).isEmpty();
        assertThat(journal().read(revived)).hasSize(2);
        assertThat(journal().purge(Instant.MIN)).isZero();
        assertThat(journal().purge(Instant.MAX)).isEqualTo(2);
        assertThat(journal().read(run)).isEmpty();
    }

    @Test
    void purge_removes_more_runs_than_one_batch_has() {
        for (int i = 0; i < 401; i++) {
            journal().append(UUID.randomUUID(), 0, record(i));
        }
        assertThat(journal().purge(Instant.MAX)).isEqualTo(401);
        assertThat(journal().purge(Instant.MAX)).isZero();
    }

    @Test
    void of_two_writers_at_one_position_exactly_one_wins() throws Exception {
        for (int position = 0; position < 20; position++) {
            int contested = position;
            CyclicBarrier start = new CyclicBarrier(2);
            List<JournalRecord> won = inThreads(2, writer -> {
                        start.await();
                        try {
                            JournalRecord mine = record(100 * contested + writer);
                            journal().append(run, contested, mine);
                            return mine;
                        } catch (JournalException e) {
                            assertThat(e).hasMessageContaining("taken");
                            return null;
                        }
                    })
                    .stream()
                    .filter(record -> record != null)
                    .toList();
            assertThat(won).hasSize(1);
            assertThat(journal().read(run)).hasSize(position + 1).endsWith(won.get(0));
        }
    }

    @Test
    void eight_threads_write_runs_of_their_own() throws Exception {
        List<UUID> runs = inThreads(8, writer -> {
            UUID own = UUID.randomUUID();
            append(own, 25);
            return own;
        });
        assertThat(runs).doesNotHaveDuplicates().allSatisfy(own -> {
            assertThat(journal().read(own)).hasSize(25).endsWith(record(24));
        });
    }

    @Test
    void appends_and_discards_of_one_run_at_once_leave_no_gap() throws Exception {
        append(run, 1);
        inThreads(4, worker -> {
            for (int i = 0; i < 40; i++) {
                if (worker == 0) {
                    journal().discard(run, 1);
                } else {
                    try {
                        journal().append(run, journal().read(run).size(), record(i));
                    } catch (JournalException e) {
                        assertThat(e.getMessage()).containsAnyOf("taken", "gap");
                    }
                }
            }
            return null;
        });
        List<JournalRecord> records = journal().read(run);
        assertThat(records).startsWith(record(0));
        journal().append(run, records.size(), record(7));
    }

    @Test
    void an_interrupted_thread_writes_and_stays_interrupted() throws Exception {
        Thread.currentThread().interrupt();
        try {
            append(run, 3);
            assertThat(journal().read(run)).hasSize(3);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        journal().append(run, 3, record(3));
        assertThat(journal().read(run)).hasSize(4);
    }

    @Test
    void bad_arguments_are_refused_and_nothing_is_written() {
        assertThatNullPointerException().isThrownBy(() -> journal().read(null)).withMessage("runId");
        assertThatNullPointerException()
                .isThrownBy(() -> journal().append(null, 0, record(0)))
                .withMessage("runId");
        assertThatNullPointerException()
                .isThrownBy(() -> journal().append(run, 0, null))
                .withMessage("record");
        assertThatNullPointerException()
                .isThrownBy(() -> journal().discard(null, 0))
                .withMessage("runId");
        assertThatNullPointerException()
                .isThrownBy(() -> journal().forget(null))
                .withMessage("runId");
        assertThatNullPointerException().isThrownBy(() -> journal().purge(null)).withMessage("before");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> journal().append(run, -1, record(0)))
                .withMessageContaining("position -1 is negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> journal().discard(run, -1))
                .withMessageContaining("position -1 is negative");
        assertThat(journal().read(run)).isEmpty();
    }

    @Test
    void a_closed_journal_says_so() {
        journal().close();
        journal().close();
        assertThatThrownBy(() -> journal().read(run))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> journal().append(run, 0, record(0))).isInstanceOf(JournalException.class);
        assertThatThrownBy(() -> journal().discard(run, 0)).isInstanceOf(JournalException.class);
        assertThatThrownBy(() -> journal().purge(NOON)).isInstanceOf(JournalException.class);
    }

    interface Numbered<T> {
        T call(int number) throws Exception;
    }

    static <T> List<T> inThreads(int count, Numbered<T> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Callable<T>> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                calls.add(() -> work.call(number));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(calls)) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
