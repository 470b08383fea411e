package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.CredentialSupplier;
import io.github.flinkagentsnative.Secret;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.resource.Resource;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.agents.api.resource.ResourceType;
import org.apache.flink.agents.api.tools.Tool;
import org.apache.flink.agents.api.tools.ToolMetadata;
import org.apache.flink.agents.api.tools.ToolParameters;
import org.apache.flink.agents.api.tools.ToolResponse;

/** Resources, built the way an agent runtime does. */
final class Resources {

    private Resources() {}

    static Resource build(Class<? extends Resource> type, Map<String, Object> arguments, ResourceContext context)
            throws Exception {
        ResourceDescriptor descriptor = new ResourceDescriptor(type.getName(), arguments);
        try {
            return (Resource) Class.forName(descriptor.getClazz())
                    .getConstructor(ResourceDescriptor.class, ResourceContext.class)
                    .newInstance(descriptor, context);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    /** Names and values in turn; null takes a name away. */
    static Map<String, Object> with(Map<String, Object> arguments, Object... more) {
        Map<String, Object> changed = new HashMap<>(arguments);
        for (int i = 0; i < more.length; i += 2) {
            changed.put((String) more[i], more[i + 1]);
        }
        changed.values().removeIf(value -> value == null);
        return changed;
    }

    record Context(Map<String, Resource> resources) implements ResourceContext {
        @Override
        public Resource getResource(String name, ResourceType type) {
            return resources.get(name);
        }

        @Override
        public String generateAvailableSkillsPrompt(List<String> names) {
            return "skills: " + names;
        }

        @Override
        public List<String> getSkillDirs(List<String> names) {
            return List.of();
        }
    }

    static final class Weather extends Tool {
        private static final long serialVersionUID = 1L;

        Weather() {
            super(
                    new ToolMetadata(
                            "weather",
                            "Tells the weather of a city",
                            "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"],\"additionalProperties\":false}"));
        }

        @Override
        public ToolResponse call(ToolParameters parameters) {
            return ToolResponse.text("sunny in " + parameters.getParameter("city"));
        }
    }

    /** A token of the job's own. */
    public static final class Token implements CredentialSupplier {
        public Token() {}

        @Override
        public Secret get() {
            return Secret.of("token-of-the-job");
        }
    }
}
