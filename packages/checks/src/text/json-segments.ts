import { withAsciiDigits } from "./fold.ts";
import { splitSentences, withoutMarks, type Segment, type Sources } from "./sentences.ts";

/** Inside one line, as JSON escapes line breaks; with the colon of a key. */
const STRING = /"(?:[^"\\\n]|\\.)*"(\s*:)?/g;
const NUMBERS = /\[[\d\s,]{1,4000}\]/g;
const FENCE = /^\s*(?:```|~~~)/;

/**
 * Splits an answer in JSON, in a fence or not, into its lines and their sentences. Nothing in it is a citation mark. Parts
 * that make no claim are blank in `text`: quotes, digits and separators of keys, and lists of numbers that are ids of sources.
 */
export function readJsonSegments(answer: string, sources: Sources): readonly Segment[] {
  const claims = answer
    .replace(NUMBERS, (list) =>
      (list.match(/\d+/g) ?? []).every(sources.isKnown) ? blank(list, /\S/g) : list,
    )
    .replace(STRING, (string, colon?: string) =>
      colon === undefined ? valueText(string, sources) : keyText(string),
    );
  const segments: Segment[] = [];
  let start = 0;
  for (const [line, raw] of answer.split("\n").entries()) {
    let at = 0;
    for (const sentence of FENCE.test(raw) ? [] : splitSentences(raw)) {
      at = raw.indexOf(sentence, at);
      const text = claims.slice(start + at, start + at + sentence.length);
      at += sentence.length;
      segments.push({
        kind: "text",
        raw: sentence.trim(),
        text: withAsciiDigits(text.replace(/\s+/g, " ").trim()),
        marks: [],
        unknown: [],
        block: 0,
        line,
      });
    }
    start += raw.length + 1;
  }
  return segments;
}

/** `patterns` replaced by spaces, so that offsets stay valid. */
function blank(text: string, ...patterns: readonly RegExp[]): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, (part) => " ".repeat(part.length)), text);
}

/** Quotes inside a string stay. */
function valueText(string: string, sources: Sources): string {
  return withoutMarks(blank(string, /^"|"$/g, /\\[^"u]|\\(?=")|\*\*|`/g), sources);
}

/** The words of `net_revenue_2025` or `netRevenue`: the schema of the answer has them, so the digits state nothing. */
function keyText(string: string): string {
  return blank(string, /[^\p{L}:]/gu).replace(/(?<=\p{Ll})\p{Lu}/gu, (letter) => letter.toLowerCase());
}
