package io.github.flinkagentsnative;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Who decides which model a request goes to (upstream #1042); made by {@link Strategies}. */
public sealed interface RoutingStrategy {

    /**
     * The first pattern that is found in the last user message selects its candidate.
     *
     * @param patterns candidate to regular expression, in the order in which they are tried
     */
    record Rules(Map<String, String> patterns) implements RoutingStrategy {

        public Rules {
            if (patterns == null || patterns.isEmpty()) {
                throw new ChatConfigurationException("A rule-based strategy needs at least one rule.");
            }
            patterns = Collections.unmodifiableMap(new LinkedHashMap<>(patterns));
            patterns.forEach((candidate, pattern) -> {
                if (pattern == null || pattern.isEmpty()) {
                    throw new ChatConfigurationException("The rule of '" + candidate
                            + "' has no pattern; leave the rule out, or write .* to match every text.");
                }
            });
        }
    }

    /**
     * A model decides.
     *
     * @param model name of the chat model that judges
     * @param promptTemplate its instruction, in which <code>{candidates}</code> stands for their list; null for the built-in one
     * @param maxContextChars most characters of the request that it is shown; null for all
     */
    record Judge(String model, String promptTemplate, Integer maxContextChars) implements RoutingStrategy {

        public Judge {
            ModelRouter.requireName(model, "A judge");
            if (promptTemplate != null && promptTemplate.isBlank()) {
                throw new ChatConfigurationException("The prompt template of the judge '" + model
                        + "' is blank; leave it out for the built-in one.");
            }
            if (maxContextChars != null && maxContextChars < 1) {
                throw new ChatConfigurationException(
                        "The judge '" + model + "' has to be shown at least 1 character, not " + maxContextChars + ".");
            }
        }

        /**
         * The same judge, shown at most so many characters of a request: the newest message first, then system messages and those
         * of the prompt, then the others from newest to oldest.
         */
        public Judge withMaxContextChars(int characters) {
            return new Judge(model, promptTemplate, characters);
        }
    }

    /**
     * Your own code decides.
     *
     * @param code asked once for each request
     */
    record Custom(ModelRoutingStrategy code) implements RoutingStrategy {

        public Custom {
            Objects.requireNonNull(code, "code");
        }
    }
}
