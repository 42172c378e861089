import type { JsonObject } from "@troupe/stream";

import { tableWords } from "./in-brief.ts";
import type { Section, Statement, Table } from "./read-briefing.ts";
import { CELL_WORDS, firstWords, HEADER_WORDS, type TablePlan } from "./table-plan.ts";

/** A slide of the deck, as the `slide` argument of powerpoint_add_slide. */
export interface Slide {
  /** 0 must be there; the higher, the sooner it goes where fewer slides are wanted. */
  readonly rank: number;
  readonly argument: JsonObject;
  /** What it is made of; none of it on a slide that only orders the others. */
  readonly shows?: readonly Shown[];
}

/** A section that a slide is of, or one statement of it among those of others. */
export interface Shown {
  readonly section: Section;
  readonly statement?: Statement;
}

const MAX_TITLE = 280;
const MAX_TEXT = 950;
const MAX_CELL = 380;
const MAX_MORE = 60;
const MAX_COLUMNS = 12;
const MAX_ROWS = 10;
/** Rows that make a table worth a slide. */
const FEW_ROWS = 4;
const MAX_NOTES = 9_000;
const MAX_SOURCES = 40;

export function slideOf(rank: number, argument: JsonObject): Slide {
  const { title } = argument;
  return {
    rank,
    argument: typeof title === "string" ? { ...argument, title: cut(title, MAX_TITLE) } : argument,
  };
}

export function point({ text, citations }: Statement): JsonObject {
  const short = cut(text, MAX_TEXT);
  return citations.length === 0
    ? { text: short }
    : { text: short, sources: citations.slice(0, MAX_SOURCES).map(reference) };
}

/** Statements for the notes. */
export const noted = (statements: readonly Statement[]): JsonObject =>
  statements.length === 0 ? {} : { more: statements.slice(0, MAX_MORE).map(point) };

/** `step/id` as tools take it. */
export function reference(id: string): JsonObject {
  const slash = id.indexOf("/");
  return { step: id.slice(0, slash), id: id.slice(slash + 1) };
}

/**
 * A table as one slide takes it that has no room for all rows: leading columns and rows within `words`, the whole of it in the notes
 * where that is not all.
 */
export function tableArgument({ columns, rows, citations }: Table, words: number): JsonObject {
  const head = (width: number): readonly string[] =>
    columns.slice(0, width).map((name) => firstWords(name, HEADER_WORDS));
  const body = rows.map((row) => columns.map((_, c) => firstWords(row[c] ?? "", CELL_WORDS)));
  const fullest = (width: number): number =>
    Math.max(0, ...body.map((row) => tableWords(row.slice(0, width))));
  // Columns as long as a few rows still fit beside the header.
  const fits = (width: number): boolean =>
    tableWords(head(width)) + Math.min(FEW_ROWS, rows.length) * fullest(width) <= words;
  let width = Math.min(MAX_COLUMNS, columns.length);
  while (width > 2 && !fits(width)) width--;
  let left = words - tableWords(head(width));
  const shown: (readonly string[])[] = [];
  for (const row of body.slice(0, MAX_ROWS)) {
    const cells = row.slice(0, width);
    left -= tableWords(cells);
    if (left < 0 && shown.length > 0) break;
    shown.push(cells.map((cell) => cut(cell, MAX_CELL)));
  }
  const whole = width === columns.length && shown.length === rows.length;
  return {
    columns: head(width).map((name) => cut(name, MAX_CELL) || "–"),
    rows: shown,
    sources: citations.slice(0, MAX_SOURCES).map(reference),
    ...(whole ? {} : { notes: inNotes([columns, ...rows]) }),
  };
}

/** The slides of a table by its plan, what they leave out in the notes: columns beside their rows, else the original. */
export function plannedTables(
  { columns, citations }: Table,
  { columns: shown, slides }: TablePlan,
  original: Table,
): readonly JsonObject[] {
  const cells = (row: readonly string[], words: number, empty: string): readonly string[] =>
    shown.map((c) => cut(firstWords(row[c] ?? "", words), MAX_CELL) || empty);
  const all = slides.flat();
  const isWhole = (row: readonly string[]): boolean =>
    shown.every((c) => firstWords(row[c] ?? "", CELL_WORDS).length >= (row[c] ?? "").trim().length);
  const hidden = slides.map((part) => hiddenCells(original, shown, part));
  const complete =
    all.length === original.rows.length &&
    all.every(isWhole) &&
    hidden.every((text) => text.length <= MAX_NOTES);
  return slides.map((part, i) => {
    const left = complete ? (hidden[i] ?? "") : i === 0 ? inNotes([original.columns, ...original.rows]) : "";
    return {
      columns: cells(columns, HEADER_WORDS, ""),
      rows: part.map((row) => cells(row, CELL_WORDS, "–")),
      sources: citations.slice(0, MAX_SOURCES).map(reference),
      ...(left === "" ? {} : { notes: left }),
    };
  });
}

/** What rows say in columns that are not `shown`: `• 31 March 2026 – Owner: Ida Berg`. */
export function hiddenCells(
  { columns }: Pick<Table, "columns">,
  shown: readonly number[],
  rows: readonly (readonly string[])[],
): string {
  const lines = rows.flatMap((row) => {
    const hidden = columns.flatMap((name, c) =>
      shown.includes(c) || (row[c] ?? "") === "" ? [] : [name === "" ? (row[c] ?? "") : `${name}: ${row[c]}`],
    );
    return hidden.length === 0 ? [] : [`• ${row[0] ?? ""} – ${hidden.join(", ")}`];
  });
  return lines.join("\n");
}

/** A table for the notes, as far as they take it. */
export function inNotes(rows: readonly (readonly string[])[]): string {
  const text = rows.map((row) => row.join(" | ")).join("\n");
  return text.length <= MAX_NOTES
    ? `The whole table:\n${text}`
    : `The table begins:\n${cut(text, MAX_NOTES)}`;
}

/** At most so many characters, ended after a word. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1).toWellFormed();
  const space = head.lastIndexOf(" ");
  return `${(space > most / 2 ? head.slice(0, space) : head).replace(/[\s,;:.]+$/, "")}…`;
}
