import { InputError } from "@troupe/core";
import type { ChartRow } from "@troupe/stream";

import { groupRows, labelsOf } from "../shape/group.ts";
import type { ChartDraft } from "./chart-draft.ts";
import { isOtherLabel } from "./draw-points.ts";

/** How a chart is shown. */
export interface Arrangement {
  /** Followed where there are several series without negative figures. */
  readonly stacked?: boolean;
  /** Order of the axis: by size, by name or time (`x`), or as in the result (`rows`). */
  readonly sort?: "largest" | "smallest" | "x" | "rows";
  /** Values of the axis or names of series that stand out. */
  readonly highlight?: readonly string[];
  /** Unit of the figures, in place of the one that the columns name. */
  readonly unit?: string;
  /** Decimals that every figure is shown with. */
  readonly decimals?: number;
}

/** The draft with the wanted arrangement, and a note for each wish that was not followed. */
export function arrange(
  draft: ChartDraft,
  { stacked, sort, highlight, unit, decimals }: Arrangement,
): { readonly draft: ChartDraft; readonly highlight: readonly string[]; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const series = draft.series.map((field) => ({
    ...field,
    ...(unit === undefined ? {} : { label: withoutUnit(field.label, unit), unit }),
    ...(decimals === undefined ? {} : { decimals }),
  }));
  const mayStack =
    draft.series.length > 1 &&
    (draft.kind === "bar" || draft.kind === "column" || draft.kind === "area") &&
    draft.rows.every((row) => draft.series.every(({ field }) => Number(row[field] ?? 0) >= 0));
  if (stacked === true && !mayStack)
    notes.push("not stacked: that takes several series without negative figures, as bars, columns or areas");
  const { stacked: chosen, ...rest } = draft;
  const isStacked = stacked === undefined ? chosen === true : stacked && mayStack;
  const rows = sort === undefined || draft.x === undefined ? draft.rows : sorted(draft, sort, isStacked);
  return {
    draft: {
      ...rest,
      title: draft.series.reduce(
        (title, { label }, i) => title.replace(label, series[i]?.label ?? label),
        rest.title,
      ),
      series,
      rows,
      ...(isStacked ? { stacked: true } : {}),
    },
    highlight: (highlight ?? []).map((name) => called(name, draft)),
    notes,
  };
}

/** `Revenue million` in `EUR million` is `Revenue`: the unit stands beside the figures. */
function withoutUnit(label: string, unit: string): string {
  const inUnit = unit.toLowerCase().split(/\s+/);
  const words = label.split(" ");
  const last = words.findLastIndex((word) => !inUnit.includes(word.toLowerCase()));
  return last === -1 ? label : words.slice(0, last + 1).join(" ");
}

const isOther = ({ x }: ChartRow): boolean => isOtherLabel(String(x));

/** `Other` stays last. */
function sorted(
  { rows, series, by, kind }: ChartDraft,
  sort: NonNullable<Arrangement["sort"]>,
  isStacked: boolean,
): readonly ChartRow[] {
  const [axis] = by;
  if (axis === undefined || kind === "scatter") return rows;
  const own = rows.filter((row) => !isOther(row));
  const total = (row: ChartRow): number =>
    isStacked
      ? series.reduce((sum, { field }) => sum + Number(row[field] ?? 0), 0)
      : Number(row[series[0]?.field ?? ""] ?? -Infinity);
  const inRows = labelsOf(axis);
  const orders: { readonly [order in typeof sort]: (a: ChartRow, b: ChartRow) => number } = {
    largest: (a, b) => total(b) - total(a),
    smallest: (a, b) => total(a) - total(b),
    rows: (a, b) => inRows.indexOf(String(a["x"])) - inRows.indexOf(String(b["x"])),
    // Time is in its order already.
    x: (a, b) =>
      axis.kind === "date" ? 0 : String(a["x"]).localeCompare(String(b["x"]), "en", { numeric: true }),
  };
  return [...own.toSorted(orders[sort]), ...rows.filter(isOther)];
}

/** The label, in the chart, of a value of the axis or of a series that is named by its label or as in the rows. */
function called(name: string, { rows, series, x, by: [axis] }: ChartDraft): string {
  const names = [
    ...(x === undefined ? [] : rows.map((row) => String(row[x.field]))),
    ...(series.length > 1 ? series.map(({ label }) => label) : []),
  ];
  const inRows = axis && groupRows(axis).find(({ key }) => isSameValue(String(key), name))?.label;
  const found =
    names.find((one) => one === name) ??
    names.find((one) => one.toLowerCase() === name.toLowerCase()) ??
    names.find((one) => one === inRows);
  if (found !== undefined) return found;
  throw new InputError(
    "input.invalid",
    `highlight: the chart shows no "${name}". Give one of: ${names
      .slice(0, 12)
      .map((one) => `"${one}"`)
      .join(", ")}.`,
  );
}

/** Whether a cell has the named value, ignoring midnight as the time of a date. */
const isSameValue = (cell: string, name: string): boolean => {
  const [value, wanted] = [cell, name].map((one) => one.replace(/[T ]00:00(?::00(?:\.0+)?)?Z?$/, ""));
  return value === wanted;
};
