import type { ColumnInfo, DataSchema, TableInfo } from "../types/schema.ts";
import { wordsOf } from "../names/words.ts";

/** A step from a row to the one row of another table that it names. */
export interface Link {
  readonly from: TableInfo;
  readonly column: ColumnInfo;
  readonly to: TableInfo;
  readonly key: ColumnInfo;
}

/** A table that can be joined to a row without multiplying it, and the way there. */
export interface Reachable {
  readonly table: TableInfo;
  readonly path: readonly Link[];
}

const MAX_STEPS = 3;

/**
 * Tables a row of `start` leads to, itself first. Only from many to one, along columns whose names
 * agree and whose target is unique: such a join adds columns, never rows.
 */
export function reachable(schema: DataSchema, start: TableInfo): readonly Reachable[] {
  const found: Reachable[] = [{ table: start, path: [] }];
  for (let i = 0; i < found.length; i++) {
    const here = found[i];
    if (here === undefined || here.path.length >= MAX_STEPS) continue;
    for (const link of linksFrom(schema, here.table)) {
      if (!found.some(({ table }) => table === link.to)) {
        found.push({ table: link.to, path: [...here.path, link] });
      }
    }
  }
  return found;
}

function linksFrom(schema: DataSchema, from: TableInfo): readonly Link[] {
  return from.columns.flatMap((column) => {
    if (column.role !== "id") return [];
    for (const to of schema.tables) {
      if (to === from) continue;
      const key = to.columns.find((one) => isUnique(one, to) && namesAgree(column, one, to));
      if (key !== undefined) return [{ from, column, to, key }];
    }
    return [];
  });
}

function isUnique(column: ColumnInfo, table: TableInfo): boolean {
  return table.rows > 0 && column.nulls === 0 && column.distinct === table.rows;
}

/** `customer_id` names `customers.customer_id` and `customers.id`, by whole words. */
function namesAgree(column: ColumnInfo, key: ColumnInfo, table: TableInfo): boolean {
  if (comparable(column.type) !== comparable(key.type)) return false;
  const words = wordsOf(column.name).join(" ");
  const own = wordsOf(key.name).join(" ");
  if (words === own) return words !== "id";
  return own === "id" && words === `${wordsOf(table.name).join(" ")} id`;
}

function comparable(type: string): string {
  return /INT/.test(type) ? "number" : type;
}
