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
/** A day may close one file and open the next; files that share more are copies or editions of one another. */
const OVERLAP_MS = 86_400_000;

/** Tables whose files differ in the period of their name, have most columns alike and follow one another in time. */
export function fileSeries(tables: readonly TableInfo[]): readonly FileSeries[] {
  const groups = new Map<string, SeriesPart[]>();
  for (const table of tables) {
    const stem = stemOf(table);
    if (stem === undefined || table.rows === 0) continue;
    groups.set(stem, [...(groups.get(stem) ?? []), { table, ...periodOf(table.source) }]);
  }
  const taken = new Set(tables.map(({ name }) => name));
  return [...groups].flatMap(([stem, found]) => {
    const parts = found.toSorted((a, b) => (a.label < b.label ? -1 : 1));
    if (parts.length < 2 || !areAlike(parts.map(({ table }) => table)) || !followOneAnother(parts)) return [];
    let name = stem.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "") || "all_rows";
    while (taken.has(name)) name += "_all";
    taken.add(name);
    return [{ name, parts }];
  });
}

/** The name of a file without its period; undefined where it has none, or several years. */
function stemOf({ source }: TableInfo): string | undefined {
  const plain = source.replace(/\.\w+$/, "");
  return plain.split(YEAR).length === 2 ? plain.replace(PERIOD, "").toLowerCase() : undefined;
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

function areAlike(tables: readonly TableInfo[]): boolean {
  const all = new Set(tables.flatMap(names));
  const shared = [...all].filter((name) => tables.every((table) => names(table).includes(name)));
  return shared.length > 1 && shared.length >= all.size * SHARED;
}

/** Each of another period of one kind, and, where they have dates, each after the one before. */
function followOneAnother(parts: readonly SeriesPart[]): boolean {
  const spans = parts.flatMap(({ table }) => spanOf(table.columns) ?? []);
  return (
    new Set(parts.map(({ label }) => label)).size === parts.length &&
    new Set(parts.map(({ grain }) => grain)).size === 1 &&
    (spans.length === 0 || spans.length === parts.length) &&
    spans.every(({ from }, i) => i === 0 || from >= (spans[i - 1]?.until ?? -Infinity) - OVERLAP_MS)
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

/** Files that have the columns of one that is read, or most of them and its name but for the period, and are not. */
export function sameShape(table: TableInfo, tables: readonly TableInfo[]): readonly string[] {
  const own = names(table).toSorted().join("\n");
  const stem = stemOf(table);
  return tables
    .filter(
      (other) =>
        other !== table &&
        ((other.columns.length > 2 && names(other).toSorted().join("\n") === own) ||
          (stem !== undefined && stemOf(other) === stem && areAlike([table, other]))),
    )
    .map(({ source }) => source);
}
