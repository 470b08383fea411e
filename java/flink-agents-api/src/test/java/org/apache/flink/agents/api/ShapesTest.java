package org.apache.flink.agents.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.agents.OutputSchema;
import org.apache.flink.agents.api.chat.messages.AudioBlock;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.ChatResult;
import org.apache.flink.agents.api.chat.messages.ImageBlock;
import org.apache.flink.agents.api.chat.messages.MessageRole;
import org.apache.flink.agents.api.chat.messages.ReasoningBlock;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolCallBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;
import org.apache.flink.agents.api.chat.messages.UnsupportedContentBlockException;
import org.apache.flink.agents.api.chat.model.BaseChatModelConnection;
import org.apache.flink.agents.api.chat.model.BaseChatModelSetup;
import org.apache.flink.agents.api.chat.model.NativeStructuredOutputSupport;
import org.apache.flink.agents.api.chat.model.StructuredOutputStrategy;
import org.apache.flink.agents.api.prompt.Prompt;
import org.apache.flink.agents.api.resource.Resource;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.agents.api.resource.ResourceType;
import org.apache.flink.agents.api.tools.Tool;
import org.apache.flink.agents.api.tools.ToolResponse;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.junit.jupiter.api.Test;

/** The classes behave as upstream's contracts say, so that tests against them mean something. */
class ShapesTest {

    private static final ToolCallBlock CALL = new ToolCallBlock("c", "n", Map.of());

