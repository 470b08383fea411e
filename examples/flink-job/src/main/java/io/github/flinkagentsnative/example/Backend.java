package io.github.flinkagentsnative.example;

import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.Provider;
import io.github.flinkagentsnative.testkit.LocalChatServer;
import io.github.flinkagentsnative.testkit.ReceivedRequest;
import io.github.flinkagentsnative.testkit.Reply;
import io.github.flinkagentsnative.testkit.Responder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * Who answers the job's requests.
 *
 * @param name for the user
 * @param model makes the model on the task managers
 * @param maxTokens limit for each answer, or null for the model's own
 * @param server the testkit's server behind it, or null
 * @param resource what has to be closed when the job has ended
 */
record Backend(
        String name,
        SerializableSupplier<ChatModel> model,
        Integer maxTokens,
        LocalChatServer server,
        AutoCloseable resource)
        implements AutoCloseable {
    private static final String MODEL = "gpt-4o-mini";

    /**
     * Opens a provider.
     *
     * @throws IllegalArgumentException if a setting is missing, with its name
     * @throws Unavailable if the provider cannot be had on this host
     */
    static Backend open(String provider, Map<String, String> environment)
            throws Unavailable, IOException, InterruptedException {
        return switch (provider) {
            case "openai" -> openAi(environment);
            case "azure" -> azure(environment);
            case "llama" -> llama(environment);
            default -> local();
        };
    }

    /** The provider cannot be had on this host; the message says why, in one line. */
    static final class Unavailable extends Exception {
        private static final long serialVersionUID = 1L;

        Unavailable(String message) {
            super(message);
        }
    }

    /** The testkit's server, with keywords for the bundled languages and the delays of a real service. */
    static Backend local() {
        LocalChatServer server = LocalChatServer.start();
        Responder sorter = Keywords.responder();
        server.respondWith(request -> delayed(sorter.respond(request), request.lastUserText()));
        return of("local server", server);
    }

    /** A server of the testkit as it is. */
    static Backend of(String name, LocalChatServer server) {
        String url = server.baseUrl();
        String key = server.apiKey();
        return new Backend(
                name + " " + url + ", " + MODEL,
                () -> ChatModel.builder(Provider.OPENAI)
                        .apiBaseUrl(url)
                        .apiKey(key)
                        .model(MODEL)
                        .build(),
                null,
                server,
                server);
    }

    /** How often each text was asked; null when the provider does not tell. */
    Map<String, Long> asked() {
        return server == null
                ? null
                : server.requests().stream()
                        .collect(Collectors.groupingBy(ReceivedRequest::lastUserText, Collectors.counting()));
    }

    private static Reply delayed(Reply reply, String text) {
        return reply.after(Duration.ofMillis(120 + Math.floorMod(text.hashCode(), 400)));
    }

    private static Backend openAi(Map<String, String> environment) {
        String key = required(environment, "OPENAI_API_KEY");
        String url = environment.getOrDefault("OPENAI_BASE_URL", "https://api.openai.com/v1");
        String model = environment.getOrDefault("OPENAI_MODEL", MODEL);
        return new Backend(
                "OpenAI " + url + ", " + model,
                () -> ChatModel.builder(Provider.OPENAI)
                        .apiBaseUrl(url)
                        .apiKey(key)
                        .model(model)
                        .build(),
                null,
                null,
                () -> {});
    }

    private static Backend azure(Map<String, String> environment) {
        String key = required(environment, "AZURE_OPENAI_API_KEY");
        String endpoint = required(environment, "AZURE_OPENAI_ENDPOINT");
        String version = required(environment, "OPENAI_API_VERSION");
        String deployment = required(environment, "AZURE_OPENAI_DEPLOYMENT");
        String model = environment.get("AZURE_OPENAI_MODEL");
        return new Backend(
                "Azure OpenAI " + endpoint + ", deployment " + deployment,
                () -> {
                    ChatModel.Builder builder = ChatModel.builder(Provider.AZURE_OPENAI)
                            .azureEndpoint(endpoint)
                            .apiVersion(version)
                            .apiKey(key)
                            .model(deployment);
                    return (model == null ? builder : builder.modelOfAzureDeployment(model)).build();
                },
                null,
                null,
                () -> {});
    }

    private static Backend llama(Map<String, String> environment)
            throws Unavailable, IOException, InterruptedException {
        LlamaServer server = LlamaServer.start(environment);
        String url = server.baseUrl();
        String model = "tiny-random";
        return new Backend(
                "llama.cpp " + url + ", " + model,
                () -> ChatModel.builder(Provider.OPENAI)
                        .apiBaseUrl(url)
                        .keyless()
                        .model(model)
                        .nativeModels(List.of(model))
                        .build(),
                LlamaServer.MAX_TOKENS,
                null,
                server);
    }

    private static String required(Map<String, String> environment, String name) {
        String value = environment.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("the environment variable " + name + " is not set");
        }
        return value;
    }

    @Override
    public void close() {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException("cannot stop " + name, e);
        }
    }
}
