import type Anthropic from "@anthropic-ai/sdk";

/** Turns that hold reasoning, kept in the order of arrival; the oldest go first. */
const MOST_TURNS = 512;

/**
 * Reasoning comes back signed and must be handed back unchanged with the turn it belongs to, or
 * the model loses it. The Model port carries no reasoning, so the adapter keeps such turns by the
 * id of their first call. A turn that is not known here any more goes without, which is allowed.
 */
export interface ThinkingMemory {
  keep(content: readonly Anthropic.ContentBlockParam[]): void;
  recall(firstCallId: string): readonly Anthropic.ContentBlockParam[] | undefined;
  forget(): void;
}

export function createThinkingMemory(): ThinkingMemory {
  const turns = new Map<string, readonly Anthropic.ContentBlockParam[]>();
  return {
    keep(content) {
      const call = content.find((block) => block.type === "tool_use");
      const thought = content.some(({ type }) => type === "thinking" || type === "redacted_thinking");
      if (!call || !thought) return;
      turns.set(call.id, content);
      for (const oldest of turns.keys()) {
        if (turns.size <= MOST_TURNS) break;
        turns.delete(oldest);
      }
    },
    recall: (firstCallId) => turns.get(firstCallId),
    forget: () => turns.clear(),
  };
}
