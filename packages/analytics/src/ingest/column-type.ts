import { quoteName, quoteText } from "../names/quote.ts";

/** How a column of text is read. `sql` makes the value out of its trimmed text. */
export interface ColumnReading {
  readonly type: string;
  readonly sql: (text: string) => string;
  /** For the report, where a choice was made that a person may want to know. */
  readonly note?: string;
}

/** Text that stands for nothing in a column that is otherwise numbers or dates. */
const NOTHING: readonly string[] = ["", "NULL", "null", "NA", "N/A", "n/a", "-"];

const DATE_FORMATS = [
  { key: "iso", format: "%Y-%m-%d", pattern: "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}" },
  { key: "dot", format: "%d.%m.%Y", pattern: "[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}" },
  { key: "slash_ymd", format: "%Y/%m/%d", pattern: "[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}" },
  { key: "slash_dmy", format: "%d/%m/%Y", pattern: "[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}" },
  { key: "slash_mdy", format: "%m/%d/%Y", pattern: "[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}" },
  { key: "dash_dmy", format: "%d-%m-%Y", pattern: "[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}" },
] as const;

interface ReadingTest {
  /** For the whole text; means the same to the engine and to JavaScript. */
  readonly pattern: string;
  /** What the engine must find true besides. */
  readonly also?: (text: string) => string;
}

/** A reading is open to a column when every value that says something passes its test. */
const TESTS: { readonly [key: string]: ReadingTest } = {
  whole: { pattern: "[+-]?(0|[1-9][0-9]{0,17})" },
  point: { pattern: "[+-]?[0-9]{1,18}([.][0-9]+)?" },
  comma: { pattern: "[+-]?([0-9]{1,18}|[0-9]{1,3}([.][0-9]{3})+)(,[0-9]+)?" },
  grouped: { pattern: "[+-]?([0-9]{1,3}|[0-9]{1,3}(,[0-9]{3})+)([.][0-9]+)?" },
  float: { pattern: "[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?" },
  /** No leading zero before another digit. */
  unpadded: { pattern: "[+-]?(0([.,eE].*)?|[1-9].*)" },
  boolean: { pattern: "true|false|True|False|TRUE|FALSE" },
  timestamp: {
    pattern: "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}.*",
    also: (text) => `TRY_CAST(${text} AS TIMESTAMP) IS NOT NULL`,
  },
  ...Object.fromEntries(
    DATE_FORMATS.map(({ key, format, pattern }) => [
      key,
      { pattern, also: (text: string) => `TRY_STRPTIME(${text}, '${format}') IS NOT NULL` },
    ]),
  ),
};

const NUMBER_TESTS = ["whole", "point", "comma", "grouped", "float"];

/** Readings that some of a column's values do not rule out. Cheap, on a sample, before the engine looks at all. */
export function openReadings(values: readonly (string | null)[]): ReadonlySet<string> {
  const said = values.filter((value) => value !== null && !NOTHING.includes(value));
  return new Set(
    Object.entries(TESTS)
      .filter(([, { pattern }]) => {
        const whole = new RegExp(`^(?:${pattern})$`);
        return said.every((value) => value !== null && whole.test(value));
      })
      .map(([key]) => key),
  );
}

/** Aggregates that decide one column over all rows, each aliased `<prefix>_<key>`, for the open readings only. */
export function probeSql(column: string, prefix: string, open: ReadonlySet<string>): string {
  const text = quoteName(column);
  const said = `${text} IS NOT NULL AND NOT ${saysNothing(text)}`;
  const tests = Object.entries(TESTS).map(([key, { pattern, also }]) => {
    if (!open.has(key)) return `false AS ${prefix}_${key}`;
    const holds = `regexp_full_match(${text}, '${pattern}')${also === undefined ? "" : ` AND ${also(text)}`}`;
    return `coalesce(bool_and(${holds}) FILTER (${said}), false) AS ${prefix}_${key}`;
  });
  const isNumber = NUMBER_TESTS.some((key) => open.has(key));
  const details = {
    has_comma: `coalesce(bool_or(contains(${text}, ',')) FILTER (${said}), false)`,
    has_point: `coalesce(bool_or(contains(${text}, '.')) FILTER (${said}), false)`,
    after_point: longest(`regexp_extract(${text}, '[.]([0-9]+)$', 1)`, said),
    after_comma: longest(`regexp_extract(${text}, ',([0-9]+)$', 1)`, said),
    digits: longest(`regexp_replace(${text}, '[^0-9]', '', 'g')`, said),
  };
  return [
    ...tests,
    `count(*) FILTER (${said}) AS ${prefix}_said`,
    ...Object.entries(details).map(([key, sql]) => `${isNumber ? sql : "0"} AS ${prefix}_${key}`),
  ].join(",\n");
}

