import { InputError } from "@troupe/core";
import type { Citation } from "@troupe/stream";

import { columnRole } from "../names/column-role.ts";
import { oneLine } from "../names/one-line.ts";
import type { Cell, QueryResult } from "../types/result.ts";

/** A copy of a table in a document, with the passage that holds it. */
export interface CitedTable {
  readonly citation: Pick<Citation, "id" | "document" | "collection" | "quote" | "passage" | "page">;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

const MAX_NAMED = 5;

/**
 * The table as a result to draw, with the citation as its origin. Every column name and every cell must be in the
 * passage: the cells of a row in one line and in order, and in a table with cell borders under their own column.
 * Numbers are compared as the passage writes them. Throws an `InputError` that names what is not there.
 */
export function citedTable({ citation, columns, rows }: CitedTable): QueryResult {
  const passage = citation.passage ?? citation.quote;
  const lines = passage.split("\n").map(readLine);
  const where = `the passage [${citation.id}] of "${oneLine(citation.document)}"`;
  const uneven = rows.findIndex((row) => row.length !== columns.length);
  if (uneven >= 0)
    throw refused(
      `table.rows: row ${uneven + 1} has ${rows[uneven]?.length ?? 0} cells for ${columns.length} columns.`,
    );
  const missing = columns.filter((column) => !fold(passage).includes(fold(column)));
  if (missing.length > 0)
    throw refused(`table.columns: ${listed(missing)} not in ${where}. Write column names as they are there.`);
  const comma = writesDecimalComma(passage);
  const heads = lines.flatMap(({ cells }) => places(columns, cells, comma));
  const isBordered = lines.some(({ cells }) => cells.length > 1);
  if (isBordered && heads.length === 0)
    throw refused(
      `table.columns: ${listed(columns)} not together, in this order, in one line of ${where}. Write the heading of the table as it is there; columns may be left out.`,
    );
  const unknown = rows.flatMap((row, at) =>
    lines.some((line) => holdsRow(line, row, heads, comma))
      ? []
      : [`row ${at + 1} (${row.map(String).join(" | ")})`],
  );
  if (unknown.length > 0)
    throw refused(
      `table.rows: ${listed(unknown)} not in one line of ${where}. Copy cells as they are there, such as "EUR 4.2 million", in their order.`,
    );
  return toResult({ citation, columns, rows }, comma);
}

function toResult({ citation, columns, rows }: CitedTable, comma: boolean): QueryResult {
  const read = columns.map((name, at) =>
    readColumn(
      name,
      rows.map((row) => row[at] ?? null),
      comma,
    ),
  );
  const page = citation.page === undefined ? "" : `, page ${citation.page}`;
  return {
    id: citation.id,
    collection: citation.collection,
    sql: "",
    source: `${citation.document}${page}`,
    columns: read.map(({ name, unit, cells, isNumber }) => {
      const type = isNumber ? "DOUBLE" : "VARCHAR";
      const distinct = new Set(cells).size;
      return {
        name,
        type,
        role: columnRole({ name, type, values: cells, distinct, rows: rows.length }),
        ...(unit === undefined ? {} : { unit }),
      };
    }),
    rows: rows.map((_, row) => read.map(({ cells }) => cells[row] ?? null)),
    truncated: false,
    // The table in the document may be longer, so its rows are not taken as a whole.
    limited: true,
    total: rows.length,
  };
}

interface Column {
  readonly name: string;
  readonly unit?: string;
  readonly cells: readonly Cell[];
  readonly isNumber: boolean;
}

/** The unit is in the header, as in `Revenue (EUR million)`, or in every cell, as in `EUR 4.2 million`. */
function readColumn(header: string, given: readonly (string | number | null)[], comma: boolean): Column {
  const cells = given.map((cell) => (cell === "" || cell === "-" || cell === "–" ? null : cell));
  const numbers = cells.map((cell) => (cell === null ? null : readNumber(cell, comma)));
  const isNumber = numbers.every((one) => one !== undefined) && numbers.some((one) => one !== null);
  if (!isNumber) return { name: header, cells, isNumber };
  const units = new Set(numbers.flatMap((one) => (one === null || one === undefined ? [] : [one.unit])));
  units.delete("");
  if (units.size > 1)
    throw refused(
      `table.rows: the cells of "${header}" have several units (${[...units].join(", ")}). Give a table of one unit a column.`,
    );
  const [, name = header, bracketed] = /^(.*\S)\s*[([]([^)\]]+)[)\]]$/.exec(header) ?? [];
  const [unit = bracketed] = units;
  return {
    name,
    ...(unit === undefined ? {} : { unit }),
    cells: numbers.map((one) => one?.value ?? null),
    isNumber,
  };
}

interface Line {
  readonly text: string;
  /** Empty for a line that is not part of a table with cell borders. */
  readonly cells: readonly string[];
}

function readLine(line: string): Line {
  const text = line.trim();
  const cells = text.includes("|")
    ? text
        .replace(/^\||\|$/g, "")
        .split("|")
        .map((cell) => cell.trim())
    : [];
  return { text, cells };
}

/** Positions of the wanted cells in a line, in order; empty where one is missing. */
function places(
  wanted: readonly (string | number | null)[],
  cells: readonly string[],
  comma: boolean,
): readonly (readonly number[])[] {
  const found: number[] = [];
  for (const one of wanted) {
    const at = cells.findIndex((cell, index) => index > (found.at(-1) ?? -1) && isSame(one, cell, comma));
    if (at < 0) return [];
    found.push(at);
  }
  return [found];
}

