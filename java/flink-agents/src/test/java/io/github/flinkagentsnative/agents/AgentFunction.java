package io.github.flinkagentsnative.agents;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.agents.api.chat.messages.ChatMessage;
import org.apache.flink.agents.api.chat.model.BaseChatModelSetup;
import org.apache.flink.agents.api.resource.Resource;
import org.apache.flink.agents.api.resource.ResourceContext;
import org.apache.flink.agents.api.resource.ResourceDescriptor;
import org.apache.flink.agents.api.resource.ResourceType;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;

/**
 * Does with resources what an agent runtime does: builds them from descriptors by class name in the task, opens them when they are first
 * asked for, calls them from several threads, and closes them.
 */
final class AgentFunction extends RichAsyncFunction<String, String> implements ResourceContext {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, ResourceDescriptor> descriptors;
    private transient Map<String, Resource> resources;
    private transient ExecutorService threads;

    AgentFunction(Map<String, ResourceDescriptor> descriptors) {
        this.descriptors = new HashMap<>(descriptors);
    }

    @Override
    public void open(OpenContext context) {
        resources = Collections.synchronizedMap(new HashMap<>());
        threads = Executors.newFixedThreadPool(4);
    }

    @Override
    public Resource getResource(String name, ResourceType type) throws Exception {
        synchronized (resources) {
            Resource known = resources.get(name);
            if (known == null) {
                ResourceDescriptor descriptor = descriptors.get(name);
                known = (Resource) Class.forName(
                                descriptor.getClazz(), true, getRuntimeContext().getUserCodeClassLoader())
                        .getConstructor(ResourceDescriptor.class, ResourceContext.class)
                        .newInstance(descriptor, this);
                known.open();
                resources.put(name, known);
            }
            return known;
        }
    }

    @Override
    public void asyncInvoke(String element, ResultFuture<String> result) throws Exception {
        BaseChatModelSetup setup = (BaseChatModelSetup) getResource("model", ResourceType.CHAT_MODEL);
        threads.execute(() -> {
            String answer;
            try {
                answer = setup.chat(List.of(ChatMessage.user(element))).getText() + " by " + loader(setup);
            } catch (RuntimeException e) {
                answer = "failed: " + e.getMessage() + " by " + loader(setup);
            }
            result.complete(List.of(answer));
        });
    }

    private static String loader(Object resource) {
        ClassLoader loader = resource.getClass().getClassLoader();
        return loader.getClass().getSimpleName() + System.identityHashCode(loader);
    }

    @Override
    public void close() throws Exception {
        if (threads != null) {
            threads.shutdownNow();
            for (Resource resource : resources.values()) {
                resource.close();
            }
        }
    }

    @Override
    public String generateAvailableSkillsPrompt(List<String> names) {
        return "";
    }

    @Override
    public List<String> getSkillDirs(List<String> names) {
        return List.of();
    }
}
