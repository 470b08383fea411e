package org.apache.flink.agents.api.resource;

import org.apache.flink.agents.api.metrics.FlinkAgentsMetricGroup;

/** What an agent plan declares and a task builds: a connection, a setup, a tool, a prompt. */
public abstract class Resource {

    protected final ResourceContext resourceContext;
    private FlinkAgentsMetricGroup metricGroup;

    protected Resource() {
        this(null, null);
    }

    protected Resource(ResourceDescriptor descriptor, ResourceContext resourceContext) {
        this.resourceContext = resourceContext;
    }

    public abstract ResourceType getResourceType();

    /** Called by the task before the first use. */
    public void open() throws Exception {}

    /** Called by the task after the last use. */
    public void close() throws Exception {}

    /** Called by the task for each resource that an action asks for, but not for those behind it. */
    public void setMetricGroup(FlinkAgentsMetricGroup metricGroup) {
        this.metricGroup = metricGroup;
    }

    /** Null until the task has set it. */
    protected FlinkAgentsMetricGroup getMetricGroup() {
        return metricGroup;
    }
}
