package io.github.flinkagentsnative.agents;

import io.github.flinkagentsnative.testkit.LocalChatServer;
import io.github.flinkagentsnative.testkit.ReceivedRequest;
import io.github.flinkagentsnative.testkit.Reply;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The server of the testkit, which users have too: OpenAI, Responses, Azure. */
record OpenAiService(LocalChatServer server) implements LocalService {

    OpenAiService() {
        this(LocalChatServer.start());
        server.requireKey(KEY);
        server.respondWith(request -> {
            throw new IllegalStateException("nothing was prepared");
        });
    }

    @Override
    public String url() {
        return server.azureEndpoint();
    }

    @Override
    public void enqueue(Answer... next) {
        server.enqueue(Stream.of(next).map(OpenAiService::reply).toArray(Reply[]::new));
    }

    @Override
    public void respondWith(Function<Received, Answer> responder) {
        server.respondWith(request -> reply(responder.apply(received(request))));
    }

    private static Reply reply(Answer answer) {
        Reply reply = Reply.json(answer.status(), answer.body()).after(answer.delay());
        for (var header : answer.headers().entrySet()) {
            reply = reply.header(header.getKey(), header.getValue());
        }
        return reply;
    }

    @Override
    public List<Received> requests() {
        return server.requests().stream().map(OpenAiService::received).toList();
    }

    private static Received received(ReceivedRequest request) {
        String query = request.query().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("&"));
        return new Received(
                request.method(),
                request.path() + (query.isEmpty() ? "" : "?" + query),
                request.headers(),
                request.body(),
                request.json());
    }

    @Override
    public int maxInFlight() {
        return server.maxInFlight();
    }

    @Override
    public void close() {
        server.close();
    }
}
