import { agreement, type Stretch } from "./agreement.ts";
import type { TextRole } from "./role.ts";
import type { TextItem, Texts } from "./texts.ts";
import { gradualLength, type Piece } from "./timed-text.ts";

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
    const best = bestMatch(streamed, result);
    const pieces = [...best.pieces, ...texts.result.pieces(best.at)];
    return found("answer", result, pieces, best.items.length > 0 ? best.items : named);
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
    return said !== "" && agreement(result.trimStart(), 0, said, 0).inText === said.length;
  });
  return last === undefined ? [] : [last];
}

interface Match {
  readonly items: readonly TextItem[];
  readonly pieces: readonly Piece[];
  /** How far the result is covered, in UTF-16 units. */
  readonly at: number;
}

/**
 * The streamed texts that agree with the result the farthest, from one of them on: those before it
 * were taken back. What they do not cover came with the result.
 */
function bestMatch(streamed: readonly TextItem[], result: string): Match {
  let best: Match = { items: [], pieces: [], at: 0 };
  for (let from = 0; from < streamed.length; from++) {
    const match = matchFrom(streamed.slice(from), result);
    if (match.at > best.at) best = match;
  }
  return best;
}

function matchFrom(streamed: readonly TextItem[], result: string): Match {
  const items: TextItem[] = [];
  const pieces: Piece[] = [];
  let at = 0;
  for (const item of streamed) {
    const { text } = item.text;
    const from = skipSpace(text, 0);
    const to = skipSpace(result, at);
    const { stretches, inResult, inText } = agreement(result, to, text, from);
    if (stretches.length === 0) break;
    items.push(item);
    for (const stretch of stretches) pieces.push(...arrived(item, stretch));
    at = inResult;
    if (inText < text.trimEnd().length) break;
  }
  return { items, pieces, at };
}

/** A mark that has another length in the result had arrived with its last character. */
function arrived({ text }: TextItem, { length, from, to }: Stretch): readonly Piece[] {
  const pieces = text.pieces(from, to);
  const last = pieces.at(-1);
  return length === to - from || last === undefined ? pieces : [{ t: last.t, length }];
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
