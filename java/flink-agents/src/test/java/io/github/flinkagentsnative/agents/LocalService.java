package io.github.flinkagentsnative.agents;

import java.util.List;
import java.util.function.Function;

/** A local server that speaks one provider's wire, refuses what the service would refuse, and remembers what it was asked. */
interface LocalService extends AutoCloseable {

    String KEY = "key-of-the-job";

    /** Scheme, host and port. */
    String url();

    /** Answers for the next accepted requests, one each. */
    void enqueue(Answer... next);

    /** Who answers when nothing is queued; without one the test has failed. */
    void respondWith(Function<Received, Answer> responder);

    /** All requests, refused ones too; calls for tokens are not among them. */
    List<Received> requests();

    /** The largest number of requests that were open at the same time. */
    int maxInFlight();

    @Override
    void close();

    default Received only() {
        if (requests().size() != 1) {
            throw new AssertionError("expected one request, found " + requests());
        }
        return requests().get(0);
    }

    default Received last() {
        return requests().get(requests().size() - 1);
    }
}
