const DELIMITERS = [",", ";", "\t", "|"] as const;

export type Delimiter = (typeof DELIMITERS)[number];

/** The separator of two rows. */
export type LineEnd = "\n" | "\r\n" | "\r";

/** Records looked at to find the delimiter. */
const RECORDS = 50;

/**
 * The delimiter under which the first records agree best on a number of fields above one. A file of
 * one column comes out as a comma.
 */
export function detectDelimiter(sample: string): Delimiter {
  let best: Delimiter = ",";
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const widths = readRecords(sample, delimiter, RECORDS).map((record) => record.length);
    const width = widths[0] ?? 1;
    if (width < 2) continue;
    const agree = widths.filter((other) => other === width).length / widths.length;
    const score = agree * 100 + Math.min(width, 50) / 50;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/**
 * The first records of RFC 4180 text, at most `count`. A last record without a line break is kept.
 * Never throws: an open quote reads to the end.
 */
export function readRecords(text: string, delimiter: string, count: number): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  let field = "";
  let quoted = false;
  const endField = (): void => {
    record.push(field);
    field = "";
  };
  const endRecord = (): void => {
    endField();
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  };
  for (let i = 0; i < text.length && records.length < count; i++) {
    const char = text.charAt(i);
    if (quoted) {
      if (char !== '"') field += char;
      else if (text.charAt(i + 1) === '"') field += text.charAt(i++);
      else quoted = false;
    } else if (char === '"' && field === "") quoted = true;
    else if (char === delimiter) endField();
    else if (char === "\n") endRecord();
    else if (char === "\r") {
      if (text.charAt(i + 1) === "\n") i++;
      endRecord();
    } else field += char;
  }
  if (records.length < count && (field !== "" || record.length > 0)) endRecord();
  return records;
}

/** How the first row ends that ends in the sample: line breaks inside quotes may be others. */
export function detectLineEnd(sample: string, delimiter: string): LineEnd | undefined {
  let quoted = false;
  let empty = true;
  for (let i = 0; i < sample.length; i++) {
    const char = sample.charAt(i);
    if (quoted) {
      if (char !== '"') continue;
      if (sample.charAt(i + 1) === '"') i++;
      else quoted = false;
    } else if (char === '"' && empty) quoted = true;
    else if (char === "\n") return "\n";
    else if (char === "\r") return sample.charAt(i + 1) === "\n" ? "\r\n" : "\r";
    empty = char === delimiter;
  }
  return undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{4}$/;
const MONTH = /^(0[1-9]|1[0-2])[./-](19|20)\d\d$/;
const FRACTION = /^-?\d+[.,]\d+$/;
const NUMBER = /^[+-]?\d[\d.,' \u00A0]*$/;

/**
 * Whether the first record names the columns. A record with a date or a fraction in it is data, but for days and
 * months over columns of numbers (`region;01.2024;02.2024`); so is one of nothing but numbers that are no years.
 */
export function hasHeader(first: readonly string[], next: readonly (readonly string[])[] = []): boolean {
  const cells = first.map((cell) => cell.trim());
  const isPeriod = (cell: string): boolean => DAY.test(cell) || MONTH.test(cell);
  const isOverNumbers = (at: number): boolean => {
    const below = next.map((record) => record[at]?.trim() ?? "").filter((cell) => cell !== "");
    return next.length > 0 && below.every((cell) => NUMBER.test(cell) && !isPeriod(cell));
  };
  const periods = new Set(cells.filter((cell, i) => isPeriod(cell) && isOverNumbers(i)));
  // One `10.2024` may be a figure.
  const named = periods.size > 1 && new Set(cells).size === cells.length;
  const names = named ? cells.filter((cell) => !periods.has(cell)) : cells;
  if (names.some((cell) => DAY.test(cell) || FRACTION.test(cell))) return false;
  const numbers = names.filter((cell) => /^-?\d+$/.test(cell));
  return numbers.length < names.length || numbers.every((cell) => /^(19|20)\d\d$/.test(cell));
}
