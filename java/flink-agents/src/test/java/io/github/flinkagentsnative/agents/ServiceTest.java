package io.github.flinkagentsnative.agents;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.apache.flink.agents.api.agents.OutputSchema;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.messages.TextBlock;
import org.apache.flink.agents.api.chat.messages.ToolResultBlock;
import org.apache.flink.agents.api.tools.Tool;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.junit.jupiter.api.AfterEach;

/** One service, its local server, and a connection to it. */
abstract class ServiceTest {

    record Verdict(String topic, int urgency) {}

    record Open(Map<String, Object> anything) {}

    static final String VERDICT = "{\"topic\":\"parcel\",\"urgency\":1}";
    static final OutputSchema ROW = new OutputSchema(
            new RowTypeInfo(new TypeInformation<?>[] {Types.STRING, Types.INT}, new String[] {"word", "count"}));
    static final List<ChatMessage> ASK = List.of(ChatMessage.user("Where is parcel 4711? Answer in json."));
    static final List<Tool> WEATHER = List.of(new Resources.Weather());

    Services service;
    Wire wire;
    LocalService server;
    NativeChatModelConnection connection;

    void start(Services started) {
        start(started, started.wire());
    }

    void start(Services started, Wire spoken) {
        service = started;
        wire = spoken;
        server = started.start(spoken);
    }

    /** With further arguments of the connection. */
    NativeChatModelConnection connect(Services started, Object... more) throws Exception {
        start(started);
        return reconnect(more);
    }

    NativeChatModelConnection reconnect(Object... more) throws Exception {
        if (connection != null) {
            connection.close();
        }
        connection = service.connect(server, more);
        return connection;
    }

    @AfterEach
    void close() throws Exception {
        if (connection != null) {
            connection.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** What a setup would pass, with changes. */
    Map<String, Object> parameters(Object... more) throws Exception {
        return Resources.with(service.setUp(connection).getParameters(), more);
    }

    JsonNode body() {
        return server.only().body();
    }

    static ChatMessage result(String callId, String text, boolean isError) {
        return ChatMessage.tool(new ToolResultBlock(callId, List.of(TextBlock.of(text)), isError));
    }
}
