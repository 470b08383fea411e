/**
 * Chat model connections and setups for Flink Agents: the class names and arguments of its own, on the native library. Flink Agents
 * itself is provided by the job. See docs/flink-agents.md.
 */
package io.github.flinkagentsnative.agents;
