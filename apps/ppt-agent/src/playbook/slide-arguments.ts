import type { JsonObject } from "@troupe/stream";

import type { Statement, Table } from "./read-briefing.ts";

/** A slide of the deck, as the `slide` argument of powerpoint_add_slide. */
export interface Slide {
  /** 0 must be there; the higher, the sooner it goes where fewer slides are wanted. */
  readonly rank: number;
  readonly argument: JsonObject;
}

const MAX_TITLE = 280;
const MAX_TEXT = 950;
const MAX_CELL = 380;
const MAX_MORE = 60;
const MAX_COLUMNS = 12;
const MAX_ROWS = 20;
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

/** A table as a slide takes it: of a very large one its beginning, which the notes say. */
export function tableArgument({ columns, rows, citations }: Table): JsonObject {
  const shown = rows.slice(0, MAX_ROWS);
  const width = Math.min(MAX_COLUMNS, columns.length);
  const left = [
    ...(rows.length > shown.length ? [`${rows.length - shown.length} more rows`] : []),
    ...(columns.length > width ? [`the columns ${columns.slice(width).join(", ")}`] : []),
  ];
  return {
    columns: columns.slice(0, width).map((name) => cut(name, MAX_CELL) || "–"),
    rows: shown.map((row) => Array.from({ length: width }, (_, c) => cut(row[c] ?? "", MAX_CELL))),
    sources: citations.slice(0, MAX_SOURCES).map(reference),
    ...(left.length === 0 ? {} : { notes: cut(`The source also has ${left.join(" and ")}.`, MAX_TEXT) }),
  };
}

/** At most so many characters, ended after a word. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1).toWellFormed();
  const space = head.lastIndexOf(" ");
  return `${(space > most / 2 ? head.slice(0, space) : head).replace(/[\s,;:.]+$/, "")}…`;
}
