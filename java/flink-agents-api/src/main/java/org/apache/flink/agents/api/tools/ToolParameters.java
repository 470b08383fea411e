package org.apache.flink.agents.api.tools;

import java.util.LinkedHashMap;
import java.util.Map;

/** The arguments of a tool call. */
public class ToolParameters {
    private final Map<String, Object> parameters;

    public ToolParameters(Map<String, Object> parameters) {
        this.parameters = new LinkedHashMap<>(parameters);
    }

    public Object getParameter(String name) {
        return parameters.get(name);
    }
}
