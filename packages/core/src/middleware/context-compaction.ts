import type { ModelMessage, ModelToolResult } from "../ports/model.ts";
import { clip } from "../text/clip.ts";
import { messageChars, tokensOf } from "../text/estimate-tokens.ts";
import type { Middleware } from "./middleware.ts";

/** When the conversation is over the budget it shrinks to this part of it, not to its brim. */
const TARGET = 0.75;
/** A result that is not much longer than the note in its place stays. */
const MIN_CHARS = 600;
const MAX_IDS = 20;
/** How the run numbers citations and charts. */
const EVIDENCE_ID = /\[(\d{1,6}|chart-\d{1,6})\]/g;

export interface CompactionOptions {
  /** Estimated tokens the messages may take. */
  readonly maxTokens?: number;
  /** Newest rounds with tool results that are left as they are. */
  readonly keepRounds?: number;
}

/**
 * Shortens the results of older tool calls to a note each when the messages outgrow a budget, oldest
 * first. Nothing else is touched: not what the person asked, not the calls, not the newest rounds.
 *
 * Decided by the messages alone, in the order in which they came, so every later round decides the
 * same about earlier ones: what the provider has cached of the conversation stays good, until the
 * budget is reached again.
 */
export function contextCompaction(options: CompactionOptions = {}): Middleware {
  const { maxTokens = 100_000, keepRounds = 2 } = options;
  return {
    name: "context-compaction",
    beforeModel(request) {
      const messages = compact(request.messages, maxTokens, Math.max(1, keepRounds));
      return messages === request.messages ? request : { ...request, messages };
    },
  };
}

function compact(
  messages: readonly ModelMessage[],
  maxTokens: number,
  keepRounds: number,
): readonly ModelMessage[] {
  const target = maxTokens * TARGET;
  let shortened: ModelMessage[] | undefined;
  let chars = 0;
  /** Where tool results stand that are still whole, oldest first from `next` on. */
  const rounds: number[] = [];
  let next = 0;
  for (const [index, message] of messages.entries()) {
    chars += messageChars(message);
    if (message.role === "tool") rounds.push(index);
    if (tokensOf(chars) <= maxTokens) continue;
    for (; next < rounds.length - keepRounds && tokensOf(chars) > target; next++) {
      const at = rounds[next] ?? 0;
      const whole = messages[at];
      if (whole?.role !== "tool") continue;
      const short: ModelMessage = { role: "tool", results: whole.results.map(shorten) };
      chars += messageChars(short) - messageChars(whole);
      shortened ??= [...messages];
      shortened[at] = short;
    }
  }
  return shortened ?? messages;
}

/** Names what stood there; numbers of the evidence stay good, so they are named too. */
function shorten(result: ModelToolResult): ModelToolResult {
  const { images = [], ...rest } = result;
  const { callId, name, text } = rest;
  if (text.length < MIN_CHARS && images.length === 0) return result;
  const ids = [...new Set([...text.matchAll(EVIDENCE_ID)].map(([id]) => id))];
  const more = ids.length > MAX_IDS ? ` and ${ids.length - MAX_IDS} more` : "";
  const cited =
    ids.length === 0 ? "" : ` What it had to cite keeps its ids: ${ids.slice(0, MAX_IDS).join(" ")}${more}.`;
  const shown =
    images.length === 0 ? "" : ` and ${images.length === 1 ? "the image" : `the ${images.length} images`}`;
  const note = `[Shortened: the ${text.length} characters${shown} that ${clip(name, 80)} returned to call ${clip(callId, 80)}.${cited} Call it again where you need them.]`;
  return { ...rest, text: note };
}
