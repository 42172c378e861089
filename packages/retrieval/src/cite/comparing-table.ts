import type { SearchHit } from "../retriever.ts";
import { contentKeys } from "../text/words.ts";
import { meets } from "./chapter.ts";
import { firstOf, tablesOf, type KeyTable, type PlacedTable } from "./key-table.ts";

/**
 * The table of a document that sets two things side by side: each heads a column of it. Only those two
 * columns and the first are kept, and of an aspect only its rows. Undefined where there is none, or no
 * row on the aspect. Editions that a newer one replaced are left out.
 */
export function comparingTable(
  hits: readonly SearchHit[],
  things: readonly [string, string],
  aspect?: string,
): KeyTable | undefined {
  const current = hits.filter((hit) => hit.newerVersion === undefined && !hit.withdrawn);
  const fitting = tablesOf(current, true).flatMap((placed) => {
    const pair = columnsOf(placed, things);
    return pair === undefined ? [] : [{ placed, pair }];
  });
  const best = fitting.toSorted((a, b) => a.pair.further - b.pair.further)[0];
  const table = best && firstOf(current, [best.placed], true);
  if (best === undefined || table === undefined) return undefined;
  const columns = [0, ...best.pair.at];
  const asked = contentKeys(aspect ?? "");
  const rows = table.rows.filter(([label = ""]) => aspect === undefined || meets(contentKeys(label), asked));
  if (rows.length === 0) return undefined;
  const pick = (cells: readonly string[]): readonly string[] => columns.map((at) => cells[at] ?? "");
  return { ...table, columns: pick(table.columns), rows: rows.map(pick) };
}

interface Pair {
  readonly at: readonly [number, number];
  /** Words of the two heads that the things do not have. */
  readonly further: number;
}

/** Two columns whose heads have all words of the things, one each, and the fewest others. */
function columnsOf({ found }: PlacedTable, things: readonly [string, string]): Pair | undefined {
  const heads = found.columns.map(contentKeys);
  const [one, other] = things.map((thing) => {
    const keys = contentKeys(thing);
    const holding = heads.flatMap((head, at) =>
      at > 0 && [...keys].every((key) => head.has(key)) ? [{ at, further: head.size - keys.size }] : [],
    );
    return holding.toSorted((a, b) => a.further - b.further)[0];
  });
  if (one === undefined || other === undefined || one.at === other.at) return undefined;
  return { at: [one.at, other.at], further: one.further + other.further };
}
