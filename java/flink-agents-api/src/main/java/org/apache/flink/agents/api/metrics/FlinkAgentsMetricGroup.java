package org.apache.flink.agents.api.metrics;

import org.apache.flink.metrics.MetricGroup;

/** The metric group of an action; upstream adds conveniences that nothing here needs. */
public interface FlinkAgentsMetricGroup extends MetricGroup {}
