import { createHash } from "node:crypto";

/** One sentence that asks for something. */
export interface MustSentence {
  /** Section and place in it, such as `3.4.2#1`; of the service definition the message and field. */
  readonly id: string;
  readonly text: string;
  /** The beginning of its SHA-256, by which a change of its words is noticed without keeping them. */
  readonly digest: string;
}

/** By sentence: the beginning of its digest, and the ids of the requirements that stand for it. */
export interface Inventory {
  readonly [sentence: string]: readonly [digest: string, requirements: string];
}

const ASKS = /\b(MUST|SHALL|REQUIRED)\b/;

/** The sentences of the specification, in Markdown, that ask with MUST, SHALL or REQUIRED; examples aside. */
export function mustSentences(markdown: string): readonly MustSentence[] {
  const take = counter();
  let section = "";
  let fenced = false;
  return markdown.split("\n").flatMap((line) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    if (fenced) return [];
    if (line.startsWith("#")) {
      section = /^#+ (?:Appendix )?([A-Z0-9][0-9.]*)[ .]/.exec(line)?.[1]?.replace(/\.$/, "") ?? section;
      return [];
    }
    const words = line
      .replaceAll("**", "")
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/^\s*([-*]|\d+\.)\s+/, "")
      .trim();
    return sentencesOf(words)
      .filter((sentence) => ASKS.test(sentence))
      .map((sentence) => take(section, sentence));
  });
}

/** The same of the comments in the service definition, where "must" is written small as well. */
export function mustComments(proto: string): readonly MustSentence[] {
  const take = counter();
  const found: MustSentence[] = [];
  let message = "";
  let comment: string[] = [];
  for (const line of proto.split("\n")) {
    const said = /^\s*\/\/ ?(.*)$/.exec(line)?.[1];
    if (said !== undefined) {
      comment.push(said);
      continue;
    }
    message = /^\s*(?:message|enum|service) (\w+)/.exec(line)?.[1] ?? message;
    const field = /(\w+) = \d+/.exec(line)?.[1];
    const where = field === undefined ? message : `${message}.${field}`;
    for (const sentence of sentencesOf(comment.join(" ")))
      if (/\bmust\b/i.test(sentence)) found.push(take(where, sentence));
    comment = [];
  }
  return found;
}

function sentencesOf(words: string): readonly string[] {
  return words.split(/(?<=[.:;!?)])\s+(?=[A-Z"`])/);
}

function counter(): (section: string, text: string) => MustSentence {
  const counts = new Map<string, number>();
  return (section, text) => {
    const n = (counts.get(section) ?? 0) + 1;
    counts.set(section, n);
    const digest = createHash("sha256").update(text.replace(/\s+/g, " ")).digest("hex").slice(0, 8);
    return { id: `${section}#${n}`, text, digest };
  };
}
