package io.github.flinkagentsnative;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Chooses, once for each request and before its first call, which of several models it goes to (upstream #964, #1042). Immutable;
 * thread-safe where a strategy of your own is.
 *
 * <pre>{@code
 * ModelRouter router = ModelRouter.of("small", "large")
 *         .name("support")
 *         .describe("large", "long or legal texts")
 *         .strategy(Strategies.llm("judge").withMaxContextChars(4000))
 *         .defaultModel("small")
 *         .fallback(true)
 *         .build();
 * }</pre>
 *
 * <p>What is expensive to check, such as patterns, is checked when a run starts; it is then a
 * {@link ChatConfigurationException}, too. docs/routing.md tells the rules.
 */
public final class ModelRouter {

    private final String name;
    private final List<Candidate> candidates;
    private final String defaultModel;
    private final boolean fallback;
    private final RoutingStrategy strategy;

    private ModelRouter(Builder builder) {
        name = builder.name;
        List<Candidate> described = new ArrayList<>();
        for (String candidate : builder.candidates) {
            described.add(new Candidate(candidate, builder.descriptions.get(candidate)));
        }
        candidates = List.copyOf(described);
        defaultModel = builder.defaultModel;
        fallback = builder.fallback;
        strategy = builder.strategy;
    }

    /**
     * A model that requests can go to.
     *
     * @param name the chat model's name
     * @param description what it is good at; null for none
     */
    public record Candidate(String name, String description) {

        public Candidate {
            requireName(name, "A candidate");
        }
    }

    /**
     * A router among these models, in the order in which fallback turns to them.
     *
     * @throws ChatConfigurationException for no name, a blank one, or one that stands twice
     */
    public static Builder of(String... candidates) {
        return of(List.of(candidates));
    }

    /** As {@link #of(String...)}. */
    public static Builder of(List<String> candidates) {
        return new Builder(candidates);
    }

    /** The name in outcomes, events and journals. */
    public String name() {
        return name;
    }

    public List<Candidate> candidates() {
        return candidates;
    }

    /** Every model that is called by name: the candidates, and a judge. */
    Set<String> modelNames() {
        Set<String> names = new LinkedHashSet<>();
        candidates.forEach(candidate -> names.add(candidate.name()));
        if (strategy instanceof RoutingStrategy.Judge judge) {
            names.add(judge.model());
        }
        return names;
    }

    /** The candidate that a request goes to when the strategy abstains. */
    public String defaultModel() {
        return defaultModel == null ? candidates.get(0).name() : defaultModel;
    }

    /** Whether the other candidates are tried when one has failed for good. */
    public boolean fallback() {
        return fallback;
    }

    public RoutingStrategy strategy() {
        return strategy;
    }

    /** The {@code ROUTER} of docs/routing.md. */
    Map<String, Object> frame() {
        Map<String, Object> frame = new LinkedHashMap<>();
        Map<String, Object> descriptions = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (Candidate candidate : candidates) {
            names.add(candidate.name());
            if (candidate.description() != null) {
                descriptions.put(candidate.name(), candidate.description());
            }
        }
        frame.put("name", name);
        frame.put("candidates", names);
        if (!descriptions.isEmpty()) {
            frame.put("candidate_descriptions", descriptions);
        }
        if (defaultModel != null) {
            frame.put("default_model", defaultModel);
        }
        frame.put("fallback", fallback);
        frame.put("strategy", frame(strategy));
        return frame;
    }

    private static Map<String, Object> frame(RoutingStrategy strategy) {
        Map<String, Object> frame = new LinkedHashMap<>();
        if (strategy instanceof RoutingStrategy.Rules rules) {
            frame.put("type", "RULE_BASED");
            frame.put("rules", rules.patterns());
        } else if (strategy instanceof RoutingStrategy.Judge judge) {
            frame.put("type", "LLM_JUDGE");
            frame.put("judge_model", judge.model());
            if (judge.promptTemplate() != null) {
                frame.put("prompt_template", judge.promptTemplate());
            }
            if (judge.maxContextChars() != null) {
                frame.put("max_context_chars", judge.maxContextChars());
            }
        } else {
            frame.put("type", "CUSTOM");
        }
        return frame;
    }

    static void requireName(String name, String whose) {
        if (name == null || name.isBlank()) {
            throw new ChatConfigurationException(whose + " requires a name that is not blank.");
        }
    }

    @Override
    public String toString() {
        return "ModelRouter[" + name + ", "
                + candidates.stream().map(Candidate::name).toList() + "]";
    }

    /** Collects a declaration; not thread-safe. */
    public static final class Builder {
        private final List<String> candidates = new ArrayList<>();
        private final Map<String, String> descriptions = new LinkedHashMap<>();
        private String name = "router";
        private String defaultModel;
        private boolean fallback;
        private RoutingStrategy strategy;

        private Builder(List<String> names) {
            for (String candidate : names) {
                requireName(candidate, "A candidate of a router");
                if (candidates.contains(candidate)) {
                    throw new ChatConfigurationException(
                            "The candidate '" + candidate + "' stands twice in a router; name each one once.");
                }
                candidates.add(candidate);
            }
            if (candidates.isEmpty()) {
                throw new ChatConfigurationException("A router needs at least one candidate.");
            }
        }

        /** The router's name, {@code router} unless given; keep it stable over restarts. */
        public Builder name(String newName) {
            requireName(newName, "A router");
            name = newName;
            return this;
        }

        /** What a candidate is good at: a judge is told, and a strategy of your own. */
        public Builder describe(String candidate, String description) {
            requireCandidate(candidate);
            descriptions.put(candidate, Objects.requireNonNull(description, "description"));
            return this;
        }

        /** Who decides; see {@link Strategies}. */
        public Builder strategy(RoutingStrategy newStrategy) {
            strategy = newStrategy;
            return this;
        }

        /** Where a request goes when the strategy abstains; the first candidate unless given. */
        public Builder defaultModel(String candidate) {
            requireCandidate(candidate);
            defaultModel = candidate;
            return this;
        }

        /** Whether the other candidates are tried, in declaration order, when one has failed for good; false unless given. */
        public Builder fallback(boolean newFallback) {
            fallback = newFallback;
            return this;
        }

        /**
         * @throws ChatConfigurationException when there is no strategy, or one with a rule for a model that is no candidate
         */
        public ModelRouter build() {
            if (strategy == null) {
                throw new ChatConfigurationException(
                        "The router '" + name + "' has no strategy; set one with strategy(Strategies....).");
            }
            if (strategy instanceof RoutingStrategy.Rules rules) {
                rules.patterns().keySet().forEach(this::requireCandidate);
            }
            return new ModelRouter(this);
        }

        private void requireCandidate(String candidate) {
            if (!candidates.contains(candidate)) {
                throw new ChatConfigurationException("'" + candidate + "' is no candidate of the router '" + name
                        + "'; its candidates are " + String.join(", ", candidates) + ".");
            }
        }
    }
}
