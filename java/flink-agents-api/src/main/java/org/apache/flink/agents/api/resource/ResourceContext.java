package org.apache.flink.agents.api.resource;

import java.util.List;

/** What a resource can ask of the task that built it. */
public interface ResourceContext {
    Resource getResource(String name, ResourceType type) throws Exception;

    String generateAvailableSkillsPrompt(List<String> names) throws Exception;

    List<String> getSkillDirs(List<String> names) throws Exception;
}
