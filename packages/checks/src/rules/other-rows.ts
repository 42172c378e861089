import type { Claim, HeldFigure, Missing } from "../claim.ts";
import type { Cell, Table } from "../evidence/table.ts";
import { significantDigits } from "../text/numbers.ts";
import { cellsRestated, standsInPassage } from "./figures.ts";

/** A sentence that names more rows than these is not about one of them. */
const MAX_NAMED = 3;

/**
 * Figures of other rows than the sentence names: `Sonde 4 had the highest revenue with EUR 11.4 million`, which is the
 * row Foresight. Where one figure of the sentence is in a row that it names, the others may be in other rows.
 */
export function ofOtherRows(claim: Claim, held: readonly HeldFigure[]): readonly Missing[] {
  const { evidence, cited, fullyNamedRows, namedRows, segment } = claim;
  if (segment.kind === "row" || segment.kind === "heading") return [];
  const figures = held.filter(
    ({ derived, isCount, figure }) =>
      !derived && !isCount && !figure.isYear && !figure.isWord && significantDigits(figure) > 1,
  );
  const known = figures.filter(({ figure }) =>
    [...cited, ...evidence.given].some((text) => standsInPassage(figure, text) === "match"),
  );
  if (figures.length === 0 || known.length > 0 || fullyNamedRows.size === 0) return [];
  const named = [...fullyNamedRows].filter(([table, rows]) => namedRows.get(table)?.length === rows.length);
  if (named.length < namedRows.size || named.some(([, rows]) => rows.length > MAX_NAMED)) return [];
  // Totals and rows that are not named by a label may be meant.
  const holds = ({ figure }: HeldFigure): boolean => {
    const found = evidence.tables
      .map((table) => ({ table, restated: cellsRestated(figure, table), own: fullyNamedRows.get(table) }))
      .filter(({ restated }) => restated.length > 0);
    return (
      found.length === 0 ||
      found.some(
        ({ table, restated, own }) =>
          own === undefined ||
          restated.some((cell) => own.includes(cell.row) || isNamedAfter(table, cell, own)),
      )
    );
  };
  return figures.some(holds) ? [] : figures.map(({ figure }) => ({ kind: "figure", raw: figure.raw }));
}

/** `growth_since_2023` is a column about the row 2023 too. */
function isNamedAfter(table: Table, { column }: Cell, rows: readonly number[]): boolean {
  const year = table.columns[column]?.year;
  return year !== undefined && table.rowsOfYear.get(year)?.some((row) => rows.includes(row)) === true;
}
