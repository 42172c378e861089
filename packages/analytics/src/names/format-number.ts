import type { Cell } from "../types/result.ts";

const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const fine = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
/** Written out, a double of more digits would only look exact. */
const HUGE = 1e18;
const TINY = 1e-6;
const percent = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * The one way a number is written for a person: thousands apart, at most two decimals, three digits
 * below one hundredth. Exact decimal text is not passed through a double.
 */
export function formatNumber(value: number | string, unit?: string): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return String(value);
  const small = number !== 0 && Math.abs(number) < 0.01;
  if (typeof value === "number" && Math.abs(value) >= HUGE) return withUnit(powerOfTen(value), unit);
  if (number !== 0 && Math.abs(number) < TINY) return withUnit(powerOfTen(number), unit);
  // A decimal text is a number to Intl since ES2023; the typing wants it as a template.
  const text = small ? fine.format(number) : plain.format(value as `${number}`);
  return withUnit(text, unit);
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** A number with exactly `decimals` decimals. */
export function formatDecimals(value: number, decimals: number, unit?: string): string {
  const text = value.toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return withUnit(text, unit);
}

/** A number where there is little room, as over a bar: `4.21M`, `950`. */
export function compactNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= MAX_SPOKEN || (size > 0 && size < TINY)) return powerOfTen(value);
  return size >= 10_000 ? compact.format(value) : formatNumber(value);
}

/** `1.5E+300`. */
function powerOfTen(value: number): string {
  return value
    .toPrecision(3)
    .replace(/\.?0*(?=e|$)/, "")
    .toUpperCase();
}

/** A currency code and a `$` stand before its amount, as English documents write it; other units stand after. */
function withUnit(text: string, unit: string | undefined): string {
  if (unit === undefined) return text;
  if (unit === "$") return `$${text}`.replace("$-", "-$");
  return /^[A-Z]{3}$/.test(unit) ? `${unit} ${text}` : `${text} ${unit}`;
}

/**
 * A number as it is said: `EUR 13.9 million`. Three digits count from a million on, no decimals from
 * ten thousand on; below that it is written out. For sentences; tables and charts keep every digit.
 */
export function formatBrief(value: number, unit?: string): string {
  const size = Math.abs(value);
  if (size >= MAX_SPOKEN) return formatNumber(size >= HUGE ? value : Math.round(value), unit);
  const scale = SCALES.find(([from]) => size >= from);
  if (scale === undefined) return formatNumber(size >= 10_000 ? Math.round(value) : value, unit);
  const [from, word] = scale;
  return withUnit(`${fine.format(value / from)} ${word}`, unit);
}

/** Thousands of trillions are no words anybody reads. */
const MAX_SPOKEN = 1e15;

const SCALES: readonly (readonly [from: number, word: string])[] = [
  [1e12, "trillion"],
  [1e9, "billion"],
  [1e6, "million"],
];

/** `0.1234` -> `12.3 %`. */
export function formatShare(part: number): string {
  return `${percent.format(part * 100)} %`;
}

/** The number in a cell, undefined for anything else. */
export function toNumber(cell: Cell | undefined): number | undefined {
  if (typeof cell === "number") return cell;
  if (typeof cell !== "string" || cell.trim() === "") return undefined;
  const number = Number(cell);
  return Number.isFinite(number) ? number : undefined;
}
