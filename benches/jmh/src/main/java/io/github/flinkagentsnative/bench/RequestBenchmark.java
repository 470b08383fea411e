package io.github.flinkagentsnative.bench;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.openai.core.JsonSchemaLocalValidation;
import com.openai.core.ObjectMappers;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import io.github.flinkagentsnative.ChatMessage;
import io.github.flinkagentsnative.ChatModel;
import io.github.flinkagentsnative.ChatRequest;
import io.github.flinkagentsnative.OutputSchema;
import io.github.flinkagentsnative.Provider;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * From a class and a text to the finished body of a Chat Completions request, beside openai-java. The peer derives the schema
 * on each call, as its API does; ours derives it once per class. Its local check of the schema is off, which favours it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
public class RequestBenchmark {
    public enum Category {
        BILLING,
        OUTAGE,
        QUESTION
    }

    public static class Customer {
        public String name;
        public String language;
    }

    /** Public fields, so that both sides see the same properties. */
    public static class Verdict {
        public Category category;

        @JsonPropertyDescription("From 1 (can wait) to 5 (production is down)")
        public int urgency;

        public Customer customer;
        public List<String> topics;
        public BigDecimal refund;
        public String summary;
    }

    @Param({"200", "36000"})
    int textLength;

    private String text;
    private ChatModel model;

    @Setup
    public void setUp() {
        String sentence = "The invoice of March was charged twice, please check \"order 4711\" – danke!\n";
        text = sentence.repeat(textLength / sentence.length() + 1).substring(0, textLength);
        model = ChatModel.builder(Provider.OPENAI)
                .model("gpt-5")
                .apiKey("sk-benchmark")
                .build();
    }

    @Benchmark
    public byte[] classSchemaOurs() {
        return model.buildRequest(ChatRequest.of(ChatMessage.user(text)), OutputSchema.of(Verdict.class))
                .body();
    }

    @Benchmark
    public byte[] classSchemaOpenaiJava() throws JsonProcessingException {
        return ObjectMappers.jsonMapper()
                .writeValueAsBytes(ChatCompletionCreateParams.builder()
                        .model("gpt-5")
                        .addUserMessage(text)
                        .responseFormat(Verdict.class, JsonSchemaLocalValidation.NO)
                        .build()
                        .rawParams()
                        ._body());
    }

    @Benchmark
    public byte[] noSchemaOurs() {
        return model.buildRequest(ChatRequest.of(ChatMessage.user(text))).body();
    }

    @Benchmark
    public byte[] noSchemaOpenaiJava() throws JsonProcessingException {
        return ObjectMappers.jsonMapper()
                .writeValueAsBytes(ChatCompletionCreateParams.builder()
                        .model("gpt-5")
                        .addUserMessage(text)
                        .build()
                        ._body());
    }
}