    private static void refused(String message, Runnable construction) {
        assertThatThrownBy(construction::run)
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void messagesCheckTheirBlocks() {
        ToolResultBlock result = new ToolResultBlock("c", List.of(TextBlock.of("x")), false);
        refused(
                "A TOOL message requires exactly one ToolResultBlock",
                () -> new ChatMessage(MessageRole.TOOL, List.of(result, result)));
        refused("ToolResultBlock requires TOOL role", () -> ChatMessage.user(List.of(result)));
        refused(
                "SYSTEM messages accept only text",
                () -> new ChatMessage(MessageRole.SYSTEM, List.of(ImageBlock.fromUrl("image/png", "u"))));
        refused(
                "USER messages accept only text and media",
                () -> ChatMessage.user(List.of(new ReasoningBlock("thought"))));
        refused("Duplicate tool call ID in one message", () -> ChatMessage.assistant(List.of(CALL, CALL)));
        refused("A media block requires a media type.", () -> ImageBlock.fromUrl("", "u"));
    }

    @Test
    void messagesAndResultsSurviveTheirMaps() {
        ChatMessage message = ChatMessage.assistant(List.of(TextBlock.of("a"), CALL, TextBlock.of("b")));
        assertThat(message.getText()).isEqualTo("ab");
        assertThat(message.getToolCalls()).containsExactly(CALL);
        assertThat(ChatMessage.fromMap(message.toMap()).toMap()).isEqualTo(message.toMap());
        ChatResult result = new ChatResult(message);
        assertThat(ChatResult.fromMap(result.toMap()).toMap()).isEqualTo(result.toMap());
        assertThat(ChatMessage.fromMap(Map.of("role", "user")).getBlocks()).isEmpty();
        refused("Unknown member content", () -> ChatMessage.fromMap(Map.of("role", "user", "content", "x")));
        refused("ChatResult requires an ASSISTANT message", () -> new ChatResult(ChatMessage.user("x")));
        assertThat(ChatMessage.user("").getBlocks()).isEmpty();
    }

    @Test
    void unsupportedBlocksAreDescribedWithoutTheirContent() {
        assertThat(UnsupportedContentBlockException.forBlock("Ollama", AudioBlock.fromUrl("audio/wav", "secret"), "no"))
                .hasMessage("Ollama cannot send an audio block (audio/wav, url source): no.");
        ChatMessage tool =
                ChatMessage.tool(new ToolResultBlock("c", List.of(ImageBlock.fromUrl("image/png", "secret")), false));
        assertThatThrownBy(() -> UnsupportedContentBlockException.rejectMedia("DashScope", List.of(tool)))
                .isInstanceOf(UnsupportedContentBlockException.class)
                .hasMessageContaining("an image block (image/png, url source): this integration sends text only.");
    }

    @Test
    void pr1215_theStrategiesResolve() {
        for (NativeStructuredOutputSupport support : NativeStructuredOutputSupport.values()) {
            assertThat(StructuredOutputStrategy.PROMPT.resolvesToNative(support))
                    .isFalse();
            assertThat(StructuredOutputStrategy.AUTO.resolvesToNative(support))
                    .isEqualTo(support == NativeStructuredOutputSupport.NATIVE_RECOMMENDED);
        }
        assertThat(StructuredOutputStrategy.NATIVE.resolvesToNative(NativeStructuredOutputSupport.FEASIBLE))
                .isTrue();
        assertThatThrownBy(() ->
                        StructuredOutputStrategy.NATIVE.resolvesToNative(NativeStructuredOutputSupport.INFEASIBLE))
                .isInstanceOf(IllegalArgumentException.class);
        refused(
                "Unknown structured output strategy 'often'. Expected one of: AUTO, NATIVE, PROMPT.",
                () -> StructuredOutputStrategy.fromArgument("often", StructuredOutputStrategy.AUTO));
    }

    @Test
    void pr1270_rowsTakeBasicTypesOnly() {
        RowTypeInfo nested = new RowTypeInfo(new TypeInformation<?>[] {Types.LIST(Types.STRING)});
        refused("Currently, output schema only support row contains basic type.", () -> new OutputSchema(nested));
    }

    @Test
    void aSetupPutsPromptAndSkillsBeforeTheConversation() throws Exception {
        Prompt prompt =
                Prompt.fromMessages(List.of(ChatMessage.system("Serve {team}."), ChatMessage.user("Q: {none}")));
        BaseChatModelSetup setup = setup(Map.of("connection", "c", "prompt", prompt, "skills", List.of("s")));
        setup.open();
        ChatMessage empty = ChatMessage.user("");
        List<ChatMessage> prepared =
                setup.prepareRequestMessages(List.of(empty, ChatMessage.user("hi")), args("team", "a", "none", null));
        assertThat(prepared.stream().map(ChatMessage::getText)).containsExactly("Serve a.", "skills [s]", "Q: ", "hi");
        List<ChatMessage> same = List.of(empty);
        assertThat(setup(Map.of("connection", "c")).prepareRequestMessages(same, Map.of()))
                .isSameAs(same);
    }

    @Test
    void aConnectionWithoutTranslationRefusesASchema() throws Exception {
        BaseChatModelSetup setup = setup(Map.of("connection", "c"));
        setup.open();
        assertThat(setup.chat(List.of(ChatMessage.user("hi"))).getText()).isEqualTo("echo hi");
        assertThat(setup.willApplyNativeStructuredOutput(String.class)).isFalse();
        assertThatThrownBy(() -> setup.chatStructured(List.of(), null, String.class))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void toolResponsesBecomeResults() {
        assertThat(ToolResponse.error(new IllegalStateException("broken"))
                        .toResultBlock("c")
                        .isError())
                .isTrue();
        assertThat(ToolResponse.text("x").toResultBlock("c").getText()).isEqualTo("x");
    }

    private static Map<String, Object> args(String name, Object value, String other, Object otherValue) {
        Map<String, Object> args = new java.util.HashMap<>();
        args.put(name, value);
        args.put(other, otherValue);
        return args;
    }

    private static BaseChatModelSetup setup(Map<String, Object> arguments) {
        return new BaseChatModelSetup(new ResourceDescriptor("x", arguments), new Context()) {
            @Override
            public Map<String, Object> getParameters() {
                return new HashMap<>();
            }
        };
    }

    private static final class Context implements ResourceContext {
        @Override
        public Resource getResource(String name, ResourceType type) {
            return new BaseChatModelConnection(null, this) {
                @Override
                public ChatResult chat(List<ChatMessage> messages, List<Tool> tools, Map<String, Object> parameters) {
                    return new ChatResult(
                            ChatMessage.assistant("echo " + messages.get(0).getText()));
                }
            };
        }

        @Override
        public String generateAvailableSkillsPrompt(List<String> names) {
            return "skills " + names;
        }

        @Override
        public List<String> getSkillDirs(List<String> names) {
            return List.of();
        }
    }
}
