package io.github.flinkagentsnative.agents;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.agents.api.chat.model.BaseChatModelSetup;
import org.apache.flink.agents.api.metrics.FlinkAgentsMetricGroup;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/** What the setups share: typed arguments that become the parameters of each call. Everything else is Flink Agents' own class. */
public abstract class NativeChatModelSetup extends BaseChatModelSetup {

    private static final List<String> COMMON = List.of(
            "connection",
            "model",
            "prompt",
            "tools",
            "skills",
            "allowed_commands",
            "allowed_script_dirs",
            "structured_output_strategy");

    private final Map<String, Object> typed;

    /**
     * @param parameters further arguments, which are call parameters of the same name
     * @throws IllegalArgumentException for an argument that is missing, unknown or wrong; the message names it
     */
    NativeChatModelSetup(ResourceDescriptor descriptor, ResourceContext context, Class<?> owner, String... parameters) {
        super(Arguments.checked(descriptor, owner, Arguments.join(COMMON, parameters)), context);
        Arguments.require(descriptor, owner, "connection");
        Map<String, Object> given = new LinkedHashMap<>();
        for (String name : parameters) {
            Object value = descriptor.getArgument(name);
            if (value != null) {
                given.put(name, value instanceof Enum<?> word ? word.name().toLowerCase(Locale.ROOT) : value);
            }
        }
        typed = Collections.unmodifiableMap(given);
    }

    /** The model and the typed arguments that were given, {@code additional_kwargs} as one map; nothing that nobody set. A new map. */
    @Override
    public Map<String, Object> getParameters() {
        Map<String, Object> parameters = new LinkedHashMap<>();
        if (model != null) {
            parameters.put("model", model);
        }
        parameters.putAll(typed);
        return parameters;
    }

    /** Also for the connection: the runtime sets the group of what an action asks for, and that is the setup. */
    @Override
    public void setMetricGroup(FlinkAgentsMetricGroup metricGroup) {
        super.setMetricGroup(metricGroup);
        if (connection != null) {
            connection.setMetricGroup(metricGroup);
        }
    }
}
