import type { TextRole } from "./role.ts";
import type { TextItem, Texts } from "./texts.ts";
import { gradualLength, type Piece, type TimedText } from "./timed-text.ts";

export interface TraceAnswer {
  /** `text` where the agent does not tell its answer from the rest: then it is all that was said. */
  readonly role: Exclude<TextRole, "narration">;
  readonly text: string;
  /** UTF-16 units. */
  readonly characters: number;
  /** Of these, what had arrived before the end phase; see `gradualLength`. */
  readonly gradual: number;
}

export interface FoundAnswer extends TraceAnswer {
  /** The streamed texts it consists of. */
  readonly items: readonly TextItem[];
}

/**
 * What the answer was and when it came. The agent's word counts, in this order: a result, texts that
 * are named or flagged as the answer, a message in place of a task. Without it, everything in
 * artifacts that is not flagged as narration is taken together, since artifacts are what a task puts
 * out; where there is none, everything said with a state.
 */
export function answerOf(texts: Texts): FoundAnswer {
  const items = texts.items.filter(({ text }) => text.text !== "");
  const named = items.filter((item) => texts.roleOf(item) === "answer");
  const result = texts.result.text;
  if (result !== "") {
    const streamed = named.length > 0 ? named : equal(items, result);
    return found("answer", result, matched(streamed, result, texts.result), streamed);
  }
  if (named.length > 0) return joined("answer", named);
  if (texts.message.text !== "") return found("answer", texts.message.text, texts.message.pieces(), []);
  const rest = items.filter((item) => texts.roleOf(item) === "text");
  if (rest.length > 0) return joined("text", rest);
  return found("text", texts.status.text, texts.status.pieces(), []);
}

/** Between two texts that are one answer. */
const BETWEEN = "\n\n";

function joined(role: TraceAnswer["role"], items: readonly TextItem[]): FoundAnswer {
  const text = items.map((item) => item.text.text).join(BETWEEN);
  return found(
    role,
    text,
    items.flatMap((item) => item.text.pieces()),
    items,
  );
}

/** The last text that is the result, or as far as it goes the beginning of it. */
function equal(items: readonly TextItem[], result: string): readonly TextItem[] {
  const last = items.findLast(({ text }) => {
    const said = text.text.trim();
    return said !== "" && result.trimStart().startsWith(said);
  });
  return last === undefined ? [] : [last];
}

/** When each piece of a result came: with the stream as far as that agrees with it, the rest with the result. */
function matched(streamed: readonly TextItem[], result: string, whole: TimedText): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = skipSpace(result, 0);
  for (const { text } of streamed) {
    const from = skipSpace(text.text, 0);
    const length = commonLength(result, at, text.text, from);
    if (length === 0) break;
    pieces.push(...text.pieces(from, from + length));
    at = skipSpace(result, at + length);
    if (from + length < text.text.trimEnd().length) break;
  }
  const streamedLength = pieces.reduce((sum, { length }) => sum + length, 0);
  const late = whole.pieces(at);
  return streamedLength === 0 ? whole.pieces() : [...pieces, ...late];
}

function commonLength(a: string, fromA: number, b: string, fromB: number): number {
  let length = 0;
  while (fromA + length < a.length && a[fromA + length] === b[fromB + length]) length++;
  return length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

function found(
  role: TraceAnswer["role"],
  text: string,
  pieces: readonly Piece[],
  items: readonly TextItem[],
): FoundAnswer {
  return { role, text, characters: text.length, gradual: gradualLength(pieces), items };
}
