package io.github.flinkagentsnative.agents;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.agents.api.metrics.FlinkAgentsMetricGroup;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** Counters of groups {@code key=value}, by name; as in Flink, a name that is registered again is not the first counter. */
final class CountingMetrics extends UnregisteredMetricsGroup implements FlinkAgentsMetricGroup {

    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        counters.forEach((name, counter) -> counts.put(name, counter.getCount()));
        return counts;
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
        return new UnregisteredMetricsGroup() {
            @Override
            public Counter counter(String name) {
                Counter counter = new SimpleCounter();
                counters.putIfAbsent(key + "=" + value + "/" + name, counter);
                return counter;
            }
        };
    }
}
