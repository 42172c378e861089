/** How the numbers of one axis are shown. The embedded workbook keeps every digit. */
export interface NumberFormat {
  /** Excel format code; trailing commas scale by thousands. */
  readonly code: string;
  readonly scale: 1 | 1_000 | 1_000_000 | 1_000_000_000;
  readonly decimals: number;
  readonly suffix: string;
  /** As a power of ten: written out, the largest or all of the values would have more digits than anybody reads. */
  readonly scientific: boolean;
  /** Thousands are set apart; off for years. */
  readonly grouped: boolean;
  /** `EUR million`, for an axis title or a caption; empty when there is nothing to say. */
  readonly unitLabel: string;
}

/** From here on, and below the other, numbers are written as powers of ten. */
const HUGE = 1e15;
const TINY = 1e-4;
const SCIENTIFIC_CODE = "0.0E+0";

const isExtreme = (size: number): boolean => size >= HUGE || (size > 0 && size < TINY);

const SCALES = [
  { scale: 1_000_000_000, word: "billion", commas: ",,," },
  { scale: 1_000_000, word: "million", commas: ",," },
  { scale: 1_000, word: "thousand", commas: "," },
] as const;

/**
 * A scale and the fewest decimals that tell the values apart, or `wanted` decimals where nothing is scaled. `%` is
 * shown with each number.
 */
export function numberFormat(
  values: readonly number[],
  unit: string | undefined,
  wanted?: number,
): NumberFormat {
  const finite = values.filter(Number.isFinite).map(Math.abs);
  const max = Math.max(0, ...finite);
  if (isExtreme(max)) return scientific(unit);
  // A unit that names a scale is not scaled once more: no "EUR million thousand".
  const isScaled = unit === "%" || SCALE_WORD.test(unit ?? "");
  const chosen = isScaled ? undefined : SCALES.find((s) => max >= s.scale * (s.scale === 1_000 ? 10 : 1));
  const scale = chosen?.scale ?? 1;
  const scaled = finite.map((v) => v / scale);
  return {
    ...plainFormat(
      (scale === 1 ? wanted : undefined) ?? decimalsFor(scaled, scale === 1),
      isGrouped(values),
      {
        commas: chosen?.commas ?? "",
        suffix: unit === "%" ? "%" : "",
      },
    ),
    scale,
    unitLabel: [unit === "%" ? "" : (unit ?? ""), chosen?.word ?? ""].filter((part) => part !== "").join(" "),
  };
}

const SCALE_WORD = /(?<!\p{L})(?:thousand|million|billion|tsd|mio|mrd|bn|k|m)(?!\p{L})/iu;

/** For a cell of a table: neither scaled nor rounded, with the decimals that the number has. */
export function exactFormat(value: number, grouped: boolean): NumberFormat {
  if (isExtreme(Math.abs(value))) return scientific(undefined);
  // All digits that a double holds for sure: 0.1 + 0.2 is 0.3.
  const [, decimals = ""] = String(Number(value.toPrecision(15))).split(".");
  return plainFormat(decimals.length, grouped);
}

/** Thousands are set apart unless all values are years. */
export const isGrouped = (values: readonly number[]): boolean =>
  !(values.length > 0 && values.every((v) => Number.isInteger(v) && v >= 1900 && v <= 2100));

function plainFormat(decimals: number, grouped: boolean, { commas = "", suffix = "" } = {}): NumberFormat {
  const digits = `${grouped ? "#,##0" : "0"}${decimals > 0 ? `.${"0".repeat(decimals)}` : ""}`;
  return {
    code: `${digits}${commas}${suffix === "" ? "" : `"${suffix}"`}`,
    scale: 1,
    decimals,
    scientific: false,
    suffix,
    grouped,
    unitLabel: "",
  };
}

function scientific(unit: string | undefined): NumberFormat {
  const suffix = unit === "%" ? "%" : "";
  return {
    code: `${SCIENTIFIC_CODE}${suffix === "" ? "" : `"${suffix}"`}`,
    scale: 1,
    decimals: 2,
    scientific: true,
    suffix,
    grouped: true,
    unitLabel: unit === "%" ? "" : (unit ?? ""),
  };
}

function decimalsFor(values: readonly number[], unscaled: boolean): number {
  if (values.length === 0 || (unscaled && values.every(Number.isInteger))) return 0;
  const max = Math.max(...values);
  const wanted = max >= 100 ? 0 : max >= 10 ? 1 : 2;
  // No more than the values have, and enough that the smallest is not shown as zero.
  const smallest = Math.min(...values.filter((v) => v > 0), max);
  const needed = smallest > 0 && smallest < 1 ? Math.min(4, Math.ceil(-Math.log10(smallest))) : 0;
  return Math.min(decimalsIn(values), Math.max(wanted, Math.min(needed, 2)));
}

const decimalsIn = (values: readonly number[]): number =>
  Math.max(0, ...values.map((v) => (String(Math.round(v * 1e4) / 1e4).split(".")[1] ?? "").length));

/** The format for the ticks of an axis: round steps need fewer decimals than the values. */
export function axisCode(format: NumberFormat, values: readonly number[]): string {
  if (format.scientific) return format.code;
  const scaled = values.map((v) => Math.abs(v / format.scale));
  const span = Math.max(0, ...scaled);
  const decimals = Math.min(format.decimals, span >= 5 ? 0 : span >= 0.5 ? 1 : 2);
  const digits = format.code.replace(/\.0+/, "");
  return decimals === 0 ? digits : digits.replace(/0(?=[,"]*[^0]*$)/, `0.${"0".repeat(decimals)}`);
}

/** The number as the format shows it, without its unit label. */
export function formatNumber(value: number, format: NumberFormat): string {
  if (format.scientific && isExtreme(Math.abs(value))) return `${powerOfTen(value)}${format.suffix}`;
  const scaled = Math.abs(value / format.scale);
  const decimals = format.scientific ? Math.min(format.decimals, decimalsIn([scaled])) : format.decimals;
  const fixed = scaled.toFixed(decimals);
  const [whole = "0", fraction] = fixed.split(".");
  const grouped = !format.grouped || /e/.test(whole) ? whole : whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  const negative = value < 0 && Number(fixed) !== 0;
  return `${negative ? "−" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}${format.suffix}`;
}

/** `1.5E+300`, as a spreadsheet writes it with the code of the format. */
function powerOfTen(value: number): string {
  const [digits = "", exponent = ""] = Math.abs(value).toExponential(1).split("e");
  return `${value < 0 ? "−" : ""}${digits}E${exponent}`;
}

const SHORT: { readonly [scale: number]: string } = {
  1: "",
  1_000: "k",
  1_000_000: "M",
  1_000_000_000: "bn",
};

/** One number on its own: `EUR 4.2M`, `38%`, `1,204`. */
export function displayNumber(value: number, format: NumberFormat): string {
  const unit = format.unitLabel.replace(/\s*(thousand|million|billion)$/, "");
  const short = SHORT[format.scale] ?? "";
  const number = `${formatNumber(value, format)}${short}`;
  if (unit === "") return number;
  return /^[A-Z]{3}$|^[€$£]$/.test(unit) ? `${unit} ${number}` : `${number} ${unit}`;
}
