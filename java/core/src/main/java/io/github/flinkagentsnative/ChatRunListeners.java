package io.github.flinkagentsnative;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Several listeners as one, told in order. */
final class ChatRunListeners implements ChatRunListener {

    private final List<ChatRunListener> listeners;

    ChatRunListeners(List<ChatRunListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    private void tell(Consumer<ChatRunListener> what) {
        listeners.forEach(what);
    }

    @Override
    public void schemaDecided(String model, StructuredOutputDecision decision) {
        tell(listener -> listener.schemaDecided(model, decision));
    }

    @Override
    public void callStarted(String model, Purpose purpose) {
        tell(listener -> listener.callStarted(model, purpose));
    }

    @Override
    public void callEnded(String model, Purpose purpose, Duration elapsed, ChatResult result, ErrorKind kind) {
        tell(listener -> listener.callEnded(model, purpose, elapsed, result, kind));
    }

    @Override
    public void callReplayed(String key) {
        tell(listener -> listener.callReplayed(key));
    }

    @Override
    public void modelRouted(ModelRoutingEvent event) {
        tell(listener -> listener.modelRouted(event));
    }

    @Override
    public void runEnded(ChatOutcome<?> outcome) {
        tell(listener -> listener.runEnded(outcome));
    }
}
