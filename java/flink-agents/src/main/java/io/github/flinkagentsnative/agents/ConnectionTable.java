package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.Provider;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/**
 * What one connection class is: its provider, the arguments it takes beside those of all connections, and the call parameters that Flink
 * Agents knows by another name. Each class builds one in a static field, and nobody changes it afterwards.
 */
final class ConnectionTable {

    /** The arguments of all connections. */
    private static final List<String> COMMON =
            List.of("api_key", "credentials_class", "timeout", "max_retries", "allow_insecure_http");

    private static final String KWARGS = "additional_kwargs";

    private static final int DEFAULT_TIMEOUT_SECONDS = 60;
    private static final double SHORTEST_TIMEOUT_SECONDS = 0.001;
    private static final double LONGEST_TIMEOUT_SECONDS = 86_400;

    /** What a model has that no setting says, such as keys of its own kind. */
    @FunctionalInterface
    interface Start {
        /** @throws IllegalArgumentException for an argument that is missing or wrong; the message names it and {@code owner} */
        void begin(ChatModel.Builder model, ResourceDescriptor descriptor, Class<?> owner);
    }

    private final Provider provider;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<String> others = new ArrayList<>();
    private final List<String> required = new ArrayList<>();
    private final List<String> keys = new ArrayList<>(List.of("api_key", "credentials_class"));
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final Map<String, String> kwargs = new LinkedHashMap<>();
    private Start start = (model, descriptor, owner) -> {};
    private boolean keyed;
    private boolean renewing;
    private String timeout = "timeout";
    private int defaultTimeout = DEFAULT_TIMEOUT_SECONDS;

    private ConnectionTable(Provider provider) {
        this.provider = provider;
    }

    static ConnectionTable of(Provider provider) {
        return new ConnectionTable(provider);
    }

    /** Arguments that are settings of the same name. */
    ConnectionTable settings(String... names) {
        for (String name : names) {
            settings.put(name, name);
        }
        return this;
    }

    /** An argument that is a setting of another name. */
    ConnectionTable setting(String argument, String setting) {
        settings.put(argument, setting);
        return this;
    }

    /** Arguments that have to be there; each is named elsewhere too. */
    ConnectionTable required(String... arguments) {
        required.addAll(List.of(arguments));
        return this;
    }

    /** The service wants a key. */
    ConnectionTable keyed() {
        keyed = true;
        return this;
    }

    /** Further arguments that only {@code start} reads. */
    ConnectionTable others(String... arguments) {
        others.addAll(List.of(arguments));
        return this;
    }

    /** Further arguments, each of which stands for a key; all of them exclude each other. */
    ConnectionTable keys(String... arguments) {
        keys.addAll(List.of(arguments));
        return this;
    }

    ConnectionTable start(Start newStart) {
        start = newStart;
        return this;
    }

    /** Flink Agents' name for {@code timeout}, which is taken too, and the seconds when nobody sets either. */
    ConnectionTable timeout(String argument, int seconds) {
        timeout = argument;
        defaultTimeout = seconds;
        return this;
    }

    /** A call that is refused with 401 is made once more: the key is exchanged for tokens, which may end early. */
    ConnectionTable renewing() {
        renewing = true;
        return this;
    }

    /** A call parameter that Flink Agents calls otherwise; both names are taken. */
    ConnectionTable parameter(String theirs, String ours) {
        parameters.put(theirs, ours);
        return this;
    }

    /**
     * Members of {@code additional_kwargs} that are call parameters of the same name here: what a setup has no argument for, and the
     * service does not take at the root of the body, or not without tools.
     */
    ConnectionTable kwargs(String... names) {
        for (String name : names) {
            kwargs.put(name, name);
        }
        return this;
    }

    /** A member of {@code additional_kwargs}, or a member of one ({@code outer.inner}), that is a call parameter of another name here. */
    ConnectionTable kwarg(String theirs, String ours) {
        kwargs.put(theirs, ours);
        return this;
    }

