package io.github.flinkagentsnative.testkit;

/** Says what the model answers to a request that the service has accepted. Called by several threads at once. */
@FunctionalInterface
public interface Responder {
    /**
     * @param request the accepted request
     * @return the answer
     */
    Reply respond(ReceivedRequest request);
}
