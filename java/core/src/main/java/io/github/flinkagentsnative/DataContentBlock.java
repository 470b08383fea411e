package io.github.flinkagentsnative;

/** What a tool result may hold: text and media, but no reasoning, tool call or tool result (upstream #1185). */
public sealed interface DataContentBlock extends ContentBlock permits TextBlock, MediaBlock {}
