package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.flinkagentsnative.CredentialSupplier;
import io.github.flinkagentsnative.Secret;
import io.github.flinkagentsnative.agents.ProviderServer.Answer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.agents.api.resource.ResourceDescriptor;

/** The providers beside OpenAI's family: their classes, and their words for what every provider says. */
enum Providers {
    ANTHROPIC(
            AnthropicChatModelConnection.class,
            AnthropicChatModelSetup.class,
            "claude-sonnet-4-5",
            "/v1/messages",
            "/output_config/format/schema",
            "/tools/0/name") {
        @Override
        String message(String content, String end) {
            return "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-sonnet-4-5\",\"content\":["
                    + content + "],\"stop_reason\":\"" + end + "\",\"usage\":{\"input_tokens\":3,\"output_tokens\":5}}";
        }

        @Override
        Answer text(String text) {
            return answer(message("{\"type\":\"text\",\"text\":" + quoted(text) + "}", "end_turn"));
        }

        @Override
        Answer refusal(String text) {
            return answer(message("{\"type\":\"text\",\"text\":" + quoted(text) + "}", "refusal"));
        }

        @Override
        Answer cut(String text) {
            return answer(message("{\"type\":\"text\",\"text\":" + quoted(text) + "}", "max_tokens"));
        }

        @Override
        Answer calls(String city) {
            return answer(message(
                    "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"weather\",\"input\":{\"city\":" + quoted(city)
                            + "}}",
                    "tool_use"));
        }

        @Override
        Answer nothing() {
            return answer(message("", "end_turn"));
        }
    },
    BEDROCK(
            BedrockChatModelConnection.class,
            BedrockChatModelSetup.class,
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse",
            "/outputConfig/textFormat/structure/jsonSchema/schema",
            "/toolConfig/tools/0/toolSpec/name") {
        @Override
        String message(String content, String end) {
            return "{\"output\":{\"message\":{\"role\":\"assistant\",\"content\":[" + content + "]}},\"stopReason\":\""
                    + end + "\",\"usage\":{\"inputTokens\":3,\"outputTokens\":5,\"totalTokens\":8}}";
        }

        @Override
        Answer text(String text) {
            return answer(message("{\"text\":" + quoted(text) + "}", "end_turn"));
        }

        @Override
        Answer filtered() {
            return answer(message("{\"text\":\"blocked\"}", "guardrail_intervened"));
        }

        @Override
        Answer cut(String text) {
            return answer(message("{\"text\":" + quoted(text) + "}", "max_tokens"));
        }

        @Override
        Answer calls(String city) {
            return answer(message(
                    "{\"toolUse\":{\"toolUseId\":\"tooluse_1\",\"name\":\"weather\",\"input\":{\"city\":" + quoted(city)
                            + "}}}",
                    "tool_use"));
        }

        @Override
        Answer nothing() {
            return answer(message("", "end_turn"));
        }
    },
    GEMINI(
            GeminiChatModelConnection.class,
            GeminiChatModelSetup.class,
            "gemini-2.5-flash",
            "/v1beta/models/gemini-2.5-flash:generateContent",
            "/generationConfig/responseJsonSchema",
            "/tools/0/functionDeclarations/0/name") {
        @Override
        String message(String content, String end) {
            return "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[" + content + "]},\"finishReason\":\""
                    + end
                    + "\"}],\"usageMetadata\":{\"promptTokenCount\":3,\"candidatesTokenCount\":5,\"totalTokenCount\":8},"
                    + "\"modelVersion\":\"gemini-2.5-flash\",\"responseId\":\"r1\"}";
        }

        @Override
        Answer text(String text) {
            return answer(message("{\"text\":" + quoted(text) + "}", "STOP"));
        }

        @Override
        Answer filtered() {
            return answer(message("", "SAFETY"));
        }

        @Override
        Answer cut(String text) {
            return answer(message("{\"text\":" + quoted(text) + "}", "MAX_TOKENS"));
        }

        @Override
        Answer calls(String city) {
            return answer(message(
                    "{\"functionCall\":{\"name\":\"weather\",\"args\":{\"city\":" + quoted(city) + "}}}", "STOP"));
        }

        @Override
        Answer nothing() {
            return answer("{\"candidates\":[]}");
        }
    },
    OLLAMA(
            OllamaChatModelConnection.class,
            OllamaChatModelSetup.class,
            "qwen3:8b",
            "/api/chat",
            "/format",
            "/tools/0/function/name") {
        @Override
        String message(String content, String end) {
            return "{\"model\":\"qwen3:8b\",\"created_at\":\"2026-11-30T00:00:00Z\",\"message\":{\"role\":\"assistant\","
                    + content + "},\"done\":true,\"done_reason\":\"" + end
                    + "\",\"prompt_eval_count\":3,\"eval_count\":5}";
        }

        @Override
        Answer text(String text) {
            return answer(message("\"content\":" + quoted(text), "stop"));
        }

        @Override
        Answer cut(String text) {
            return answer(message("\"content\":" + quoted(text), "length"));
        }

        @Override
        Answer calls(String city) {
            return answer(message(
                    "\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"weather\",\"arguments\":{\"city\":"
                            + quoted(city) + "}}}]",
                    "stop"));
        }

        @Override
        Answer nothing() {
            return answer("{}");
        }
    },
    DASHSCOPE(
            DashScopeChatModelConnection.class,
            DashScopeChatModelSetup.class,
            "qwen3.7-max",
            "/compatible-mode/v1/chat/completions",
            "/response_format/json_schema/schema",
            "/tools/0/function/name"),
    WATSONX(
            WatsonxChatModelConnection.class,
            WatsonxChatModelSetup.class,
            "ibm/granite-4-h-small",
            "/ml/v1/text/chat?version=2025-04-23",
            "/response_format/json_schema/schema",
            "/tools/0/function/name");

