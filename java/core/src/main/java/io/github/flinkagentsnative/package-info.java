/** The chat-model core of Flink Agents as a native library. */
package io.github.flinkagentsnative;
