import { splitSentences, type Span } from "@troupe/core/text";

import { contentKeys } from "../text/words.ts";

/** A quote stays readable on a slide's notes page. */
const MAX_QUOTE_CHARS = 600;

/**
 * The run of sentences of a passage that holds most of what the query asks, rare words weighing more.
 * Offsets are within the passage. Headings at its edge are left out when there is a sentence.
 */
export function bestQuote(passage: string, weights: ReadonlyMap<string, number>): Span {
  const sentences = splitSentences(passage);
  const hits = sentences.map(({ start, end }) => {
    const keys = contentKeys(passage.slice(start, end));
    return [...weights].filter(([key]) => keys.has(key));
  });
  let best: { span: Span; value: number } | undefined;
  for (const [from, first] of sentences.entries()) {
    const seen = new Map<string, number>();
    for (let to = from; to < sentences.length; to += 1) {
      const end = sentences[to]?.end ?? first.end;
      if (to > from && end - first.start > MAX_QUOTE_CHARS) break;
      for (const [key, weight] of hits[to] ?? []) seen.set(key, weight);
      const value = valueOf(seen, sentences.slice(from, to + 1), passage, hits.slice(from, to + 1));
      if (!best || value > best.value) best = { span: { start: first.start, end }, value };
    }
  }
  return clamp(withoutBullet(best?.span ?? { start: 0, end: passage.length }, passage), passage);
}

function valueOf(
  seen: ReadonlyMap<string, number>,
  sentences: readonly Span[],
  passage: string,
  hits: readonly (readonly unknown[])[],
): number {
  const texts = sentences.map(({ start, end }) => passage.slice(start, end));
  const prose = texts.filter((text) => /[.!?]["'”’)]*$/.test(text)).length;
  const rows = texts.filter((text) => text.includes(" | ")).length;
  const words = [...seen.values()].reduce((sum, weight) => sum + weight, 0);
  const idle = hits.filter((found) => found.length === 0).length;
  const headings = [texts[0] ?? "", texts.at(-1) ?? ""].filter(
    (text) => !/[.!?:|]/.test(text) && text.length < 80,
  ).length;
  const figures = texts.some((text) => /\d/.test(text)) ? 0.2 : 0;
  const mixed = rows > 0 && rows < sentences.length ? 0.6 : 0;
  // Words decide, but a heading alone says nothing; a sentence without a word of the query costs
  // little; a table row beside a sentence reads badly.
  const said = prose === 0 && rows === 0 ? words / 2 : words;
  return (
    said +
    figures +
    Math.min(prose, 2) * 0.4 +
    Math.min(texts.length, 4) * 0.1 -
    idle * 0.3 -
    headings * 0.5 -
    mixed
  );
}

/** A quote does not begin with the mark of a list item. */
function withoutBullet(span: Span, passage: string): Span {
  const mark = /^[•●▪◦‣·–*-]\s+/.exec(passage.slice(span.start, span.end))?.[0].length ?? 0;
  return { start: span.start + mark, end: span.end };
}

/** A table or an endless sentence is cut at a word. */
function clamp(span: Span, passage: string): Span {
  if (span.end - span.start <= MAX_QUOTE_CHARS) return span;
  const cut = passage.slice(span.start, span.start + MAX_QUOTE_CHARS).search(/\s+\S*$/);
  const end = span.start + (cut > 0 ? cut : MAX_QUOTE_CHARS);
  return { start: span.start, end: /[\uD800-\uDBFF]/.test(passage.charAt(end - 1)) ? end - 1 : end };
}
