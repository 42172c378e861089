import { splitSentences, type Span } from "@troupe/core/text";

import { candidateAt, type Candidate } from "../cite/candidate.ts";
import { pathAt } from "../cite/chapter.ts";
import { leansBack } from "../cite/leaning.ts";
import { injectedSpans, overlapsAny } from "../cite/prompt-injection.ts";
import { isReadable, LIST_MARK, MIN_ANSWER_WORDS } from "../cite/readable-sentences.ts";
import type { SearchHit } from "../retriever.ts";
import { cellsOf, hasCells } from "../text/cells.ts";
import { contentKeys } from "../text/words.ts";

/** What may answer a question: a sentence, two where the second leans on the first, or a row of a table. */
export interface Answering extends Candidate {
  /** Of the heading it stands under. */
  readonly heading: ReadonlySet<string>;
  /** Of the headings above that one. */
  readonly above: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
  /** The first under its heading, which mostly says what the heading promises. */
  readonly opens: boolean;
  readonly isRow: boolean;
  /** Never told, only said to be withheld. */
  readonly isInjection: boolean;
}

/** Candidates of one passage, in order. */
export function candidatesIn(hit: SearchHit): readonly Answering[] {
  const title = contentKeys(hit.citation.document);
  const sentences = sentencesOf(hit.text);
  const rows = rowsOf(hit.text);
  const injected = injectedSpans(hit.text);
  const openings = new Set(
    hit.sections.map(({ start }) => sentences.find((sentence) => sentence.start >= start)?.start),
  );
  return [...sentences, ...rows].map(({ start, end, text }, index) => ({
    ...candidateAt(hit, { start, end }, text),
    ...headingsOf(hit, start),
    title,
    opens: index < sentences.length && openings.has(start),
    isRow: index >= sentences.length,
    isInjection: overlapsAny(injected, { start, end }),
  }));
}

/** Without the title of the document, which many have as their first heading. */
function headingsOf(hit: SearchHit, at: number): Pick<Answering, "heading" | "above"> {
  const path = pathAt(hit, at).filter((heading) => heading !== hit.citation.document);
  return { heading: keysOf(path.at(-1) ?? ""), above: keysOf(path.slice(0, -1).join(" ")) };
}

const keysOf = (text: string): ReadonlySet<string> => (text === "" ? new Set() : contentKeys(text));

interface Piece extends Span {
  readonly text: string;
}

function sentencesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const line of linesOf(text)) {
    const said = text.slice(line.start, line.end);
    if (hasCells(said)) continue;
    const mark = LIST_MARK.exec(said)?.[0].length ?? 0;
    const spans = splitSentences(said.slice(mark)).map(({ start, end }) => ({
      start: line.start + mark + start,
      end: line.start + mark + end,
    }));
    for (const [index, span] of spans.entries()) {
      const before = spans[index - 1];
      const own = text.slice(span.start, span.end);
      const previous = before === undefined ? "" : text.slice(before.start, before.end);
      const joined = before !== undefined && (leansBack(own) || /^(?:yes|no)[.,!]$/i.test(previous));
      const start = joined ? before.start : span.start;
      const whole = text.slice(start, span.end);
      const isWhole = joined
        ? isReadable(previous, { more: own, opens: index === 1 })
        : isReadable(own, { least: MIN_ANSWER_WORDS, opens: index === 0 });
      if (isWhole) pieces.push({ start, end: span.end, text: whole });
    }
  }
  return pieces;
}

/** Rows of whole tables, each cell with the head of its column: `Havn – Events: 10; Caught: 8.` */
function rowsOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let head: { readonly cells: readonly string[]; readonly start: number } | undefined;
  for (const line of linesOf(text)) {
    const said = text.slice(line.start, line.end);
    if (!hasCells(said)) {
      head = undefined;
      continue;
    }
    const cells = cellsOf(said);
    if (head === undefined) {
      head = { cells, start: line.start };
      continue;
    }
    // Figures head no columns: it is the middle of a table that began in another passage.
    if (head.cells.some((cell) => !/\p{L}/u.test(cell))) continue;
    if (cells.length !== head.cells.length || cells.length < 2 || cells.some((cell) => cell === "")) continue;
    const [first = "", ...rest] = cells;
    // A number or a date in front is no subject.
    if (!/\p{L}{2}/u.test(first)) continue;
    const columns = head.cells.slice(1);
    const told = rest.map((cell, at) => `${columns[at] ?? ""}: ${cell}`).join("; ");
    pieces.push({ start: head.start, end: line.end, text: `${first} – ${told}.` });
  }
  return pieces;
}

function linesOf(text: string): readonly Span[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const span = { start, end: start + line.length };
    start = span.end + 1;
    return span;
  });
}
