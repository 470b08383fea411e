package org.apache.flink.agents.api.chat.messages;

import java.util.List;

/** A message holds a block that a provider cannot carry. */
public class UnsupportedContentBlockException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public UnsupportedContentBlockException(String message) {
        super(message);
    }

    public static UnsupportedContentBlockException forBlock(String provider, ContentBlock block, String reason) {
        String article = "aeiou".indexOf(block.getType().charAt(0)) >= 0 ? "an " : "a ";
        String media = block instanceof MediaBlock found
                ? " (" + found.getMediaType() + ", " + found.getSource().getType() + " source)"
                : "";
        return new UnsupportedContentBlockException(
                provider + " cannot send " + article + block.getType() + " block" + media + ": " + reason + ".");
    }

    /** Refuses the first media block, also one inside a tool result. */
    public static void rejectMedia(String provider, List<ChatMessage> messages) {
        for (ChatMessage message : messages) {
            reject(provider, message.getBlocks());
        }
    }

    private static void reject(String provider, List<? extends ContentBlock> blocks) {
        for (ContentBlock block : blocks) {
            if (block instanceof MediaBlock) {
                throw forBlock(provider, block, "this integration sends text only");
            } else if (block instanceof ToolResultBlock result) {
                reject(provider, result.getBlocks());
            }
        }
    }
}
