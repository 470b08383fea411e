/**
 * Chat calls in plain Flink jobs: {@link io.github.flinkagentsnative.flink.ChatFunction} for {@code AsyncDataStream} with its
 * {@link io.github.flinkagentsnative.flink.RateLimit}, and {@link io.github.flinkagentsnative.flink.RowSchemas} for answers that are Flink rows. Flink itself is provided by the cluster.
 */
package io.github.flinkagentsnative.flink;
