package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.ChatResult;
import io.github.flinkagentsnative.ModelCaller;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.StructuredOutputDecision;
import java.util.concurrent.CompletableFuture;

/** An open connection under a run: call parameters may have Flink Agents' names, as in {@code chat}. */
record ConnectionCaller(ModelCaller client, ConnectionTable table) implements ModelCaller {

    @Override
    public StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) throws Exception {
        return client.decide(renamed(request), schema);
    }

    @Override
    public CompletableFuture<ChatResult> call(ChatRequest request, OutputSchema<?> schema) throws Exception {
        return client.call(renamed(request), schema);
    }

    private ChatRequest renamed(ChatRequest request) {
        return new ChatRequest(
                request.messages(),
                request.tools(),
                table.parameters(request.parameters()),
                request.strategy(),
                request.whenInfeasible(),
                request.timeout());
    }

    @Override
    public String toString() {
        return client.toString();
    }
}
