package io.github.flinkagentsnative.agents;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Arguments of a descriptor, each with the setting or call parameter that it becomes. */
record Names(Map<String, String> targets) {

    /** Arguments that keep their names. */
    static Names of(String... arguments) {
        Map<String, String> targets = new LinkedHashMap<>();
        for (String argument : arguments) {
            targets.put(argument, argument);
        }
        return new Names(Collections.unmodifiableMap(targets));
    }

    /** And one that has another name here than in Flink Agents. */
    Names with(String argument, String target) {
        Map<String, String> more = new LinkedHashMap<>(targets);
        more.put(argument, target);
        return new Names(Collections.unmodifiableMap(more));
    }

    String[] arguments() {
        return targets.keySet().toArray(String[]::new);
    }
}
