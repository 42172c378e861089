import { isDateType } from "../names/column-role.ts";
import type { ColumnInfo, TableInfo } from "../types/schema.ts";

/** One file of a series, and the period its name says. */
export interface SeriesPart {
  readonly table: TableInfo;
  readonly grain: "year" | "half" | "quarter" | "month";
  /** `2024`, `2024-H1`, `2024-Q1` or `2024-01`. */
  readonly label: string;
}

export interface FileSeries {
  /** What the names have in common. */
  readonly name: string;
  readonly parts: readonly SeriesPart[];
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
/** A year, and a month, quarter or half of it, in the name of a file. */
const PERIOD =
  /[_\-. ]*(?<!\d)(?:19|20)\d\d(?!\d)(?:[_\-. ]*(?:[qh][1-4]|(?:0[1-9]|1[0-2])(?!\d)))?|[_\-. ]*(?:[qh][1-4])(?=[_\-. ]*(?:19|20)\d\d)/gi;
/** Of all columns, how many every file of a series has. */
const SHARED = 0.6;
/** Files whose days overlap by more are copies or editions of one another. */
const OVERLAP_MS = 31 * 86_400_000;

/** Tables whose files differ in the period of their name, have most columns alike and follow one another in time. */
export function fileSeries(tables: readonly TableInfo[]): readonly FileSeries[] {
  const groups = new Map<string, SeriesPart[]>();
  for (const table of tables) {
    const plain = table.source.replace(/\.\w+$/, "");
    if (!YEAR.test(plain) || table.rows === 0) continue;
    const stem = plain.replace(PERIOD, "").toLowerCase();
    groups.set(stem, [...(groups.get(stem) ?? []), { table, ...periodOf(plain) }]);
  }
  const taken = new Set(tables.map(({ name }) => name));
  return [...groups].flatMap(([stem, parts]) => {
    if (parts.length < 2 || !areAlike(parts) || !followOneAnother(parts)) return [];
    const name = stem.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "") || "all_rows";
    return [{ name: taken.has(name) ? `${name}_all` : name, parts }];
  });
}

function periodOf(name: string): Pick<SeriesPart, "grain" | "label"> {
  const year = YEAR.exec(name)?.[0] ?? "";
  const [, letter = "", number = ""] = /(?<![a-z0-9])([qh])([1-4])(?!\d)/i.exec(name) ?? [];
  if (letter !== "")
    return {
      grain: /q/i.test(letter) ? "quarter" : "half",
      label: `${year}-${letter.toUpperCase()}${number}`,
    };
  const [, month] = /(?:19|20)\d\d[_\-. ]*(0[1-9]|1[0-2])(?!\d)/.exec(name) ?? [];
  return month === undefined ? { grain: "year", label: year } : { grain: "month", label: `${year}-${month}` };
}

const names = ({ columns }: TableInfo): readonly string[] => columns.map(({ name }) => name.toLowerCase());

function areAlike(parts: readonly SeriesPart[]): boolean {
  const all = new Set(parts.flatMap(({ table }) => names(table)));
  const shared = [...all].filter((name) => parts.every(({ table }) => names(table).includes(name)));
  return shared.length > 1 && shared.length >= all.size * SHARED;
}

/** By their dates where they have some, else by the periods of their names. */
function followOneAnother(parts: readonly SeriesPart[]): boolean {
  const spans = parts.flatMap(({ table }) => spanOf(table.columns) ?? []);
  if (spans.length === parts.length)
    return spans
      .toSorted((a, b) => a.from - b.from)
      .every((span, i, all) => span.from > (all[i - 1]?.until ?? -Infinity) - OVERLAP_MS);
  return (
    spans.length === 0 &&
    new Set(parts.map(({ label }) => label)).size === parts.length &&
    new Set(parts.map(({ grain }) => grain)).size === 1
  );
}

function spanOf(
  columns: readonly ColumnInfo[],
): { readonly from: number; readonly until: number } | undefined {
  const date = columns
    .filter(({ type, min }) => isDateType(type) && min !== null)
    .toSorted((a, b) => a.nulls - b.nulls)[0];
  if (date === undefined) return undefined;
  return { from: Date.parse(String(date.min)), until: Date.parse(String(date.max)) };
}

/** Files that have the columns of one that is read, and are not. */
export function sameShape(table: TableInfo, tables: readonly TableInfo[]): readonly string[] {
  const own = names(table).toSorted().join("\n");
  return tables
    .filter(
      (other) => other !== table && other.columns.length > 2 && names(other).toSorted().join("\n") === own,
    )
    .map(({ source }) => source);
}
