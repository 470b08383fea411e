package io.github.flinkagentsnative;

/** The services whose wire format this library speaks. */
public enum Provider {
    /** OpenAI Chat Completions, and servers that speak it (llama.cpp and others). */
    OPENAI("openai"),
    /** Azure OpenAI, by deployment. */
    AZURE_OPENAI("azure_openai"),
    /** OpenAI Responses. */
    OPENAI_RESPONSES("openai_responses"),
    /** vLLM's own server: Chat Completions, and a schema for any model. */
    VLLM("vllm"),
    /** Ollama's own API, on this host or in its cloud. */
    OLLAMA("ollama"),
    /** DashScope, Alibaba Cloud's Model Studio: its OpenAI-compatible endpoint or its own. */
    DASHSCOPE("dashscope"),
    /** IBM watsonx.ai's text chat. */
    WATSONX("watsonx"),
    /** Google Gemini's generateContent, on the Gemini API or on Vertex AI. */
    GEMINI("gemini"),
    /** Amazon Bedrock Converse. */
    BEDROCK("bedrock"),
    /** Anthropic Messages. */
    ANTHROPIC("anthropic");

    private final String wireName;

    Provider(String wireName) {
        this.wireName = wireName;
    }

    /** The name in settings, frames and docs. */
    public String wireName() {
        return wireName;
    }
}
