package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ModelRouterTest {

    private static final RoutingStrategy.Custom ABSTAINS =
            Strategies.custom((candidates, messages) -> RoutingDecision.abstain("always"));

    // ---- the declaration

    @Test
    void pr964_frames_are_the_declarations_that_the_native_side_reads() {
        Map<String, String> rules = new LinkedHashMap<>();
        rules.put("large", "\\b(contract|lawyer)\\b");
        rules.put("small", ".");
        List<ModelRouter> routers = List.of(
                ModelRouter.of("small", "large")
                        .name("support")
                        .describe("large", "long or legal texts")
                        .describe("small", "everything else")
                        .strategy(Strategies.rules(rules))
                        .defaultModel("large")
                        .fallback(true)
                        .build(),
                ModelRouter.of("small", "large")
                        .strategy(Strategies.llm("judge"))
                        .build(),
                ModelRouter.of(List.of("small", "large"))
                        .strategy(
                                Strategies.llm("judge", "Choose:\n{candidates}").withMaxContextChars(4000))
                        .build(),
                ModelRouter.of("small").strategy(ABSTAINS).build());
        List<Map<String, Object>> vectors = Vectors.of("routing").toList();
        assertThat(vectors).hasSameSizeAs(routers);
        for (int i = 0; i < routers.size(); i++) {
            Map<String, Object> vector = vectors.get(i);
            Map<?, ?> frame = Frames.unpack(Frames.pack(routers.get(i).frame()));
            assertThat(frame).as("%s", vector.get("name")).isEqualTo(vector.get("router"));
            List<Object> order = new ArrayList<>(strategy(frame).keySet());
            assertThat(order)
                    .containsExactlyElementsOf(
                            strategy((Map<?, ?>) vector.get("router")).keySet());
        }
    }

    /** The strategy's rules where it has some, whose order counts; else the strategy. */
    private static Map<String, Object> strategy(Map<?, ?> router) {
        Map<String, Object> strategy = MessageFrames.object(router.get("strategy"));
        return strategy.containsKey("rules") ? MessageFrames.object(strategy.get("rules")) : strategy;
    }

    @Test
    void pr964_what_is_not_set_has_a_default() {
        ModelRouter router = ModelRouter.of("a", "b").strategy(ABSTAINS).build();
        assertThat(router.name()).isEqualTo("router");
        assertThat(router.defaultModel()).isEqualTo("a");
        assertThat(router.fallback()).isFalse();
        assertThat(router.strategy()).isSameAs(ABSTAINS);
        assertThat(router.candidates())
                .containsExactly(new ModelRouter.Candidate("a", null), new ModelRouter.Candidate("b", null));
        assertThat(router).hasToString("ModelRouter[router, [a, b]]");
    }

    @Test
    void pr964_a_router_does_not_change_with_its_builder_or_its_map() {
        Map<String, String> patterns = new LinkedHashMap<>(Map.of("a", "x"));
        ModelRouter.Builder builder = ModelRouter.of("a", "b").strategy(Strategies.rules(patterns));
        ModelRouter router = builder.build();
        Map<String, Object> before = router.frame();
        patterns.put("b", "y");
        builder.name("other").describe("a", "x").defaultModel("b").fallback(true);
        assertThat(router.frame()).isEqualTo(before);
    }

    @Test
    void pr964_what_is_cheap_to_check_is_refused_at_once() {
        refused(() -> ModelRouter.of(), "at least one candidate");
        refused(() -> ModelRouter.of("a", " "), "not blank");
        refused(() -> ModelRouter.of(Arrays.asList("a", null)), "not blank");
        refused(() -> ModelRouter.of("a", "b", "a"), "'a' stands twice");
        refused(() -> ModelRouter.of("a").name(""), "not blank");
        refused(() -> ModelRouter.of("a", "b").defaultModel("z"), "'z' is no candidate", "candidates are a, b");
        refused(() -> ModelRouter.of("a").describe("z", "x"), "'z' is no candidate");
        refused(() -> ModelRouter.of("a").build(), "no strategy");
        refused(
                () -> ModelRouter.of("a")
                        .strategy(Strategies.rules(Map.of("z", "x")))
                        .build(),
                "'z' is no candidate");
        refused(() -> Strategies.rules(Map.of()), "at least one rule");
        refused(() -> Strategies.rules(null), "at least one rule");
        refused(() -> Strategies.rules(Map.of("a", "")), "'a' has no pattern");
        refused(() -> Strategies.llm(null), "not blank");
        refused(() -> Strategies.llm("j", null), "template");
        refused(() -> Strategies.llm("j", " "), "template");
        refused(() -> Strategies.llm("j").withMaxContextChars(0), "at least 1 character, not 0");
        refused(() -> Strategies.llm("j").withMaxContextChars(-5), "not -5");
        assertThatThrownBy(() -> Strategies.custom(null)).isInstanceOf(NullPointerException.class);
    }

    private static void refused(ThrowingCallable declaration, String... parts) {
        assertThatExceptionOfType(ChatConfigurationException.class)
                .isThrownBy(declaration)
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    /** Rust runs the same table through its own matcher. */
    @Test
    void rules_find_what_java_finds_but_for_stated_line_breaks() {
        int flags = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.UNICODE_CHARACTER_CLASS;
        assertThat(Vectors.of("routing_rules")).isNotEmpty().allSatisfy(vector -> {
            String pattern = MessageFrames.text(vector, "pattern");
            boolean found = Pattern.compile(pattern, flags)
                    .matcher(MessageFrames.text(vector, "text"))
                    .find();
            assertThat(found).isEqualTo(vector.getOrDefault("in_java", vector.get("found")));
        });
    }

    // ---- decisions

    @Test
    void pr964_a_decision_crosses_with_six_keys() {
        RoutingDecision decision =
                RoutingDecision.select("a", "fits").withScore(0.75).withMetadata(Map.of("tokens", 7L));
        assertThat(JsonReader.read(("{\"selected_model\":\"a\",\"abstain\":false,\"reason\":\"fits\",\"score\":0.75,"
                                + "\"metadata\":{\"tokens\":7},\"decision_ms\":null}")
                        .getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(Frames.unpack(Frames.pack(decision.frame())));
        assertThat(RoutingDecision.abstain("unsure").frame())
                .containsEntry("selected_model", null)
                .containsEntry("abstain", true)
                .containsEntry("reason", "unsure")
                .containsOnlyKeys("selected_model", "abstain", "reason", "score", "metadata", "decision_ms");
    }

    @Test
    void pr964_a_decision_abstains_exactly_when_it_names_no_model() {
        assertThat(RoutingDecision.select("a").abstains()).isFalse();
        assertThat(RoutingDecision.abstain(null).abstains()).isTrue();
        for (String nothing : new String[] {null, "", " "}) {
            assertThatThrownBy(() -> RoutingDecision.select(nothing))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("abstain(...)");
        }
    }

    @Test
    void a_decision_holds_only_what_json_holds_and_does_not_change() {
        Map<String, Object> metadata = new HashMap<>(Map.of("k", 1));
        RoutingDecision decision = RoutingDecision.select("a").withMetadata(metadata);
        metadata.put("k", 2);
        assertThat(decision.metadata()).isEqualTo(Map.of("k", 1));
        assertThatThrownBy(() -> decision.withMetadata(Map.of("k", new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/metadata/k");
        assertThatThrownBy(() -> decision.withScore(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RoutingDecision("a", null, null, null, -1L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1 ms");
    }

    @Test
    void pr1042_a_strategy_of_your_own_gets_candidates_and_messages_and_may_throw() throws Exception {
        List<ChatMessage> messages = List.of(ChatMessage.user("hi"));
        ModelRoutingStrategy code = (candidates, asked) -> {
            if (asked.isEmpty()) {
                throw new IOException("nothing to decide on");
            }
            return RoutingDecision.select(candidates.get(asked.size()).name());
        };
        ModelRouter router =
                ModelRouter.of("a", "b").strategy(Strategies.custom(code)).build();
        ModelRoutingStrategy kept = ((RoutingStrategy.Custom) router.strategy()).code();
        assertThat(kept.decide(router.candidates(), messages)).isEqualTo(RoutingDecision.select("b"));
        assertThatThrownBy(() -> kept.decide(router.candidates(), List.of())).isInstanceOf(IOException.class);
    }
}
