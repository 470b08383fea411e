package org.apache.flink.agents.api.metrics;

import org.apache.flink.metrics.Counter;

/** The metric group of an action. It is no group of Flink's own; upstream has gauges, meters and histograms beside counters. */
public interface FlinkAgentsMetricGroup {

    FlinkAgentsMetricGroup getSubGroup(String name);

    FlinkAgentsMetricGroup getSubGroup(String key, String value);

    /** The same counter for the same name. */
    Counter getCounter(String name);
}
