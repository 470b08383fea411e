package io.github.flinkagentsnative;

import java.util.Map;

/** The strategies of a {@link ModelRouter} (upstream #1042). */
public final class Strategies {

    private Strategies() {}

    /**
     * Regular expressions on the text of the last user message, each for one candidate. They are found anywhere in it and in any
     * case; the first one in map order wins, so pass a {@link java.util.LinkedHashMap}. When none is found, the strategy abstains.
     *
     * <p>Patterns run natively in time linear in the text: look-around, back-references and possessive quantifiers are refused
     * when a run starts (docs/routing.md).
     *
     * @throws ChatConfigurationException for no rule, or an empty pattern
     */
    public static RoutingStrategy.Rules rules(Map<String, String> patterns) {
        return new RoutingStrategy.Rules(patterns);
    }

    /**
     * A model judges, told by a built-in prompt. It is called as it is, so it must have no prompt, tools or skills of its own.
     *
     * @throws ChatConfigurationException for a blank name
     */
    public static RoutingStrategy.Judge llm(String judgeModel) {
        return new RoutingStrategy.Judge(judgeModel, null, null);
    }

    /**
     * A model judges, told by your own prompt, in which <code>{candidates}</code> stands for lines {@code - name: description}. It
     * has to ask for a reply <code>{"model": "name"}</code>, or for nothing but the name.
     *
     * @throws ChatConfigurationException for a blank name or template
     */
    public static RoutingStrategy.Judge llm(String judgeModel, String promptTemplate) {
        if (promptTemplate == null) {
            throw new ChatConfigurationException(
                    "The prompt template of the judge is null; leave it out for the built-in one.");
        }
        return new RoutingStrategy.Judge(judgeModel, promptTemplate, null);
    }

    /** Your own code decides. */
    public static RoutingStrategy.Custom custom(ModelRoutingStrategy code) {
        return new RoutingStrategy.Custom(code);
    }
}
