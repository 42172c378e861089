import { DuckDBTimestampTZValue, DuckDBTimestampValue, type DuckDBValue } from "@duckdb/node-api";

import { exactNumber } from "../names/exact-number.ts";
import type { Cell } from "../types/result.ts";

/** Characters of one cell that are carried; the rest is left out and the result marked truncated. */
export const MAX_CELL = 16_384;

/** The engine's value as a cell; nested values as their text. */
export function toCell(value: DuckDBValue): Cell {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  // Its own text is in the time zone of this process.
  if (value instanceof DuckDBTimestampTZValue)
    return `${new DuckDBTimestampValue(value.micros).toString()}+00`;
  const text = value.toString();
  return typeof value === "bigint" || isDecimal(value) ? exactNumber(text) : text;
}

function isDecimal(value: object): boolean {
  return "scale" in value && "width" in value;
}
