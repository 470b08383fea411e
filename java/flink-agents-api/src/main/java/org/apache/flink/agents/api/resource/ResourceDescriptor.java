package org.apache.flink.agents.api.resource;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** A resource's class and arguments, as a plan holds them. */
public class ResourceDescriptor implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String module;
    private final String clazz;
    private final LinkedHashMap<String, Object> initialArguments;

    public ResourceDescriptor(String clazz, Map<String, Object> initialArguments) {
        this("", clazz, initialArguments);
    }

    public ResourceDescriptor(String module, String clazz, Map<String, Object> initialArguments) {
        this.module = module;
        this.clazz = Objects.requireNonNull(clazz, "clazz");
        this.initialArguments = initialArguments == null ? null : new LinkedHashMap<>(initialArguments);
    }

    /** The Python module of a Python resource; empty for Java. */
    public String getModule() {
        return module;
    }

    public String getClazz() {
        return clazz;
    }

    /** Null when there was no map. */
    public Map<String, Object> getInitialArguments() {
        return initialArguments == null ? null : Collections.unmodifiableMap(initialArguments);
    }

    @SuppressWarnings("unchecked")
    public <T> T getArgument(String name) {
        return (T) initialArguments.get(name);
    }

    public <T> T getArgument(String name, T defaultValue) {
        T value = getArgument(name);
        return value == null ? defaultValue : value;
    }

    /** Collects arguments. */
    public static final class Builder {
        private final String clazz;
        private final Map<String, Object> arguments = new LinkedHashMap<>();

        private Builder(String clazz) {
            this.clazz = clazz;
        }

        public static Builder newBuilder(String clazz) {
            return new Builder(clazz);
        }

        public Builder addInitialArgument(String name, Object value) {
            arguments.put(name, value);
            return this;
        }

        public ResourceDescriptor build() {
            return new ResourceDescriptor(clazz, arguments);
        }
    }
}
