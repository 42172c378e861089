import { sameWord, wordsOf, type Word } from "../words.ts";
import type { Part, Passage } from "./read-passages.ts";

/** The sentences or the table that are quoted of one passage. */
export interface Quote {
  readonly passage: Passage;
  readonly sentences: readonly string[];
  readonly table?: readonly (readonly string[])[];
}

export interface Picked {
  readonly quotes: readonly Quote[];
  /** Words of the request that are in no quoted passage. */
  readonly notFound: readonly Word[];
  /** Number of matching passages that are left out because they are worded as orders to a model. */
  readonly withheld: number;
}

const MAX_SENTENCES = 2;
/** More words of a request than this need not be in a passage. */
const MAX_NEEDED = 3;
const MAX_ROWS = 12;

/**
 * Of each passage that holds enough of the words, the sentence that holds most of them and the one that follows it in
 * its paragraph, verbatim; passages with the fullest sentences come first. Outdated passages are left out where current ones match.
 */
export function pickQuotes(passages: readonly Passage[], words: readonly Word[], max: number): Picked {
  const needed = Math.min(MAX_NEEDED, Math.ceil(words.length / 2));
  const matching = passages.filter((passage) => holding(wholeText(passage), words).length >= needed);
  const open = matching.filter(({ marked }) => !marked);
  const current = open.filter(({ outdated }) => !outdated);
  const shown = current.length > 0 ? current : open;
  const seen = new Set<string>();
  const best = (passage: Passage): number =>
    Math.max(0, ...passage.parts.map((part) => holding(textOf(part), words).length));
  const inText = shown.filter((passage) => best(passage) > 0);
  const quotes = (inText.length > 0 ? inText : shown)
    .toSorted((a, b) => best(b) - best(a))
    .flatMap((passage): readonly Quote[] => {
      const quote = quoteOf(passage, words, seen);
      return quote === undefined ? [] : [quote];
    });
  const kept = quotes.slice(0, max);
  const held = kept.map(({ passage }) => wholeText(passage)).join(" ");
  const found = new Set(holding(held, words));
  return {
    quotes: kept,
    notFound: words.filter((word) => !found.has(word)),
    withheld: matching.length - open.length,
  };
}

function quoteOf(passage: Passage, words: readonly Word[], seen: Set<string>): Quote | undefined {
  const ranked = passage.parts
    .map((part, index) => ({ part, index, score: holding(textOf(part), words).length }))
    .filter(({ part }) => part.kind === "table" || !seen.has(part.text))
    .toSorted((a, b) => b.score - a.score || a.index - b.index);
  const best = ranked[0];
  if (best === undefined) return undefined;
  if (best.part.kind === "table") return { passage, sentences: [], table: best.part.rows.slice(0, MAX_ROWS) };
  const { paragraph } = best.part;
  const sentences = passage.parts
    .slice(best.index)
    .flatMap((part) => (part.kind === "sentence" && part.paragraph === paragraph ? [part.text] : []))
    .slice(0, MAX_SENTENCES);
  for (const sentence of sentences) seen.add(sentence);
  return { passage, sentences };
}

function holding(text: string, words: readonly Word[]): readonly Word[] {
  const own = [...new Set(wordsOf(text).flatMap(({ folded }) => [folded, ...folded.split("-")]))];
  return words.filter(({ folded }) => own.some((word) => sameWord(word, folded)));
}

const textOf = (part: Part): string =>
  part.kind === "sentence" ? part.text : part.rows.map((row) => row.join(" ")).join("\n");

const wholeText = ({ title, section = "", parts }: Passage): string =>
  [title, section, ...parts.map(textOf)].join("\n");