function longest(part: string, said: string): string {
  return `coalesce(max(length(${part})) FILTER (${said}), 0)`;
}

export type Probe = { readonly [key: string]: boolean | number };

/** Whether a file writes fractions with a comma: some column can only be read that way. */
export function usesDecimalComma(probes: readonly Probe[]): boolean {
  return probes.some(
    (probe) => probe["comma"] === true && probe["grouped"] !== true && probe["has_comma"] === true,
  );
}

/** What the rest of the file says about `1,234` and `1.234`, which do not say it themselves. */
export interface NumberHints {
  /** Some column of the file can only be read with a decimal comma. */
  readonly fileComma: boolean;
  /** How to read `1,234` when nothing else tells. */
  readonly ambiguousComma: boolean;
}

/**
 * The narrowest reading every value of a column allows. Numbers with leading zeros stay text: they
 * are codes.
 */
export function chooseReading(probe: Probe, hints: NumberHints): ColumnReading {
  const is = (key: string): boolean => probe[key] === true;
  if (Number(probe["said"]) === 0) return asText;
  if (is("boolean")) return { type: "BOOLEAN", sql: (t) => `CAST(lower(${orNull(t)}) AS BOOLEAN)` };
  return (is("unpadded") ? numberReading(is, probe, hints) : undefined) ?? timeReading(is) ?? asText;
}

function numberReading(
  is: (key: string) => boolean,
  probe: Probe,
  hints: NumberHints,
): ColumnReading | undefined {
  if (is("whole")) return { type: "BIGINT", sql: (t) => `CAST(${orNull(t)} AS BIGINT)` };
  const byPoint = is("point") && !(hints.fileComma && is("comma") && is("has_point"));
  if (byPoint) return decimal(probe, "after_point", (t) => orNull(t));
  if (is("comma") && (!is("grouped") || hints.fileComma || hints.ambiguousComma)) {
    return decimal(
      probe,
      "after_comma",
      (t) => `replace(replace(${orNull(t)}, '.', ''), ',', '.')`,
      is("grouped") ? "comma read as decimal comma; it could also stand between thousands" : "decimal comma",
    );
  }
  if (is("grouped")) {
    return decimal(probe, "after_point", (t) => `replace(${orNull(t)}, ',', '')`, "comma between thousands");
  }
  return is("float") ? { type: "DOUBLE", sql: (t) => `CAST(${orNull(t)} AS DOUBLE)` } : undefined;
}

function timeReading(is: (key: string) => boolean): ColumnReading | undefined {
  if (is("timestamp")) return { type: "TIMESTAMP", sql: (t) => `CAST(${orNull(t)} AS TIMESTAMP)` };
  const date = DATE_FORMATS.find(({ key }) => is(key));
  if (date === undefined) return undefined;
  const both = is("slash_dmy") && is("slash_mdy");
  return {
    type: "DATE",
    sql: (t) => `CAST(strptime(${orNull(t)}, ${quoteText(date.format)}) AS DATE)`,
    ...(both ? { note: "day before month; every date could also be read month first" } : {}),
  };
}

const asText: ColumnReading = { type: "VARCHAR", sql: (text) => `nullif(${text}, '')` };

/** Exact where 18 digits hold it; money adds up to the cent. */
function decimal(probe: Probe, scale: string, sql: (text: string) => string, note?: string): ColumnReading {
  const decimals = Number(probe[scale]);
  const fits = decimals <= 9 && Number(probe["digits"]) + decimals <= 18;
  const type = fits ? `DECIMAL(18,${decimals})` : "DOUBLE";
  return { type, sql: (t) => `CAST(${sql(t)} AS ${type})`, ...(note === undefined ? {} : { note }) };
}

function orNull(text: string): string {
  return `CASE WHEN ${saysNothing(text)} THEN NULL ELSE ${text} END`;
}

/** No `IN (...)`: the engine makes a join of each, and a table of 300 columns then takes a minute and gigabytes. */
function saysNothing(text: string): string {
  return `regexp_full_match(${text}, '(?:${NOTHING.join("|")})')`;
}