    /** The model of a descriptor, whose names and types are checked here. */
    ChatModel model(ResourceDescriptor descriptor, Class<?> owner) {
        List<String> known = new ArrayList<>(COMMON);
        keys.stream().filter(name -> !known.contains(name)).forEach(known::add);
        known.addAll(settings.keySet());
        known.addAll(others);
        if (!known.contains(timeout)) {
            known.add(timeout);
        }
        Arguments.checked(descriptor, owner, known);
        Arguments.require(descriptor, owner, required.toArray(String[]::new));
        Arguments.exclude(descriptor, owner, keys.toArray(String[]::new));
        if (keyed) {
            Arguments.requireOne(descriptor, owner, keys.toArray(String[]::new));
        }
        ChatModel.Builder model = ChatModel.builder(provider);
        Credentials.give(model, provider, descriptor, owner);
        start.begin(model, descriptor, owner);
        settings.forEach((argument, setting) -> {
            Object value = descriptor.getArgument(argument);
            if (value != null) {
                model.setting(setting, value instanceof Enum<?> constant ? constant.name() : value);
            }
        });
        return model.build();
    }

    /** The time for one call. */
    Duration timeout(ResourceDescriptor descriptor, Class<?> owner) {
        if (!timeout.equals("timeout")) {
            Arguments.exclude(descriptor, owner, "timeout", timeout);
        }
        String name = descriptor.getArgument("timeout") == null ? timeout : "timeout";
        Number seconds = descriptor.<Number>getArgument(name, defaultTimeout);
        double given = seconds.doubleValue();
        if (!(given >= SHORTEST_TIMEOUT_SECONDS && given <= LONGEST_TIMEOUT_SECONDS)) {
            throw new IllegalArgumentException("Argument '" + name + "' of " + owner.getSimpleName()
                    + " must be from 0.001 to 86400 seconds, not " + seconds + ".");
        }
        return Duration.ofMillis(
                new BigDecimal(seconds.toString()).movePointRight(3).longValue());
    }

    boolean renews(ResourceDescriptor descriptor) {
        return renewing && descriptor.getArgument("api_key") != null;
    }

    /** The connection's own model, which setups without one get; null where there is none. */
    String defaultModel(ResourceDescriptor descriptor) {
        return settings.containsKey("model") ? descriptor.getArgument("model") : null;
    }

    /**
     * Call parameters under this library's names. A new map; those that are null are left out.
     *
     * @param given null counts as none
     * @throws IllegalArgumentException for a parameter that is there under both names
     */
    Map<String, Object> parameters(Map<String, Object> given) {
        Map<String, Object> ours = new LinkedHashMap<>();
        if (given == null) {
            return ours;
        }
        given.forEach((name, value) -> {
            if (value != null && !parameters.containsKey(name)) {
                ours.put(name, value);
            }
        });
        parameters.forEach((name, parameter) -> put(ours, parameter, given.get(name), name));
        if (ours.get(KWARGS) instanceof Map<?, ?> additional && !kwargs.isEmpty()) {
            Map<Object, Object> rest = new LinkedHashMap<>(additional);
            kwargs.forEach((name, parameter) -> put(ours, parameter, take(rest, name), KWARGS + "." + name));
            ours.put(KWARGS, rest);
        }
        return ours;
    }

    /** Takes a member out, or a member of a member ({@code outer.inner}); the maps of the caller stay as they are. */
    private static Object take(Map<Object, Object> rest, String name) {
        int dot = name.indexOf('.');
        if (dot < 0) {
            return rest.remove(name);
        }
        String outer = name.substring(0, dot);
        if (!(rest.get(outer) instanceof Map<?, ?> members)) {
            return null;
        }
        Map<Object, Object> inner = new LinkedHashMap<>(members);
        Object taken = inner.remove(name.substring(dot + 1));
        rest.put(outer, inner);
        return taken;
    }

    private static void put(Map<String, Object> ours, String parameter, Object value, String theirs) {
        if (value != null && ours.putIfAbsent(parameter, value) != null) {
            throw new IllegalArgumentException(
                    "The parameter '" + parameter + "' is set twice, also as '" + theirs + "'; keep one of them.");
        }
    }
}