    /** A token of the job's own; watsonx.ai would else fetch one over the network. */
    public static final class Token implements CredentialSupplier {
        public Token() {}

        @Override
        public Secret get() {
            return Secret.of("token-of-the-job");
        }
    }

    final Class<? extends NativeChatModelConnection> connection;
    final Class<? extends NativeChatModelSetup> setup;
    final String model;
    final String path;
    /** Where a request has its schema, and the name of its first tool. */
    final String schema;

    final String tool;

    Providers(
            Class<? extends NativeChatModelConnection> connection,
            Class<? extends NativeChatModelSetup> setup,
            String model,
            String path,
            String schema,
            String tool) {
        this.connection = connection;
        this.setup = setup;
        this.model = model;
        this.path = path;
        this.schema = schema;
        this.tool = tool;
    }

    /** Chat Completions, which two of them speak. */
    String message(String content, String end) {
        return "{\"id\":\"chat-1\",\"model\":" + quoted(model)
                + ",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\"," + content
                + "},\"finish_reason\":\"" + end
                + "\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":5,\"total_tokens\":8}}";
    }

    Answer text(String text) {
        return answer(message("\"content\":" + quoted(text), "stop"));
    }

    /** Null where the provider has no word for it. */
    Answer refusal(String text) {
        return null;
    }

    /** Null where the provider has no word for it. */
    Answer filtered() {
        return null;
    }

    Answer cut(String text) {
        return answer(message("\"content\":" + quoted(text), "length"));
    }

    Answer calls(String city) {
        return answer(message(
                "\"content\":\"\",\"tool_calls\":[{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":\"weather\","
                        + "\"arguments\":" + quoted("{\"city\":" + quoted(city) + "}") + "}}]",
                "tool_calls"));
    }

    Answer nothing() {
        return answer("{\"choices\":[]}");
    }

    static Answer answer(String body) {
        return new Answer(200, body);
    }

    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    Map<String, Object> connectionArguments(ProviderServer server) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        switch (this) {
            case GEMINI -> arguments.put("base_url", server.url());
            case OLLAMA -> arguments.put("endpoint", server.url());
            case DASHSCOPE -> arguments.put("api_base_url", server.url() + "/compatible-mode/v1");
            case BEDROCK, ANTHROPIC, WATSONX -> arguments.put("api_base_url", server.url());
        }
        if (this == WATSONX) {
            arguments.put("project_id", "p-1");
            arguments.put("credentials_class", Token.class.getName());
        } else if (this != OLLAMA) {
            arguments.put("api_key", "key-of-the-job");
        }
        if (this == BEDROCK) {
            arguments.put("region", "us-east-1");
        }
        return arguments;
    }

    Map<String, Object> setupArguments() {
        return new LinkedHashMap<>(Map.of("connection", "service", "model", model));
    }

    NativeChatModelConnection connection(Map<String, Object> arguments) throws Exception {
        return (NativeChatModelConnection)
                Services.build(new ResourceDescriptor(connection.getName(), arguments), new Services.Context(Map.of()));
    }

    NativeChatModelConnection connect(ProviderServer server, Object... more) throws Exception {
        NativeChatModelConnection connection = connection(Services.with(connectionArguments(server), more));
        connection.open();
        return connection;
    }

    /** An open setup on {@code connection}; tools are known by their names. */
    NativeChatModelSetup setUp(NativeChatModelConnection connection, Object... more) throws Exception {
        NativeChatModelSetup built = (NativeChatModelSetup) Services.build(
                new ResourceDescriptor(setup.getName(), Services.with(setupArguments(), more)),
                new Services.Context(Map.of("service", connection, "weather", new Services.Weather())));
        built.open();
        return built;
    }

    /** Whether a schema travels beside tools: not to this generation of Gemini. */
    boolean takesSchemaBesideTools() {
        return this != GEMINI;
    }

    JsonNode schemaOf(JsonNode body) {
        return body.at(schema);
    }
}
