import type { DuckDBValue } from "@duckdb/node-api";

import type { Cell } from "../types/result.ts";

/** Characters of one cell that are carried; the rest is left out and the result marked truncated. */
export const MAX_CELL = 16_384;

/** Digits a double holds without loss. */
const EXACT_DIGITS = 15;

/** The engine's value as a cell; nested values as their text. */
export function toCell(value: DuckDBValue): Cell {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  const text = value.toString();
  return typeof value === "bigint" || isDecimal(value) ? exactNumber(text) : text;
}

/** A number when a double gives the same digits back, else the text. */
export function exactNumber(text: string): number | string {
  const digits = text.replace(/^-?0*\.?0*|\D/g, "").length;
  return digits <= EXACT_DIGITS ? Number(text) : text;
}

function isDecimal(value: object): boolean {
  return "scale" in value && "width" in value;
}
