import { splitSentences, type Span } from "@troupe/core/text";

import { contentKeys } from "../text/words.ts";

/** A quote stays readable on a slide's notes page. */
const MAX_QUOTE_CHARS = 600;

const SENTENCE_END = /[.!?。｡！？।]["'”’)」』）]*$/;
const NOT_HEADING = /[.!?:|。｡！？：।]/;

/** The most that a run of sentences can gain beyond the words of the query it holds. */
const MAX_BONUS = 0.2 + 2 * 0.4 + 4 * 0.1;
/** Above the rounding error of the sums below. */
const EPSILON = 1e-6;

/** A sentence as far as it matters to the choice of a quote. */
export interface QuoteSentence extends Span {
  /** Words of the query that it holds, with their weights. */
  readonly hits: readonly (readonly [word: string, weight: number])[];
  readonly prose: boolean;
  readonly row: boolean;
  readonly heading: boolean;
  readonly figure: boolean;
}

/**
 * The run of sentences of a passage that holds most of the query's words, rare words weighing more.
 * Offsets are within the passage. Headings at its edge are left out when there is a sentence.
 */
export function bestQuote(passage: string, weights: ReadonlyMap<string, number>): Span {
  const sentences = splitSentences(passage).map((span) => describe(passage, span, weights));
  const run = bestRun(sentences) ?? { start: 0, end: passage.length };
  return clamp(withoutBullet(run, passage), passage);
}

function describe(
  passage: string,
  { start, end }: Span,
  weights: ReadonlyMap<string, number>,
): QuoteSentence {
  const text = passage.slice(start, end);
  const keys = weights.size === 0 ? weights : contentKeys(text);
  return {
    start,
    end,
    hits: [...weights].filter(([key]) => keys.has(key)),
    prose: SENTENCE_END.test(text),
    row: text.includes(" | "),
    heading: text.length < 80 && !NOT_HEADING.test(text),
    figure: /\d/.test(text),
  };
}

/**
 * The run with the highest value, the earliest of equals. Each run is valued from the one before it, and
 * runs end at `MAX_QUOTE_CHARS`, so the work is linear in the length of the passage.
 */
export function bestRun(sentences: readonly QuoteSentence[]): Span | undefined {
  const allWords = new Map(sentences.flatMap(({ hits }) => hits));
  const total = [...allWords.values()].reduce((sum, weight) => sum + weight, 0);
  let best: { readonly span: Span; readonly value: number } | undefined;
  for (const [from, first] of sentences.entries()) {
    const seen = new Set<string>();
    const run = { words: 0, count: 0, prose: 0, rows: 0, idle: 0, figures: false };
    for (let to = from; to < sentences.length; to += 1) {
      const last = sentences[to] ?? first;
      if (to > from && last.end - first.start > MAX_QUOTE_CHARS) break;
      run.count += 1;
      for (const [word, weight] of last.hits) {
        if (!seen.has(word)) run.words += weight;
        seen.add(word);
      }
      if (last.hits.length === 0) run.idle += 1;
      if (last.prose) run.prose += 1;
      if (last.row) run.rows += 1;
      run.figures ||= last.figure;
      const value = valueOf(run, Number(first.heading) + Number(last.heading));
      if (!best || value > best.value) best = { span: { start: first.start, end: last.end }, value };
      // No longer run from here can be better.
      if (total + MAX_BONUS - run.idle * 0.3 + EPSILON < best.value) break;
    }
  }
  return best?.span;
}

interface Run {
  /** Weight of the words of the query that it holds. */
  readonly words: number;
  readonly count: number;
  readonly prose: number;
  readonly rows: number;
  /** Sentences without a word of the query. */
  readonly idle: number;
  readonly figures: boolean;
}

/**
 * Words decide, but a heading alone answers nothing; a sentence without a word of the query costs
 * little; a table row beside a sentence reads badly.
 */
function valueOf(run: Run, edgeHeadings: number): number {
  return (
    (run.prose === 0 && run.rows === 0 ? run.words / 2 : run.words) +
    (run.figures ? 0.2 : 0) +
    Math.min(run.prose, 2) * 0.4 +
    Math.min(run.count, 4) * 0.1 -
    run.idle * 0.3 -
    edgeHeadings * 0.5 -
    (run.rows > 0 && run.rows < run.count ? 0.6 : 0)
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