function holdsRow(
  { text, cells }: Line,
  row: CitedTable["rows"][number],
  heads: readonly (readonly number[])[],
  comma: boolean,
): boolean {
  if (cells.length > 0)
    return heads.some((head) =>
      row.every((cell, at) => isSame(cell, cells[head[at] ?? -1] ?? "\u0000", comma)),
    );
  // Text without borders: whole words in their order.
  let rest = ` ${fold(text)} `;
  return row.every((cell) => {
    if (cell === null) return true;
    const at = typeof cell === "number" ? findNumber(rest, cell, comma) : findWords(rest, fold(cell));
    if (at < 0) return false;
    rest = rest.slice(at);
    return true;
  });
}

function isSame(cell: string | number | null, there: string, comma: boolean): boolean {
  if (cell === null) return /^[-–—]?$/.test(there);
  if (typeof cell === "string") return fold(cell) === fold(there);
  return readNumber(there, comma)?.value === cell;
}

/** The position after the words; -1 where the text does not have them as whole words. */
function findWords(text: string, words: string): number {
  if (words === "") return -1;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + words.length)];
    // A number must not be a part of a longer one: 4.2 of 14.25.
    const isPart =
      (/[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(words)) ||
      (/[\p{L}\p{N}]$/u.test(words) && /^(?:[\p{L}\p{N}]|[.,'’]\d)/u.test(after)) ||
      (/^\d/.test(words) && /\d[.,'’]$/.test(before));
    if (!isPart) return at + words.length;
  }
  return -1;
}

const NUMBER = /[-−]?\d[\d.,'’\u00A0\u202F]*(?<![.,'’\u00A0\u202F])/g;

function findNumber(text: string, wanted: number, comma: boolean): number {
  for (const match of text.matchAll(NUMBER))
    if (toValue(match[0], comma) === wanted) return match.index + match[0].length;
  return -1;
}

/** A cell that is one number with its unit, such as `EUR 4.2 million`, `(3.1)` or `27 %`; undefined for any other. */
function readNumber(
  cell: string | number,
  comma: boolean,
): { readonly value: number; readonly unit: string } | undefined {
  if (typeof cell === "number") return { value: cell, unit: "" };
  const text = cell.replaceAll(/[*_~]/g, "").trim();
  const found = text.match(/\d[\d.,'’\u00A0\u202F ]*(?<![.,'’\u00A0\u202F ])/g) ?? [];
  const [digits] = found;
  if (digits === undefined || found.length > 1) return undefined;
  const value = toValue(digits.replaceAll(/(?<=\d) (?=\d{3}(?!\d))/g, ""), comma);
  const [before = "", after = ""] = text.split(digits).map((one) => one.trim());
  // Words around it make it a name or a sentence: "Station 4", "3 of 12".
  if (
    value === undefined ||
    !isUnitText(before.replace(/[-−+(]+$/, "").trim()) ||
    !isUnitText(after.replace(/^\)/, "").trim())
  )
    return undefined;
  const isNegative = /[-−]$/.test(before) || (before.endsWith("(") && after.startsWith(")"));
  const unit = [before.replace(/[-−+(]+$/, ""), after.replace(/^\)/, "")]
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join(" ");
  return { value: isNegative ? -value : value, unit };
}

const UNIT_TEXT =
  /^(?:\p{Sc}|%|[A-Z]{3}|(?:[A-Z]{3}|\p{Sc})? ?(?:thousand|million|billion|mio|mrd|mn|bn|tsd|[kmb])\.?(?: ?(?:[A-Z]{3}|\p{Sc}|euros?|dollars?))?|euros?|percent|points|pp|[kmc]?m[²³23]?|[km]?g|t|[kmg]?wh?|°?[cf]|h|hours?|days?|weeks?|months?|years?|people|fte|pcs)$/iu;
const isUnitText = (text: string): boolean => text === "" || UNIT_TEXT.test(text);

/** The value of `1,450.50`, or of `1.450,50` where the passage has decimal commas. */
function toValue(written: string, comma: boolean): number | undefined {
  const digits = written.replaceAll(/['’\u00A0\u202F]/g, "").replace("−", "-");
  const [group, decimal] = comma ? [".", ","] : [",", "."];
  const [whole = "", ...fraction] = digits.split(decimal);
  const isGrouped = !whole.includes(group) || /^-?\d{1,3}(?:[.,]\d{3})+$/.test(whole);
  if (fraction.length > 1 || !isGrouped || fraction[0]?.includes(group) === true) return undefined;
  const value = Number([whole.replaceAll(group, ""), ...fraction].join("."));
  return Number.isFinite(value) ? value : undefined;
}

/** Whether most numbers that can be read in only one way have a decimal comma. */
function writesDecimalComma(text: string): boolean {
  const commas =
    text.match(
      /(?<![\d.,])\d+(?:\.\d{3})*,(?:\d{1,2}|\d{4,})(?![\d.,])|(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.,])/g,
    ) ?? [];
  const points =
    text.match(
      /(?<![\d.,])\d+(?:,\d{3})*\.(?:\d{1,2}|\d{4,})(?![\d.,])|(?<![\d.,])\d{1,3}(?:,\d{3}){2,}(?![\d.,])/g,
    ) ?? [];
  return commas.length > points.length;
}

const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[*_`]/g, "")
    .replaceAll(/\[([\w-]{1,24})\]/g, "($1)")
    .replaceAll(/\s+/g, " ")
    .trim();

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => `"${oneLine(name, 100)}"`);
  return `${shown.join(", ")}${names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ""} ${names.length === 1 ? "is" : "are"}`;
}

const refused = (message: string): InputError => new InputError("input.invalid", message);
