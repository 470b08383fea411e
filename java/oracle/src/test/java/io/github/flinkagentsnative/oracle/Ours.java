package io.github.flinkagentsnative.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.HttpCall;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.Provider;

/** What this library would send. */
final class Ours {
    static final String MODEL = "gpt-5";
    static final String CLAUDE = "claude-opus-5";

    private Ours() {}

    static ChatModel openAi() {
        return ChatModel.builder(Provider.OPENAI).model(MODEL).apiKey("sk-test").build();
    }

    static ChatModel responses() {
        return ChatModel.builder(Provider.OPENAI_RESPONSES)
                .model(MODEL)
                .apiKey("sk-test")
                .build();
    }

    static ChatModel anthropic() {
        return ChatModel.builder(Provider.ANTHROPIC)
                .model(CLAUDE)
                .apiKey("sk-test")
                .build();
    }

    static ChatModel azure(String endpoint, String apiVersion, String deployment) {
        return ChatModel.builder(Provider.AZURE_OPENAI)
                .azureEndpoint(endpoint)
                .apiVersion(apiVersion)
                .model(deployment)
                .modelOfAzureDeployment(MODEL)
                .apiKey("key")
                .build();
    }

    static JsonNode request(ChatModel model, ChatRequest request) {
        return wire(model.buildRequest(request));
    }

    /** A class that has no schema is refused before there is a request. */
    static JsonNode request(ChatModel model, ChatRequest request, Class<?> answer) {
        OutputSchema<?> schema;
        try {
            schema = OutputSchema.of(answer);
        } catch (IllegalArgumentException e) {
            return Json.object().put("refused", e.getMessage());
        }
        return wire(model.buildRequest(request, schema));
    }

    private static JsonNode wire(HttpCall call) {
        return Json.object().put("url", call.url().toString()).set("body", Json.read(call.body()));
    }
}
