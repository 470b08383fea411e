package io.github.flinkagentsnative.agents;

import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.agents.api.metrics.FlinkAgentsMetricGroup;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;

/** Counters by the path of their group. As upstream's, it may be used by the task's own thread only. */
final class CountingMetrics implements FlinkAgentsMetricGroup {

    private final Thread owner = Thread.currentThread();
    private final String path;
    private final Map<String, Counter> counters;

    CountingMetrics() {
        this("", new TreeMap<>());
    }

    private CountingMetrics(String path, Map<String, Counter> counters) {
        this.path = path;
        this.counters = counters;
    }

    /** Those that counted something. */
    Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        counters.forEach((name, counter) -> {
            if (counter.getCount() > 0) {
                counts.put(name, counter.getCount());
            }
        });
        return counts;
    }

    @Override
    public FlinkAgentsMetricGroup getSubGroup(String name) {
        return new CountingMetrics(path + name + "/", counters);
    }

    @Override
    public FlinkAgentsMetricGroup getSubGroup(String key, String value) {
        return getSubGroup(key + "=" + value);
    }

    @Override
    public Counter getCounter(String name) {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("another thread asks for a counter");
        }
        return counters.computeIfAbsent(path + name, any -> new SimpleCounter());
    }
}
