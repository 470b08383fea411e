package io.github.flinkagentsnative.flink;

import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** A reporter of Flink that keeps the function's metrics. */
public final class MetricsSeen implements MetricReporter {
    private static final Map<String, Metric> SEEN = new ConcurrentHashMap<>();

    /** Found by Flink as a service. */
    public static final class Factory implements MetricReporterFactory {
        @Override
        public MetricReporter createMetricReporter(Properties properties) {
            return new MetricsSeen();
        }
    }

    static void clear() {
        SEEN.clear();
    }

    /** Values of counters and gauges, counts of histograms, by what follows {@code chat.} in their names. */
    static Map<String, Long> values() {
        Map<String, Long> values = new TreeMap<>();
        SEEN.forEach((name, metric) -> {
            if (metric instanceof Counter counter) {
                values.put(name, counter.getCount());
            } else if (metric instanceof Histogram histogram) {
                values.put(name, histogram.getCount());
            } else if (metric instanceof Gauge<?> gauge) {
                values.put(name, ((Number) gauge.getValue()).longValue());
            }
        });
        return values;
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        String identifier = group.getMetricIdentifier(name);
        int start = identifier.indexOf(".chat.");
        if (start >= 0) {
            SEEN.put(identifier.substring(start + ".chat.".length()), metric);
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
}
