import { splitSentences } from "@troupe/core/text";

import { words } from "../text/words.ts";
import { isPromptInjection } from "./prompt-injection.ts";
import { LIST_MARK } from "./readable-sentences.ts";

const MOST_WORDS = 7;

export interface RunInHeads {
  /** Where the heads themselves begin: they are no statements. */
  readonly at: ReadonlySet<number>;
  /** By where the sentence after it begins: the head, without its full stop. */
  readonly before: ReadonlyMap<number, string>;
}

/**
 * Short first sentences of list items that head the next: "• One owner for AI. Amina Rahimi owns the
 * strategy." Offsets are of the passage, UTF-16.
 */
export function runInHeads(passage: string): RunInHeads {
  const at = new Set<number>();
  const before = new Map<number, string>();
  let offset = 0;
  for (const line of passage.split("\n")) {
    const mark = LIST_MARK.exec(line)?.[0].length;
    const [head, next] = mark === undefined ? [] : splitSentences(line.slice(mark));
    if (mark !== undefined && head !== undefined && next !== undefined) {
      const text = line.slice(mark + head.start, mark + head.end);
      if (/^\p{Lu}.*\w\.$/u.test(text) && words(text).length <= MOST_WORDS && !isPromptInjection(text)) {
        at.add(offset + mark + head.start);
        before.set(offset + mark + next.start, text.slice(0, -1));
      }
    }
    offset += line.length + 1;
  }
  return { at, before };
}
