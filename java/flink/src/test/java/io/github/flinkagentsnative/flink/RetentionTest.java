package io.github.flinkagentsnative.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RetentionTest {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final BlockingQueue<String> forgotten = new LinkedBlockingQueue<>();
    private final Retention retention = new Retention(Duration.ofMinutes(60), forgotten::add, () -> now);

    @AfterEach
    void close() {
        retention.close();
    }

    private void pass(long minutes) {
        now = now.plus(Duration.ofMinutes(minutes));
    }

    /** What has been forgotten up to here. */
    private List<String> forgotten() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        retention.submit("wait", done::countDown);
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        List<String> taken = new java.util.ArrayList<>();
        forgotten.drainTo(taken);
        return taken;
    }

    @Test
    void recordsGoWithTheFirstCheckpointThatBeganLateEnoughAndHasCompleted() throws Exception {
        retention.finished("a");
        pass(30);
        retention.finished("b");
        retention.checkpointBegan(1);
        pass(40); // a's time is up, but checkpoint 1 began before that
        retention.checkpointCompleted(1);
        assertThat(forgotten()).isEmpty();
        retention.checkpointBegan(2);
        assertThat(forgotten()).isEmpty();
        pass(60); // b's time is up, but checkpoint 2 began before that
        retention.checkpointCompleted(2);
        assertThat(forgotten()).containsExactly("a");
        retention.checkpointBegan(3);
        retention.checkpointCompleted(3);
        assertThat(forgotten()).containsExactly("b");
    }

    @Test
    void anAbortedOrUnknownCheckpointRemovesNothing() throws Exception {
        retention.finished("a");
        pass(61);
        retention.checkpointBegan(1);
        retention.checkpointCompleted(7);
        assertThat(forgotten()).isEmpty();
        retention.checkpointCompleted(1);
        assertThat(forgotten()).isEmpty();
    }

    @Test
    void memoryIsBoundedAndTheOldestAreLeftToTheRemovalByAge() throws Exception {
        retention.finished("oldest");
        for (int i = 0; i < Retention.MAX_FINISHED; i++) {
            retention.finished("run " + i);
        }
        pass(61);
        retention.checkpointBegan(1);
        retention.checkpointCompleted(1);
        assertThat(forgotten())
                .hasSize(Retention.MAX_FINISHED)
                .startsWith("run 0")
                .doesNotContain("oldest");
    }

    @Test
    void aFailureOfTheJournalIsLeftToTheRemovalByAge() throws Exception {
        retention.submit("fail", () -> {
            throw new IllegalStateException("no database");
        });
        assertThat(forgotten()).isEmpty();
    }

    @Test
    void timesThatMakeNoSenseAreRefused() {
        ChatFunction<String, Object, String> function = ChatFunction.of(
                () -> null,
                text -> null,
                () -> null,
                (text, outcome) -> text,
                org.apache.flink.api.common.typeinfo.Types.STRING);
        assertThatThrownBy(() -> function.withRetention(Duration.ofSeconds(-1), null))
                .hasMessageContaining("retainAfterOutcome");
        assertThatThrownBy(() -> function.withRetention(Duration.ofHours(1), Duration.ofHours(1)))
                .hasMessageContaining("purgeAfter");
    }
}
