import type { TurnState } from "../turn/state.ts";

/** What a channel that can only add to a text, or put another in its place, has to do. */
export type ReplyOperation =
  | { readonly type: "append"; readonly text: string }
  /** What was shown is not the reply any more: a draft became narration, or a retry took it back. */
  | { readonly type: "replace"; readonly text: string };

/**
 * From what a channel shows to what it should show. Whoever does as it says, for as many states of a
 * turn as it likes to look at, ends with exactly `content`. A draft that became narration stays to be
 * seen until something takes its place: calls are few, and an empty message is none. Compares texts:
 * ask as often as something can be sent, not for every token.
 */
export function replyOperation(
  shown: string,
  { content, outcome }: Pick<TurnState, "content" | "outcome">,
): ReplyOperation | undefined {
  if (content === shown || (content === "" && outcome === undefined)) return undefined;
  return content.startsWith(shown)
    ? { type: "append", text: content.slice(shown.length) }
    : { type: "replace", text: content };
}
