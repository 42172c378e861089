import type { Citation } from "@troupe/stream";

import type { SearchHit } from "../retriever.ts";
import { cellsOf, hasCells } from "../text/cells.ts";
import { citationOf } from "./citation-of.ts";
import { isPromptInjection } from "./prompt-injection.ts";
import { hitsAbout, inChapter, pathAt } from "./chapter.ts";

/** A table of a document with the place where it stands. All cells are text as written. */
export interface KeyTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly citation: Citation;
  /** Of the passages in which a long one goes on. */
  readonly further: readonly Citation[];
  /** ISO date of the document, as exact as it says. */
  readonly published?: string;
}

/** Smaller ones are said as well in a sentence, larger ones are looked up rather than shown. */
const ROWS = { least: 2, most: 40 };
const COLUMNS = { least: 3, most: 8 };
/** Share of cells that may be empty, such as the last of a total. */
const EMPTY = 0.25;

/**
 * The first whole table in the chapter on an aspect of a subject. One whose cells were torn apart by
 * the layout of a page is left out: every row must have a cell for each column, though a few may be empty.
 */
export function keyTable(hits: readonly SearchHit[], subject: string, aspect: string): KeyTable | undefined {
  const about = hitsAbout(hits, subject);
  return firstOf(about, inChapter(tablesOf(about), aspect));
}

/** The first whole table under some headings of a document. */
export function tableUnder(
  hits: readonly SearchHit[],
  under: (path: readonly string[]) => boolean,
): KeyTable | undefined {
  return firstOf(
    hits,
    tablesOf(hits).filter(({ path }) => under(path)),
  );
}

export interface PlacedTable {
  readonly hit: SearchHit;
  readonly found: Found;
  readonly path: readonly string[];
}

/** The first whole table of each passage. `corner`: also one whose first column has no head. */
export function tablesOf(hits: readonly SearchHit[], corner = false): readonly PlacedTable[] {
  return hits.flatMap((hit) => {
    const found = tableIn(hit.text, corner);
    return found === undefined || goesOn(hits, hit, found)
      ? []
      : [{ hit, found, path: pathAt(hit, found.start) }];
  });
}

/** The first of some tables, with the parts of it that stand in the passages after its own. */
export function firstOf(
  hits: readonly SearchHit[],
  tables: readonly PlacedTable[],
  corner = false,
): KeyTable | undefined {
  const [first] = tables.toSorted(
    (a, b) => (a.hit.citation.page ?? 1) - (b.hit.citation.page ?? 1) || a.hit.start - b.hit.start,
  );
  if (first === undefined) return undefined;
  const { columns, start, end } = first.found;
  const rows = [...first.found.rows];
  const further: Citation[] = [];
  let { hit } = first;
  let last = end;
  while (last >= hit.text.trimEnd().length) {
    const next = nextPart(hits, hit);
    if (next === undefined) break;
    rows.push(...next.rows);
    further.push(citationOf(next.hit, next.start, next.end));
    hit = next.hit;
    last = next.end;
  }
  if (!isWhole(columns, rows, corner)) return undefined;
  const { published } = first.hit;
  return {
    columns,
    rows,
    citation: citationOf(first.hit, start, end),
    further,
    ...(published === undefined ? {} : { published }),
  };
}

interface Part {
  readonly hit: SearchHit;
  readonly rows: readonly (readonly string[])[];
  readonly start: number;
  readonly end: number;
}

/** The rows with which the passage after one begins, without those that stand in both. */
function nextPart(hits: readonly SearchHit[], hit: SearchHit): Part | undefined {
  const end = hit.start + hit.text.trimEnd().length;
  const next = hits.find(
    (other) =>
      isSamePage(other, hit) && other.start <= end + 1 && other.start + other.text.trimEnd().length > end + 1,
  );
  if (next === undefined) return undefined;
  let start = Math.max(0, end - next.start);
  if (next.text[start] === "\n") start += 1;
  const lines = next.text.slice(start).split("\n");
  const count = lines.findIndex((line) => !hasCells(line));
  const shown = count === -1 ? lines : lines.slice(0, count);
  if (shown.length === 0 || shown.some(isPromptInjection)) return undefined;
  return { hit: next, rows: shown.map(cellsOf), start, end: start + shown.join("\n").length };
}

/** A passage that begins in the middle of a table: its first row heads nothing. */
function goesOn(hits: readonly SearchHit[], hit: SearchHit, { start, columns }: Found): boolean {
  if (start > 0 || hit.start === 0) return false;
  if (/\d/.test(columns[0] ?? "")) return true;
  return hits.some((other) => {
    const before = other.text.slice(0, Math.max(0, hit.start - other.start)).trimEnd();
    const reaches = other.start < hit.start && other.start + other.text.length >= hit.start - 1;
    return isSamePage(other, hit) && reaches && hasCells(before.slice(before.lastIndexOf("\n") + 1));
  });
}

const isSamePage = (a: SearchHit, b: SearchHit): boolean =>
  a.documentId === b.documentId && a.citation.page === b.citation.page;

type Found = Omit<KeyTable, "citation" | "further" | "published"> & {
  readonly start: number;
  readonly end: number;
};

function tableIn(text: string, corner: boolean): Found | undefined {
  const lines = text.split("\n");
  let offset = 0;
  const starts = lines.map((line) => {
    const start = offset;
    offset += line.length + 1;
    return start;
  });
  for (let first = 0; first < lines.length; first++) {
    if (!hasCells(lines[first])) continue;
    let last = first;
    while (hasCells(lines[last + 1])) last++;
    // Every line with cells that stands together: a part of a torn table never passes for a whole one.
    const [columns = [], ...rows] = lines.slice(first, last + 1).map(cellsOf);
    const start = starts[first] ?? 0;
    const clean = !lines.slice(first, last + 1).some(isPromptInjection);
    if (clean && isWhole(columns, rows, corner))
      return { columns, rows, start, end: (starts[last] ?? 0) + (lines[last] ?? "").length };
    first = last;
  }
  return undefined;
}

function isWhole(columns: readonly string[], rows: readonly (readonly string[])[], corner: boolean): boolean {
  return (
    rows.length >= ROWS.least &&
    rows.length <= ROWS.most &&
    columns.length >= COLUMNS.least &&
    columns.length <= COLUMNS.most &&
    !columns.slice(corner ? 1 : 0).includes("") &&
    rows.every((row) => row.length === columns.length && row[0] !== "") &&
    rows.flat().filter((cell) => cell === "").length <= EMPTY * rows.flat().length
  );
}
