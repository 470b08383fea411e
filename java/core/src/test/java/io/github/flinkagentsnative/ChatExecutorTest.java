package io.github.flinkagentsnative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChatExecutorTest {

    record Bag(int n) {}

    private static final OutputSchema<Bag> BAG = OutputSchema.of(Bag.class);
    private static final ChatRequest ASK =
            ChatRequest.of(ChatMessage.system("Be short."), ChatMessage.user("How many?"));
    private static final ToolSpec FIND = new ToolSpec("find", "Finds.", "{\"type\":\"object\"}", null);

    private final ScriptedModel model = new ScriptedModel();

    private ChatExecutor.Builder executor() {
        return ChatExecutor.builder(model).retryWaitInterval(Duration.ofMillis(5));
    }

    private static ChatModelException failure(ErrorKind kind, Map<String, Object> details) {
        return new ChatModelException(kind, "it went wrong", details);
    }

    private static ChatModelException transport() {
        return failure(ErrorKind.TRANSPORT, Map.of());
    }

    @Test
    void a_request_without_a_schema_is_one_call_and_its_result() throws Exception {
        model.thenText("three");
        try (ChatExecutor executor = executor().build()) {
            ChatOutcome<Object> outcome = executor.execute("a", ASK, null);
            assertThat(outcome.result().text()).isEqualTo("three");
            assertThat(outcome.value()).isNull();
            assertThat(outcome.attempts()).hasSize(1);
            assertThat(outcome.attempts().get(0).key()).isEqualTo("chat");
            assertThat(outcome.usage()).isEqualTo(new TokenUsage(10L, 5L));
            assertThat(model.asked.get(0).request().messages()).isEqualTo(ASK.messages());
        }
    }

    @Test
    void pr1215_c02_c03_the_finalization_has_history_answer_and_instruction_but_no_tools() throws Exception {
        model.decides(true)
                .then(ScriptedModel.toolCall("c1", "find"))
                .thenText("it is one")
                .thenText("{\"n\":1}");
        ChatRequest request = ChatRequest.builder()
                .messages(ASK.messages())
                .tool(FIND)
                .parameter("tool_choice", "auto")
                .parameter("temperature", 0)
                .build();
        try (ChatExecutor executor = executor()
                .tools(call -> ToolResultBlock.of(call.callId(), "found"))
                .build()) {
            ChatOutcome<Bag> outcome = executor.execute("a", request, BAG);
            assertThat(outcome.value()).isEqualTo(new Bag(1));
            assertThat(outcome.decision().isNative()).isTrue();
        }
        assertThat(model.asked).hasSize(3);
        assertThat(model.asked.get(0).schema()).isNull();
        ChatRequest loop = model.asked.get(1).request();
        assertThat(loop.messages())
                .extracting(ChatMessage::role)
                .containsExactly(MessageRole.SYSTEM, MessageRole.USER, MessageRole.ASSISTANT, MessageRole.TOOL);
        assertThat(loop.tools()).containsExactly(FIND);
        ScriptedModel.Asked last = model.asked.get(2);
        assertThat(last.schema()).isSameAs(BAG);
        assertThat(last.request().messages())
                .extracting(ChatMessage::role)
                .containsExactly(MessageRole.SYSTEM, MessageRole.USER, MessageRole.ASSISTANT, MessageRole.USER);
        assertThat(last.request().messages().get(2).text()).isEqualTo("it is one");
        assertThat(last.request().tools()).isEmpty();
        assertThat(last.request().parameters()).containsOnlyKeys("temperature");
        assertThat(last.request().strategy()).isEqualTo(StructuredOutputStrategy.NATIVE);
    }

    @Test
    void with_tools_only_a_request_without_tools_is_one_call() throws Exception {
        model.decides(true).thenText("{\"n\":1}");
        try (ChatExecutor executor =
                executor().finalization(Finalization.WITH_TOOLS).build()) {
            assertThat(executor.execute("a", ASK, BAG).value()).isEqualTo(new Bag(1));
        }
        assertThat(model.asked).hasSize(1);
        assertThat(model.asked.get(0).schema()).isSameAs(BAG);
    }

    @Test
    void pr1215_c06_the_prompt_path_shows_the_schema_behind_the_first_system_message() throws Exception {
        model.decides(false).thenText("```json\n{\"n\":1}\n```");
        try (ChatExecutor executor = executor().build()) {
            assertThat(executor.execute("a", ASK, BAG).value()).isEqualTo(new Bag(1));
        }
        List<ChatMessage> messages = model.asked.get(0).request().messages();
        assertThat(messages).hasSize(3);
        assertThat(messages.get(1)).isEqualTo(ChatMessage.system(BAG.instruction()));
        assertThat(model.asked.get(0).schema()).isNull();
    }

    @Test
    void pr1149_c01_c03_retries_end_in_one_outcome_with_statistics() throws Exception {
        model.then(transport()).then(transport()).thenText("ok");
        try (ChatExecutor executor = executor().maxRetries(2).build()) {
            ChatOutcome<Object> outcome = executor.execute("a", ASK, null);
            assertThat(outcome.isSuccess()).isTrue();
            assertThat(outcome.retryCount()).isEqualTo(2);
            assertThat(outcome.totalRetryWaitSec()).isEqualTo(1); // 5 + 10 ms, rounded up once
            assertThat(outcome.attempts())
                    .extracting(ChatAttempt::kind)
                    .containsExactly(ErrorKind.TRANSPORT, ErrorKind.TRANSPORT, null);
            assertThat(outcome.attempts())
                    .extracting(ChatAttempt::waited)
                    .containsExactly(Duration.ZERO, Duration.ofMillis(5), Duration.ofMillis(10));
        }
    }

    @Test
    void pr1149_c02_error_texts_name_the_class_that_was_thrown() throws Exception {
        Map<Throwable, String> failures = Map.of(
                new TimeoutException("too slow"),
                "java.util.concurrent.TimeoutException: too slow",
                new CompletionException(new ExecutionException(new IOException("gone"))),
                "java.io.IOException: gone",
                new InterruptedIOException(),
                "java.io.InterruptedIOException: null",
                transport(),
                "io.github.flinkagentsnative.ChatModelException: it went wrong",
                new IllegalArgumentException("bad"),
                "java.lang.IllegalArgumentException: bad");
        Map<String, ErrorKind> kinds = Map.of(
                "java.util.concurrent.TimeoutException", ErrorKind.TIMEOUT,
                "java.io.IOException", ErrorKind.TRANSPORT,
                "java.io.InterruptedIOException", ErrorKind.TIMEOUT,
                "io.github.flinkagentsnative.ChatModelException", ErrorKind.TRANSPORT,
                "java.lang.IllegalArgumentException", ErrorKind.INVALID_ARGUMENT);
        try (ChatExecutor executor = executor().build()) {
            for (Map.Entry<Throwable, String> entry : failures.entrySet()) {
                model.then(entry.getKey());
                ChatOutcome<Object> outcome = executor.execute("a", ASK, null);
                assertThat(outcome.error()).isEqualTo(entry.getValue());
                assertThat(outcome.kind()).isEqualTo(kinds.get(entry.getValue().split(":")[0]));
            }
        }
    }

    @Test
    void pr1149_a_null_response_is_a_failure() throws Exception {
        model.then(CompletableFuture.completedFuture(null));
        try (ChatExecutor executor = executor().build()) {
            ChatOutcome<Object> outcome = executor.execute("a", ASK, null);
            assertThat(outcome.error())
                    .isEqualTo("java.lang.IllegalStateException: ChatModel returned a null response.");
            assertThat(outcome.kind()).isEqualTo(ErrorKind.EMPTY_RESPONSE);
        }
    }

    @Test
    void b061_what_cannot_pass_by_itself_is_not_repeated_under_retryable() throws Exception {
        try (ChatExecutor executor =
                executor().maxRetries(3).retryOn(RetryOn.RETRYABLE).build()) {
            for (int status : new int[] {400, 401, 403, 404, 413, 422}) {
                model.then(failure(ErrorKind.PROVIDER_ERROR, Map.of("status", status, "retryable", false)));
                ChatOutcome<Object> outcome = executor.execute("a", ASK, null);
                assertThat(outcome.details()).containsEntry("status", status);
                assertThat(outcome.retryCount()).isZero();
            }
            assertThat(model.asked).hasSize(6);
        }
    }

    @Test
    void pr1149_tool_failures_are_told_to_the_model_and_are_no_chat_failures() throws Exception {
        model.then(ScriptedModel.toolCall("c1", "find")).thenText("sorry");
        ToolCaller broken = call -> {
            throw new IOException("no disk");
        };
        ChatRequest request =
                ChatRequest.builder().messages(ASK.messages()).tool(FIND).build();
        try (ChatExecutor executor = executor().tools(broken).build()) {
            assertThat(executor.execute("a", request, null).result().text()).isEqualTo("sorry");
        }
        ChatMessage told = model.asked.get(1).request().messages().get(3);
        ToolResultBlock result = (ToolResultBlock) told.blocks().get(0);
        assertThat(result.isError()).isTrue();
        assertThat(result.blocks()).containsExactly(new TextBlock("java.io.IOException: no disk"));
    }

    @Test
    void an_invalid_answer_goes_back_once_and_the_outcome_says_so() throws Exception {
        model.decides(false).thenText("{\"n\":\"private\"}").thenText("{\"n\":2}");
        try (ChatExecutor executor = executor().reask(ReaskBudget.of(1)).build()) {
            ChatOutcome<Bag> outcome = executor.execute("a", ASK, BAG);
            assertThat(outcome.value()).isEqualTo(new Bag(2));
            assertThat(outcome.retryCount()).isZero();
            assertThat(outcome.attempts()).extracting(ChatAttempt::reask).containsExactly(false, true);
        }
        List<ChatMessage> messages = model.asked.get(1).request().messages();
        assertThat(messages.get(messages.size() - 2).text()).contains("private");
        assertThat(model.asked.get(1).lastText())
                .contains("`/n`")
                .contains("found a string")
                .doesNotContain("private");
    }

    @Test
    void an_answer_that_the_class_refuses_uses_the_retry_budget() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        OutputSchema<Bag> picky = BAG.map(bag -> {
            if (reads.incrementAndGet() == 1) {
                throw new IllegalStateException("not this one");
            }
            return bag;
        });
        model.decides(false).thenText("{\"n\":1}").thenText("{\"n\":2}");
        try (ChatExecutor executor = executor().maxRetries(1).build()) {
            ChatOutcome<Bag> outcome = executor.execute("a", ASK, picky);
            assertThat(outcome.value()).isEqualTo(new Bag(2));
            assertThat(outcome.attempts().get(0).kind()).isEqualTo(ErrorKind.INVALID_OUTPUT);
        }
    }

    // ---- what callers may do wrong

    private static ChatRequest withTool() {
        return ChatRequest.builder().messages(ASK.messages()).tool(FIND).build();
    }

    private ToolResultBlock toldBy(ToolCaller tools, String toolName) throws Exception {
        model.then(ScriptedModel.toolCall("c1", toolName)).thenText("done");
        try (ChatExecutor executor =
                executor().tools(tools).journal(new MemoryJournal()).build()) {
            assertThat(executor.execute("k", withTool(), null).result().text()).isEqualTo("done");
        }
        List<ChatMessage> messages =
                model.asked.get(model.asked.size() - 1).request().messages();
        return (ToolResultBlock) messages.get(messages.size() - 1).blocks().get(0);
    }

    @Test
    void whatever_a_tool_does_the_model_is_told_and_the_run_goes_on() throws Exception {
        assertThat(toldBy(call -> ToolResultBlock.of(call.callId(), "cut \ud83d"), "find")
                        .text())
                .contains("unpaired surrogate");
        assertThat(toldBy(
                                call -> {
                                    throw new IOException("cut \ud83d");
                                },
                                "find")
                        .text())
                .isEqualTo("java.io.IOException: cut \ufffd");
        assertThat(toldBy(call -> null, "find").text()).contains("returned null");
        assertThat(toldBy(call -> ToolResultBlock.of("other", "x"), "find").text())
                .contains("another call");
        assertThat(toldBy(
                                call -> {
                                    throw new IllegalStateException("x", new AssertionError());
                                },
                                "find")
                        .isError())
                .isTrue();
    }

    @Test
    void a_tool_that_was_not_offered_is_not_run() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        ToolCaller tools = call -> ToolResultBlock.of(call.callId(), "run " + runs.incrementAndGet());
        assertThat(toldBy(tools, "drop_all").text()).isEqualTo("No tool of this name is offered. Offered: find");
        assertThat(toldBy(tools, "x".repeat(2_000)).isError()).isTrue();
        assertThat(toldBy(tools, "a\u0000b").isError()).isTrue();
        assertThat(runs).hasValue(0);
    }

    @Test
    void an_answer_that_no_frame_can_hold_is_a_failure_of_its_call() throws Exception {
        model.thenText("cut \ud83d");
        try (ChatExecutor executor = executor().journal(new MemoryJournal()).build()) {
            assertThat(executor.execute("k", ASK, null).kind()).isEqualTo(ErrorKind.INVALID_ARGUMENT);
            model.then(new IOException("cut \ud83d"));
            assertThat(executor.execute("l", ASK, null).error()).isEqualTo("java.io.IOException: cut \ufffd");
        }
    }

    @Test
    void a_gate_that_fails_is_a_failed_candidate_and_a_listener_that_fails_ends_the_run() throws Exception {
        ModelCaller broken = new ModelCaller() {
            @Override
            public StructuredOutputDecision decide(ChatRequest request, OutputSchema<?> schema) {
                return null;
            }

            @Override
            public CompletableFuture<ChatResult> call(ChatRequest request, OutputSchema<?> schema) {
                throw new AssertionError("not to be called");
            }
        };
        try (ChatExecutor executor = ChatExecutor.builder(broken).maxRetries(3).build()) {
            ChatOutcome<Bag> outcome = executor.execute("k", ASK, BAG);
            assertThat(outcome.error()).contains("decision is null");
            assertThat(outcome.retryCount()).isZero();
        }
        ChatRunListener failing = new ChatRunListener() {
            @Override
            public void schemaDecided(String name, StructuredOutputDecision decision) {
                throw new IllegalStateException("metrics are broken");
            }
        };
        model.decides(true);
        try (ChatExecutor executor = executor().listener(failing).build()) {
            assertThatThrownBy(() -> executor.execute("k", ASK, BAG)).hasMessage("metrics are broken");
        }
        assertThat(model.asked).isEmpty();
    }

    @Test
    void a_redaction_that_returns_null_records_nothing() throws Exception {
        Journal journal = new MemoryJournal();
        model.thenText("SECRET");
        try (ChatExecutor executor =
                executor().journal(journal).redactRecords(result -> null).build()) {
            assertThatThrownBy(() -> executor.execute("k", ASK, null))
                    .hasMessageContaining("redactRecords returned null");
        }
        assertThat(journal.read(ChatExecutor.runId("k"))).isEmpty();
    }

    @Test
    void a_call_that_cannot_be_cancelled_holds_up_neither_the_deadline_nor_closing() throws Exception {
        CompletableFuture<ChatResult> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                throw new IllegalStateException("no");
            }
        };
        model.then(stubborn).then(stubborn);
        ChatExecutor executor = executor().deadline(Duration.ofMillis(100)).build();
        assertThat(executor.execute("k", ASK, null).kind()).isEqualTo(ErrorKind.TIMEOUT);
        CompletableFuture<ChatOutcome<Object>> future = executor.executeAsync("l", ASK, null);
        executor.close();
        assertThat(future).isCompletedExceptionally();
    }

    @Test
    void a_future_that_somebody_else_completes_cancels_its_call() throws Exception {
        CompletableFuture<ChatResult> never = new CompletableFuture<>();
        model.then(never);
        try (ChatExecutor executor = executor().build()) {
            CompletableFuture<ChatOutcome<Object>> future = executor.executeAsync("k", ASK, null);
            assertThatThrownBy(() -> future.orTimeout(50, TimeUnit.MILLISECONDS).get())
                    .hasCauseInstanceOf(TimeoutException.class);
            long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            while (!never.isCancelled() && System.nanoTime() < end) {
                Thread.sleep(1);
            }
            assertThat(never).isCancelled();
        }
    }

    @Test
    void the_same_key_at_once_writes_one_run() throws Exception {
        Journal journal = new MemoryJournal();
        CompletableFuture<ChatResult> late = new CompletableFuture<>();
        model.then(late).thenText("two");
        ChatRequest other = ChatRequest.of(ChatMessage.user("Something else"));
        try (ChatExecutor executor = executor().journal(journal).build()) {
            CompletableFuture<ChatOutcome<Object>> first = executor.executeAsync("k", ASK, null);
            while (model.asked.isEmpty()) {
                Thread.sleep(1);
            }
            assertThat(executor.execute("k", other, null).result().text()).isEqualTo("two");
            late.complete(ScriptedModel.text("one"));
            assertThatThrownBy(first::get).hasCauseInstanceOf(JournalException.class);
            assertThat(executor.execute("k", other, null).result().text()).isEqualTo("two");
        }
    }

    // ---- replay

    @Test
    void pr1149_c04_pr1215_c07_a_recovered_run_calls_nobody_and_ends_in_the_same_bytes() throws Exception {
        Journal journal = new MemoryJournal();
        UUID id = UUID.randomUUID();
        ChatRequest request =
                ChatRequest.builder().messages(ASK.messages()).tool(FIND).build();
        AtomicInteger found = new AtomicInteger();
        ToolCaller tools = call -> ToolResultBlock.of(call.callId(), "found " + found.incrementAndGet());
        model.decides(true)
                .then(transport())
                .then(ScriptedModel.toolCall("c1", "find"))
                .thenText("one")
                .thenText("{\"n\":1}");
        String first;
        try (ChatExecutor executor =
                executor().maxRetries(1).tools(tools).journal(journal).build()) {
            first = executor.execute("order-1", request, BAG).toJson(id);
        }
        ScriptedModel nobody = new ScriptedModel();
        try (ChatExecutor executor =
                ChatExecutor.builder(nobody).tools(tools).journal(journal).build()) {
            ChatOutcome<Bag> again = executor.execute("order-1", request, BAG);
            assertThat(again.toJson(id)).isEqualTo(first);
            assertThat(again.value()).isEqualTo(new Bag(1));
        }
        assertThat(nobody.asked).isEmpty();
        assertThat(found).hasValue(1);
    }

    @Test
    void a_run_whose_journal_fails_ends_without_an_outcome_and_goes_on_later() throws Exception {
        MemoryJournal kept = new MemoryJournal();
        for (int failing = 0; failing < 5; failing++) {
            int at = failing;
            String key = "run-" + failing;
            Journal broken = new JournalDecorator(kept) {
                @Override
                public void append(UUID runId, int position, JournalRecord record) {
                    if (position == at) {
                        throw new JournalException("the disk is full");
                    }
                    super.append(runId, position, record);
                }
            };
            ScriptedModel one = new ScriptedModel()
                    .decides(true)
                    .then(transport())
                    .thenText("one")
                    .thenText("{\"n\":1}");
            ChatExecutor.Builder builder =
                    ChatExecutor.builder(one).retryWaitInterval(Duration.ZERO).maxRetries(1);
            try (ChatExecutor executor = builder.journal(broken).build()) {
                if (at < 4) {
                    assertThatThrownBy(() -> executor.execute(key, ASK, BAG))
                            .isInstanceOf(JournalException.class)
                            .hasMessage("the disk is full");
                } else {
                    assertThat(executor.execute(key, ASK, BAG).value()).isEqualTo(new Bag(1));
                }
            }
            int before = one.asked.size();
            if (at >= 1) {
                one.then(ScriptedModel.text("{\"n\":1}")).then(ScriptedModel.text("{\"n\":1}"));
            }
            // What failed to be recorded is asked again; what was recorded is not.
            try (ChatExecutor executor = builder.journal(kept).build()) {
                assertThat(executor.execute(key, ASK, BAG).value()).isEqualTo(new Bag(1));
            }
            assertThat(one.asked.size() - before).isEqualTo(new int[] {3, 2, 2, 1, 0}[at]);
        }
    }

    @Test
    void another_question_under_the_same_key_is_asked() throws Exception {
        Journal journal = new MemoryJournal();
        model.thenText("one").thenText("two");
        try (ChatExecutor executor = executor().journal(journal).build()) {
            assertThat(executor.execute("k", ASK, null).result().text()).isEqualTo("one");
            ChatRequest other = ChatRequest.of(ChatMessage.user("Something else"));
            assertThat(executor.execute("k", other, null).result().text()).isEqualTo("two");
            assertThat(executor.execute("k", other, null).result().text()).isEqualTo("two");
            executor.forget("k");
            assertThat(journal.read(ChatExecutor.runId("k"))).isEmpty();
        }
    }

    @Test
    void what_is_recorded_is_redacted_and_the_run_sees_the_truth() throws Exception {
        Journal journal = new MemoryJournal();
        model.thenText("my number is 4711");
        try (ChatExecutor executor = executor()
                .journal(journal)
                .redactRecords(result -> ScriptedModel.text(result.text().replaceAll("[0-9]+", "***")))
                .build()) {
            assertThat(executor.execute("k", ASK, null).result().text()).isEqualTo("my number is 4711");
            byte[] bytes = journal.read(ChatExecutor.runId("k")).get(0).bytes();
            assertThat(new String(bytes, java.nio.charset.StandardCharsets.UTF_8))
                    .contains("***")
                    .doesNotContain("4711");
            assertThat(executor.execute("k", ASK, null).result().text()).isEqualTo("my number is ***");
        }
    }

    @Test
    void foreign_records_are_an_error_that_says_what_to_do() throws Exception {
        Journal journal = new MemoryJournal();
        journal.append(ChatExecutor.runId("k"), 0, new JournalRecord("chat", new byte[] {1, 2, 3}));
        try (ChatExecutor executor = executor().journal(journal).build()) {
            assertThatThrownBy(() -> executor.execute("k", ASK, null))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("not written by this library")
                    .hasMessageContaining("Remove the run's records");
        }
    }

    // ---- cancellation and errors

    @Test
    void b076_an_interrupt_while_waiting_for_an_answer_ends_the_run() throws Exception {
        CompletableFuture<ChatResult> never = new CompletableFuture<>();
        model.then(never);
        interruptDuring(executor().maxRetries(5));
        assertThat(never).isCancelled();
        assertThat(model.asked).hasSize(1);
    }

    @Test
    void b076_an_interrupt_during_the_wait_for_a_retry_ends_the_run() throws Exception {
        model.then(transport());
        interruptDuring(executor().maxRetries(5).retryWaitInterval(Duration.ofMinutes(5)));
        Thread.sleep(50);
        assertThat(model.asked).hasSize(1);
    }

    private void interruptDuring(ChatExecutor.Builder builder) throws Exception {
        try (ChatExecutor executor = builder.build()) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            AtomicReference<Boolean> flag = new AtomicReference<>();
            Thread waiting = new Thread(() -> {
                try {
                    executor.execute("k", ASK, null);
                } catch (Throwable e) {
                    thrown.set(e);
                    flag.set(Thread.currentThread().isInterrupted());
                }
            });
            waiting.start();
            while (model.asked.isEmpty()) {
                Thread.sleep(1);
            }
            Thread.sleep(50);
            waiting.interrupt();
            waiting.join(1_000);
            assertThat(waiting.isAlive()).isFalse();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            assertThat(flag.get()).isTrue();
        }
    }

    @Test
    void b076_a_cancelled_future_starts_no_further_call() throws Exception {
        model.then(transport());
        try (ChatExecutor executor = executor()
                .maxRetries(5)
                .retryWaitInterval(Duration.ofMillis(200))
                .build()) {
            CompletableFuture<ChatOutcome<Object>> future = executor.executeAsync("k", ASK, null);
            while (model.asked.isEmpty()) {
                Thread.sleep(1);
            }
            future.cancel(true);
            Thread.sleep(400);
            assertThat(model.asked).hasSize(1);
        }
    }

    @Test
    void pr1149_cancellation_from_below_is_never_an_outcome_retried_or_recorded() throws Exception {
        Journal journal = new MemoryJournal();
        List<Throwable> cancellations = List.of(
                new CancellationException("stop"),
                new InterruptedException("stop"),
                new IOException("wrapped", new ClosedByInterruptException()),
                new CompletionException(new InterruptedException("stop")),
                failure(ErrorKind.CANCELLED, Map.of()));
        try (ChatExecutor executor = executor().maxRetries(5).journal(journal).build()) {
            for (Throwable cancellation : cancellations) {
                model.then(cancellation);
                int before = model.asked.size();
                assertThatThrownBy(() -> executor.execute("k", ASK, null))
                        .isInstanceOfAny(
                                InterruptedException.class, CancellationException.class, IllegalStateException.class);
                assertThat(Thread.interrupted() || true).isTrue();
                assertThat(model.asked).hasSize(before + 1);
                assertThat(journal.read(ChatExecutor.runId("k"))).isEmpty();
            }
        }
    }

    @Test
    void pr1149_errors_of_the_jvm_and_a_closed_client_propagate() throws Exception {
        try (ChatExecutor executor = executor().maxRetries(5).build()) {
            model.then(new OutOfMemoryError("pretended"));
            assertThatThrownBy(() -> executor.execute("k", ASK, null)).isInstanceOf(OutOfMemoryError.class);
            model.then(failure(ErrorKind.CLOSED, Map.of()));
            assertThatThrownBy(() -> executor.execute("k", ASK, null))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("it went wrong");
        }
        assertThat(model.asked).hasSize(2);
    }

    @Test
    void closing_ends_what_still_runs() throws Exception {
        model.then(transport());
        ChatExecutor executor = executor()
                .maxRetries(1)
                .retryWaitInterval(Duration.ofMinutes(1))
                .build();
        CompletableFuture<ChatOutcome<Object>> future = executor.executeAsync("k", ASK, null);
        while (model.asked.isEmpty()) {
            Thread.sleep(1);
        }
        Thread.sleep(50);
        executor.close();
        executor.close();
        assertThatThrownBy(() -> future.get(5, TimeUnit.SECONDS)).hasMessageContaining("closed");
        assertThatThrownBy(() -> executor.executeAsync("k", ASK, null)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closing_waits_for_a_record_that_is_being_written() throws Exception {
        AtomicReference<Boolean> written = new AtomicReference<>(false);
        CountDownLatch writing = new CountDownLatch(1);
        Journal slow = new JournalDecorator(new MemoryJournal()) {
            @Override
            public void append(UUID runId, int position, JournalRecord record) {
                writing.countDown();
                long end = System.nanoTime() + Duration.ofMillis(300).toNanos();
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                super.append(runId, position, record);
                written.set(true);
            }
        };
        model.thenText("hi");
        ChatExecutor executor = executor().journal(slow).build();
        CompletableFuture<ChatOutcome<Object>> future = executor.executeAsync("k", ASK, null);
        writing.await();
        executor.close();
        assertThat(written.get()).isTrue();
        assertThat(future).isCompletedExceptionally();
    }

    // ---- time

    @Test
    void the_deadline_of_a_run_ends_calls_and_waits() throws Exception {
        CompletableFuture<ChatResult> never = new CompletableFuture<>();
        model.then(never);
        try (ChatExecutor executor =
                executor().maxRetries(5).deadline(Duration.ofMillis(100)).build()) {
            ChatOutcome<Object> outcome = executor.execute("a", ASK, null);
            assertThat(outcome.kind()).isEqualTo(ErrorKind.TIMEOUT);
            assertThat(outcome.details()).containsEntry("phase", "run").containsEntry("timeout_ms", 100);
            assertThat(never).isCancelled();
        }
        model.then(transport());
        try (ChatExecutor executor = executor()
                .maxRetries(5)
                .retryWaitInterval(Duration.ofMinutes(5))
                .deadline(Duration.ofSeconds(20))
                .build()) {
            ChatOutcome<Object> outcome = executor.execute("a", ASK, null);
            assertThat(outcome.error()).contains("would pass while waiting");
            assertThat(outcome.retryCount()).isZero();
            assertThat(outcome.attempts())
                    .extracting(ChatAttempt::kind)
                    .containsExactly(ErrorKind.TRANSPORT, ErrorKind.TIMEOUT);
        }
    }

    @Test
    void no_thread_waits_for_a_retry_or_a_model() throws Exception {
        List<CompletableFuture<ChatOutcome<Object>>> runs = new ArrayList<>();
        try (ChatExecutor executor = executor()
                .maxRetries(1)
                .retryWaitInterval(Duration.ofMillis(700))
                .build()) {
            for (int i = 0; i < 400; i++) {
                model.then(transport());
            }
            for (int i = 0; i < 400; i++) {
                model.thenText("ok");
            }
            for (int i = 0; i < 400; i++) {
                runs.add(executor.executeAsync("k" + i, ASK, null));
            }
            while (model.asked.size() < 400) {
                Thread.sleep(1);
            }
            Thread.sleep(100);
            long busy = Thread.getAllStackTraces().entrySet().stream()
                    .filter(entry -> entry.getKey().getName().equals("flink-agents-native-runs"))
                    .filter(entry -> entry.getValue().length > 0)
                    .filter(entry -> java.util.Arrays.stream(entry.getValue())
                            .anyMatch(frame -> frame.getClassName().equals(ChatRun.class.getName())))
                    .count();
            assertThat(busy).isZero();
            for (CompletableFuture<ChatOutcome<Object>> run : runs) {
                assertThat(run.get().isSuccess()).isTrue();
            }
        }
    }

    // ---- listener, routing, settings

    @Test
    void a_listener_is_told_what_happens() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        ChatRunListener listener = new ChatRunListener() {
            @Override
            public void schemaDecided(String name, StructuredOutputDecision decision) {
                told.add("decided " + decision.isNative());
            }

            @Override
            public void callEnded(String name, Purpose purpose, Duration elapsed, ChatResult result, ErrorKind kind) {
                told.add(purpose + " " + kind);
            }

            @Override
            public void callReplayed(String key) {
                told.add("replayed " + key);
            }

            @Override
            public void runEnded(ChatOutcome<?> outcome) {
                told.add(outcome.status().name());
            }
        };
        model.decides(true).then(transport()).thenText("x").thenText("{\"n\":1}");
        Journal journal = new MemoryJournal();
        try (ChatExecutor executor =
                executor().maxRetries(1).journal(journal).listener(listener).build()) {
            executor.execute("k", ASK, BAG);
            assertThat(told).containsExactly("decided true", "CHAT TRANSPORT", "CHAT null", "FINAL null", "SUCCESS");
            told.clear();
            executor.execute("k", ASK, BAG);
            assertThat(told)
                    .containsExactly(
                            "replayed decide", "replayed chat", "replayed chat", "replayed chat:final", "SUCCESS");
        }
    }

    @Test
    void pr1149_c09_a_router_turns_to_the_next_candidate_and_says_so() throws Exception {
        ScriptedModel small = new ScriptedModel().then(transport());
        ScriptedModel large = new ScriptedModel().thenText("hi");
        List<ModelRoutingEvent> events = Collections.synchronizedList(new ArrayList<>());
        ModelRouter router = ModelRouter.of("small", "large")
                .strategy(Strategies.custom((candidates, messages) -> RoutingDecision.select("small", "it is short")))
                .fallback(true)
                .build();
        ChatRunListener listener = new ChatRunListener() {
            @Override
            public void modelRouted(ModelRoutingEvent event) {
                events.add(event);
            }
        };
        try (ChatExecutor executor = ChatExecutor.builder(router, Map.of("small", small, "large", large))
                .listener(listener)
                .build()) {
            ChatOutcome<Object> outcome = executor.execute("k", ASK, null);
            assertThat(outcome.result().text()).isEqualTo("hi");
            assertThat(outcome.modelRouting())
                    .containsEntry("final_model", "large")
                    .containsEntry("fallback_models_tried", List.of("large"))
                    .containsEntry("reason", "it is short");
            assertThat(outcome.attempts())
                    .extracting(ChatAttempt::key)
                    .containsExactly("chat:router:small", "chat:router:large");
            ChatOutcome<Object> read = ChatOutcome.fromJson(outcome.toJson(UUID.randomUUID()));
            assertThat(read.modelRouting()).isEqualTo(outcome.modelRouting());
            assertThat(read.attempts()).isEqualTo(outcome.attempts());
        }
        assertThat(events).extracting(ModelRoutingEvent::getDecisionSource).containsExactly("strategy", "fallback");
    }

    @Test
    void pr1149_c09_a_judge_gets_the_conversation_and_no_tools() throws Exception {
        ScriptedModel judge = new ScriptedModel().thenText("{\"model\": \"large\"}");
        ScriptedModel large = new ScriptedModel().thenText("hi");
        ModelRouter router = ModelRouter.of("small", "large")
                .describe("large", "long texts")
                .strategy(Strategies.llm("judge"))
                .build();
        Map<String, ModelCaller> models = Map.of("small", new ScriptedModel(), "large", large, "judge", judge);
        try (ChatExecutor executor = ChatExecutor.builder(router, models).build()) {
            ChatOutcome<Object> outcome = executor.execute("k", ASK, null);
            assertThat(outcome.modelRouting()).containsEntry("decision_source", "llm_judge");
        }
        assertThat(judge.asked.get(0).request().messages()).hasSize(2);
        assertThat(judge.asked.get(0).lastText()).contains("How many?");
    }

    @Test
    void wrong_settings_are_refused_at_once() {
        ChatExecutor.Builder builder = executor();
        assertThatThrownBy(() -> builder.maxRetries(-1))
                .hasMessageContaining("maxRetries must be from 0 to 1000, not -1");
        assertThatThrownBy(() -> builder.maxRetries(Integer.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.retryWaitInterval(Duration.ofDays(1))).hasMessageContaining("10 minutes");
        assertThatThrownBy(() -> builder.maxToolRounds(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.deadline(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.deadline(Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageContaining("365 days");
        assertThatThrownBy(() -> new ReaskBudget(1, null, Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageContaining("365 days");
        assertThatThrownBy(() -> ChatExecutor.runId("k\ud83d")).hasMessageContaining("unpaired surrogate");
        assertThatThrownBy(() -> ReaskBudget.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ChatExecutor.runId("")).isInstanceOf(IllegalArgumentException.class);
        ModelRouter router =
                ModelRouter.of("a", "b").strategy(Strategies.llm("judge")).build();
        assertThatThrownBy(() -> ChatExecutor.builder(router, Map.of("a", model, "b", model))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names the model 'judge'");
        try (ChatExecutor executor = builder.build()) {
            ChatRequest tools =
                    ChatRequest.builder().messages(ASK.messages()).tool(FIND).build();
            assertThatThrownBy(() -> executor.execute("k", tools, null)).hasMessageContaining("tool caller");
        }
    }

    @Test
    void the_id_of_a_run_is_the_name_based_uuid_of_its_key() {
        assertThat(ChatExecutor.runId("order-4711")).isEqualTo(UUID.fromString("189438b9-c692-3552-8b4d-0952428d1315"));
    }

    @Test
    void every_listener_is_told_in_the_order_it_was_added() throws Exception {
        model.thenText("three");
        List<String> told = new ArrayList<>();
        try (ChatExecutor executor = executor()
                .listener(ended("first", told))
                .listener(ended("second", told))
                .build()) {
            executor.execute("a", ASK, null);
        }
        assertThat(told).containsExactly("first started", "second started", "first SUCCESS", "second SUCCESS");
    }

    private static ChatRunListener ended(String name, List<String> told) {
        return new ChatRunListener() {
            @Override
            public void callStarted(String model, Purpose purpose) {
                told.add(name + " started");
            }

            @Override
            public void runEnded(ChatOutcome<?> outcome) {
                told.add(name + " " + outcome.status());
            }
        };
    }
}
