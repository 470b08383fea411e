package io.github.flinkagentsnative;

import java.util.List;

/** A routing strategy of your own. Several threads may ask it at once. */
@FunctionalInterface
public interface ModelRoutingStrategy {

    /**
     * Decides where a request goes. It is asked once for each request, before the first call; a recovered run takes the recorded
     * decision.
     *
     * @param candidates in declaration order, with what is said about them
     * @param messages the request's conversation
     * @return one of the candidates, or an abstention; null, and a model that is no candidate, make the request fail
     * @throws Exception makes the request fail; no model is called
     */
    RoutingDecision decide(List<ModelRouter.Candidate> candidates, List<ChatMessage> messages) throws Exception;
}
