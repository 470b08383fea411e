package io.github.flinkagentsnative.flink;

/**
 * A bucket that fills at a constant rate up to a tenth of what it takes in a minute, at least 1. Taking may leave it in debt. Not
 * thread-safe; the caller tells the time.
 */
final class TokenBucket {
    private static final double NANOS_PER_MINUTE = 60e9;

    private final double perNano;
    private final double capacity;
    private double content;
    private long filledAt;

    TokenBucket(long perMinute, long now) {
        perNano = perMinute / NANOS_PER_MINUTE;
        capacity = Math.max(1, perMinute / 10.0);
        content = capacity;
        filledAt = now;
    }

    /** Nanoseconds until the bucket holds that much; 0 when it does. */
    long nanosUntil(double amount, long now) {
        fill(now);
        return content >= amount ? 0 : (long) Math.ceil((amount - content) / perNano);
    }

    void take(double amount, long now) {
        fill(now);
        content -= amount;
    }

    private void fill(long now) {
        long passed = now - filledAt;
        if (passed > 0) {
            content = Math.min(capacity, content + passed * perNano);
            filledAt = now;
        }
    }
}
