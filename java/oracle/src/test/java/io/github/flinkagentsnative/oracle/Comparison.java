package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares two requests. Where they differ, the stated differences are asked to put the SDK's form into ours; what then still
 * differs is unexplained.
 */
final class Comparison {
    private final Set<StatedDifference> used = EnumSet.noneOf(StatedDifference.class);
    private final List<String> unexplained = new ArrayList<>();

    private Comparison() {}

    static Comparison of(Input input) {
        Comparison comparison = new Comparison();
        comparison.walk("", input.sdk().get(), input.ours().get(), EnumSet.allOf(StatedDifference.class));
        return comparison;
    }

    /** The rules that explained a difference. */
    Set<StatedDifference> used() {
        return used;
    }

    List<String> unexplained() {
        return unexplained;
    }

    private void walk(String pointer, JsonNode sdk, JsonNode ours, Set<StatedDifference> rules) {
        if (Json.same(sdk, ours)) {
            return;
        }
        for (StatedDifference rule : rules) {
            JsonNode rewritten = rule.inOurForm(pointer, sdk, ours);
            if (rewritten != null && !rewritten.equals(sdk)) {
                used.add(rule);
                Set<StatedDifference> others = EnumSet.copyOf(rules);
                others.remove(rule);
                walk(pointer, rewritten, ours, others);
                return;
            }
        }
        if (sdk.isObject() && ours.isObject()) {
            walkMembers(pointer, sdk, ours);
        } else if (sdk.isArray() && ours.isArray() && sdk.size() == ours.size()) {
            for (int i = 0; i < sdk.size(); i++) {
                walk(pointer + "/" + i, sdk.get(i), ours.get(i), EnumSet.allOf(StatedDifference.class));
            }
        } else {
            unexplained.add(pointer + "\n  SDK:  " + sdk + "\n  ours: " + ours);
        }
    }

    private void walkMembers(String pointer, JsonNode sdk, JsonNode ours) {
        Set<String> names = new LinkedHashSet<>(Json.names(sdk));
        names.addAll(Json.names(ours));
        for (String name : names) {
            String place = pointer + "/" + name;
            if (sdk.has(name) && ours.has(name)) {
                walk(place, sdk.get(name), ours.get(name), EnumSet.allOf(StatedDifference.class));
            } else {
                unexplained.add(place
                        + (sdk.has(name) ? " only from the SDK: " + sdk.get(name) : " only ours: " + ours.get(name)));
            }
        }
    }
}
