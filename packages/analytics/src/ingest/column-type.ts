import { quoteName, quoteText } from "../names/quote.ts";

/** How a column of text is read. `sql` makes the value out of its trimmed text. */
export interface ColumnReading {
  readonly type: string;
  readonly sql: (text: string) => string;
  /** For the report, where a choice was made that a person may want to know. */
  readonly note?: string;
  /** Values that are no numbers where nearly all are: read as nothing, or what keeps the column text. */
  readonly misfits?: Misfits;
}

export interface Misfits {
  readonly count: number;
  readonly of: number;
  /** What a value has to match to be none. */
  readonly pattern: string;
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
  { key: "dash_mdy", format: "%m-%d-%Y", pattern: "[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}" },
] as const;

const DAY_FIRST = ["slash_dmy", "dash_dmy"];
const MONTH_FIRST = ["slash_mdy", "dash_mdy"];

/** The engine keeps microseconds. */
const TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?";
const ZONE = " ?(Z|z|UTC|GMT|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)";

export const ZONED_TYPE = "TIMESTAMP WITH TIME ZONE";

/** SQL of the zone as it is written in a time. */
export const zoneOf = (text: string): string => `regexp_extract(${text}, '[0-9]${ZONE}$', 1)`;

/** SQL of a time with a zone in the one form that the engine takes: seconds, and an offset of hours and minutes. */
function isoTime(text: string): string {
  const seconds = `regexp_extract(${text}, '^.{16}(:[0-9]{2}([.][0-9]{1,6})?)', 1)`;
  const zone = zoneOf(text);
  const offset = `CASE WHEN NOT regexp_matches(${zone}, '[0-9]') THEN '+00:00' ELSE concat(substr(${zone}, 1, 3), ':', coalesce(nullif(right(substr(${zone}, 4), 2), ''), '00')) END`;
  return `concat(substr(${text}, 1, 10), ' ', substr(${text}, 12, 5), coalesce(nullif(${seconds}, ''), ':00'), ${offset})`;
}

/** Digits that a BIGINT, a DECIMAL(18) and a HUGEINT or DECIMAL(38) hold, whatever they are. */
const NARROW_DIGITS = 18;
const WIDE_DIGITS = 38;

interface ReadingTest {
  /** For the whole text; means the same to the engine and to JavaScript. */
  readonly pattern: string;
  /** What the engine must find true besides. */
  readonly also?: (text: string) => string;
}

/** A reading is open to a column when every value that says something passes its test. */
const TESTS: { readonly [key: string]: ReadingTest } = {
  whole: { pattern: "[+-]?(0|[1-9][0-9]*)" },
  /** Thousands are grouped or not: exports and people mix `1,101` and `1500`. */
  point: { pattern: "[+-]?([0-9]+|[1-9][0-9]{0,2}(,[0-9]{3})+)([.][0-9]+)?" },
  comma: { pattern: "[+-]?([0-9]+|[1-9][0-9]{0,2}([.][0-9]{3})+)(,[0-9]+)?" },
  float: { pattern: "[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?" },
  boolean: { pattern: "true|false|True|False|TRUE|FALSE" },
  timestamp: { pattern: TIME, also: (text) => `TRY_CAST(${text} AS TIMESTAMP) IS NOT NULL` },
  zoned: {
    pattern: `${TIME}${ZONE}`,
    also: (text) => `TRY_CAST(${isoTime(text)} AS TIMESTAMPTZ) IS NOT NULL`,
  },
  /** With a zone or without. */
  times: { pattern: `${TIME}(${ZONE})?` },
  ...Object.fromEntries(
    DATE_FORMATS.map(({ key, format, pattern }) => [
      key,
      { pattern, also: (text: string) => `TRY_STRPTIME(${text}, '${format}') IS NOT NULL` },
    ]),
  ),
};

const NUMBER_TESTS = ["whole", "point", "comma", "float"];

/** One in a hundred values may be no number, where at least 20 are; one in ten is worth a word. */
const MISFITS_READ = 0.01;
const MISFITS_SAID = 0.1;
const MIN_NUMBERS = 20;

/** Readings that nine in ten of a column's values allow. Cheap, on a sample, before the engine looks at all. */
export function openReadings(values: readonly (string | null)[]): ReadonlySet<string> {
  const said = values.filter((value) => value !== null && !NOTHING.includes(value));
  return new Set(
    Object.entries(TESTS)
      .filter(([, { pattern }]) => {
        const whole = new RegExp(`^(?:${pattern})$`);
        return (
          said.filter((value) => value !== null && !whole.test(value)).length <= said.length * MISFITS_SAID
        );
      })
      .map(([key]) => key),
  );
}

/**
 * Aggregates that decide one column over all rows: by `<prefix>_<key>`, how many values say something
 * and fail the test, all of them for a reading that is not open.
 */
export function probeSql(column: string, prefix: string, open: ReadonlySet<string>): string {
  const text = quoteName(column);
  const said = `${text} IS NOT NULL AND NOT ${saysNothing(text)}`;
  const tests = Object.entries(TESTS).map(([key, { pattern, also }]) => {
    if (!open.has(key)) return `count(*) AS ${prefix}_${key}`;
    const holds = `regexp_full_match(${text}, '${pattern}')${also === undefined ? "" : ` AND ${also(text)}`}`;
    return `count(*) FILTER (${said} AND NOT (${holds})) AS ${prefix}_${key}`;
  });
  const isNumber = NUMBER_TESTS.some((key) => open.has(key));
  const figure = `${said} AND regexp_full_match(${text}, '[+-]?[0-9][0-9.,eE+-]*')`;
  const details = {
    padded: `coalesce(bool_or(regexp_matches(${text}, '^[+-]?0[0-9]')) FILTER (${figure}), false)`,
    has_comma: `coalesce(bool_or(contains(${text}, ',')) FILTER (${figure}), false)`,
    separated: `count(*) FILTER (${figure} AND regexp_matches(${text}, '[.,]'))`,
    has_exponent: `coalesce(bool_or(regexp_matches(${text}, '[eE]')) FILTER (${figure}), false)`,
    is_scientific: `coalesce(bool_or(regexp_matches(${text}, '[.].*[eE]|[eE][+-]')) FILTER (${figure}), false)`,
    after_point: longest(`regexp_extract(${text}, '[.]([0-9]+)$', 1)`, figure),
    after_comma: longest(`regexp_extract(${text}, ',([0-9]+)$', 1)`, figure),
    before_point: longest(digitsOf(`regexp_extract(${text}, '^[+-]?([0-9,]*)', 1)`), figure),
    before_comma: longest(digitsOf(`regexp_extract(${text}, '^[+-]?([0-9.]*)', 1)`), figure),
    fewest_digits: `coalesce(min(length(${digitsOf(text)})) FILTER (${figure}), 0)`,
    lossy_point: lossy(text, pointed(text), figure),
    lossy_comma: lossy(text, commaed(text), figure),
    out_of_range: `count(*) FILTER (${figure} AND length(${text}) > 4 AND ${isOutOfRange(pointed(text))})`,
  };
  const days = {
    first_parts: `count(DISTINCT regexp_extract(${text}, '^([0-9]+)[/-]', 1)) FILTER (${said})`,
    second_is_one: `coalesce(bool_and(regexp_matches(${text}, '^[0-9]+[/-]0?1[/-]')) FILTER (${said}), false)`,
  };
  const isDay = MONTH_FIRST.some((key) => open.has(key));
  const cut = `coalesce(bool_or(regexp_matches(${text}, '[.][0-9]{6}[0-9]*[1-9]')) FILTER (${said}), false)`;
  return [
    ...tests,
    `count(*) FILTER (${said}) AS ${prefix}_said`,
    ...Object.entries(details).map(([key, sql]) => `${isNumber ? sql : "0"} AS ${prefix}_${key}`),
    ...Object.entries(days).map(([key, sql]) => `${isDay ? sql : "0"} AS ${prefix}_${key}`),
    `${open.has("times") ? cut : "false"} AS ${prefix}_cut_time`,
  ].join(",\n");
}

function longest(part: string, said: string): string {
  return `coalesce(max(length(${part})) FILTER (${said}), 0)`;
}

/** Number texts as the engine writes them, with a point before the fraction and nothing between thousands. */
const pointed = (text: string): string => `replace(${text}, ',', '')`;
const commaed = (text: string): string => `replace(replace(${text}, '.', ''), ',', '.')`;

const digitsOf = (text: string): string => `regexp_replace(${text}, '[^0-9]', '', 'g')`;

/** Digits that make a difference: without zeros before and after, and without the exponent. */
const significant = (text: string): string =>
  `regexp_replace(${digitsOf(`regexp_replace(${text}, '[eE].*$', '')`)}, '^0+|0+$', '', 'g')`;

/** How many values a double does not give back digit for digit. Up to 15 digits it always does. */
function lossy(text: string, number: string, figure: string): string {
  const double = `CAST(TRY_CAST(${number} AS DOUBLE) AS VARCHAR)`;
  return `count(*) FILTER (${figure} AND length(${text}) > 15 AND ${significant(number)} <> coalesce(${significant(double)}, ''))`;
}

/** Too large for a double, or so small that it would be zero. */
function isOutOfRange(number: string): string {
  const double = `TRY_CAST(${number} AS DOUBLE)`;
  return `(isinf(${double}) OR (${double} = 0 AND ${significant(number)} <> ''))`;
}

export type Probe = { readonly [key: string]: boolean | number };

/** Values that no reading as a number takes. */
function misfitsOf(probe: Probe): number {
  return Math.min(...NUMBER_TESTS.map((key) => Number(probe[key])));
}

type Holds = (key: string) => boolean;

/** Whether a number test fails for no value but those no such test takes. */
function numberHolds(probe: Probe): Holds {
  const misfits = misfitsOf(probe);
  return (key) => Number(probe[key]) === misfits && misfits < Number(probe["said"]);
}

/** How a file writes fractions: `uncertain` where its columns do not show it, or show both. */
export interface DecimalMark {
  readonly mark: "point" | "comma";
  readonly uncertain: boolean;
}

/**
 * The mark that columns of a file show by values that have only one reading, as `1,5` and `1.234.567` do. Where none
 * does, a semicolon between cells goes with the decimal comma.
 */
export function decimalMarkOf(probes: readonly Probe[], delimiter: string): DecimalMark {
  const shown = probes.flatMap((probe) => {
    const { mark, rare } = markOf(probe);
    const isNumber = probe["padded"] !== true && misfitsOf(probe) <= Number(probe["said"]) * MISFITS_SAID;
    return !isNumber || rare !== undefined || mark === undefined ? [] : [mark];
  });
  const [mark] = shown;
  if (mark !== undefined && shown.every((other) => other === mark)) return { mark, uncertain: false };
  return { mark: delimiter === ";" ? "comma" : "point", uncertain: true };
}

export type DayOrder = "day-first" | "month-first";

/** The order that dates of a file show which have only one reading, as `01/15/2024` does; undefined for none, or both. */
export function dayOrderOf(probes: readonly Probe[]): DayOrder | undefined {
  const shown = new Set<DayOrder>();
  for (const probe of probes) {
    const order = dayOrderIn(probe);
    if (order !== undefined && order !== "both") shown.add(order);
  }
  return shown.size === 1 ? [...shown][0] : undefined;
}

function dayOrderIn(probe: Probe): DayOrder | "both" | undefined {
  if (probe["said"] === 0) return undefined;
  const dayFirst = DAY_FIRST.some((key) => probe[key] === 0);
  const monthFirst = MONTH_FIRST.some((key) => probe[key] === 0);
  if (dayFirst) return monthFirst ? "both" : "day-first";
  return monthFirst ? "month-first" : undefined;
}

/** The mark that all numbers of a column allow; undefined for both or none. */
function markOf(probe: Probe): {
  readonly mark: DecimalMark["mark"] | undefined;
  /** How few of its values rule the other mark out, where one wrong value would do. */
  readonly rare: { readonly count: number; readonly of: number } | undefined;
} {
  const is = numberHolds(probe);
  const mark = is("point") === is("comma") ? undefined : is("comma") ? "comma" : "point";
  if (mark === undefined) return { mark, rare: undefined };
  const count = Number(probe[mark === "comma" ? "point" : "comma"]) - misfitsOf(probe);
  const of = Number(probe["separated"]);
  return { mark, rare: count <= of * MISFITS_READ ? { count, of } : undefined };
}

/**
 * The narrowest reading every value of a column allows, but for a few that are no numbers. Numbers with
 * leading zeros stay text: they are codes. An id (`isId`) is never left out.
 */
export function chooseReading(
  probe: Probe,
  file: { readonly decimalMark: DecimalMark; readonly dayOrder?: DayOrder | undefined },
  isId: boolean,
): ColumnReading {
  const { decimalMark, dayOrder } = file;
  const said = Number(probe["said"]);
  const is: Holds = (key) => probe[key] === 0;
  if (said === 0) return asText;
  if (is("boolean")) return { type: "BOOLEAN", sql: (t) => `CAST(lower(${orNull(t)}) AS BOOLEAN)` };
  const time = timeReading(is, probe, dayOrder);
  const count = misfitsOf(probe);
  if (time !== undefined || probe["padded"] === true || count > said * MISFITS_SAID) return time ?? asText;
  const holds = numberHolds(probe);
  const number = numberReading(holds, probe, decimalMark, isId);
  if (number === undefined || count === 0) return number ?? asText;
  if (number.type === asText.type) return number;
  const mark = markOf(probe).mark ?? decimalMark.mark;
  const key = ["whole", mark].find(holds) ?? "float";
  const misfits = { count, of: said, pattern: TESTS[key]?.pattern ?? "" };
  if (isId || count > said * MISFITS_READ || said - count < MIN_NUMBERS) return { ...asText, misfits };
  const sql = (t: string): string =>
    `CASE WHEN regexp_full_match(${t}, '${misfits.pattern}') THEN ${number.sql(t)} END`;
  return { ...number, sql, misfits };
}

/** Long numbers that are ids, by name or because all have the same length, stay the digits they are. */
function wholeReading(probe: Probe, isId: boolean): ColumnReading {
  const digits = Number(probe["before_point"]);
  if (digits <= NARROW_DIGITS) return { type: "BIGINT", sql: (t) => `CAST(${orNull(t)} AS BIGINT)` };
  if (isId || digits > WIDE_DIGITS || Number(probe["fewest_digits"]) === digits)
    return { ...asText, note: `read as text, because its numbers have up to ${digits} digits` };
  return { type: "HUGEINT", sql: (t) => `CAST(${orNull(t)} AS HUGEINT)` };
}

function numberReading(is: Holds, probe: Probe, file: DecimalMark, isId: boolean): ColumnReading | undefined {
  if (is("whole")) return wholeReading(probe, isId);
  if (!is("point") && !is("comma")) return is("float") ? floatReading(probe, isId) : undefined;
  const { mark: only, rare } = markOf(probe);
  const mark = only ?? file.mark;
  const doubt = rare !== undefined || (only === undefined && file.uncertain);
  const few = rare === undefined ? "" : `, as ${rare.count} of ${rare.of} values can only be read so`;
  const note = numberNote(mark, probe["has_comma"] === true, doubt, few);
  return decimal(probe, mark, (t) => (mark === "comma" ? commaed : pointed)(orNull(t)), note);
}

/** What is said of the reading, and what else the values could be. */
function numberNote(
  mark: DecimalMark["mark"],
  hasComma: boolean,
  doubt: boolean,
  few: string,
): string | undefined {
  if (mark === "comma") {
    if (!doubt) return "decimal comma";
    return hasComma
      ? `decimal comma${few}; it could also stand between thousands`
      : `point read as standing between thousands${few}; it could also be a decimal point`;
  }
  if (hasComma) return `comma between thousands${doubt ? `${few}; it could also be a decimal comma` : ""}`;
  return doubt ? `point read as decimal point${few}; it could also stand between thousands` : undefined;
}

/** `1.5e10` and `1E-7` are numbers; `1E5` and `12345e7` are as likely codes, and a code must keep its letters. */
function floatReading(probe: Probe, isId: boolean): ColumnReading {
  if (probe["has_exponent"] !== true || (probe["is_scientific"] === true && !isId))
    return double(probe, "point", orNull);
  if (isId) return asText;
  return { ...asText, note: "read as text, because values such as 1E5 may be codes" };
}

function timeReading(is: Holds, probe: Probe, fileOrder: DayOrder | undefined): ColumnReading | undefined {
  const cut = probe["cut_time"] === true ? { note: "times are cut to the microsecond" } : {};
  if (is("timestamp")) return { type: "TIMESTAMP", sql: (t) => `CAST(${orNull(t)} AS TIMESTAMP)`, ...cut };
  if (is("zoned")) return { type: ZONED_TYPE, sql: (t) => `TRY_CAST(${isoTime(t)} AS TIMESTAMPTZ)`, ...cut };
  if (is("times"))
    return { ...asText, note: "read as text, because some of its times have a time zone and some have none" };
  const either = dayOrderIn(probe) === "both" ? eitherOrder(probe, fileOrder) : undefined;
  const excluded = either?.order === "month-first" ? DAY_FIRST : [];
  const date = DATE_FORMATS.find(({ key }) => is(key) && !excluded.includes(key));
  if (date === undefined) return undefined;
  return {
    type: "DATE",
    sql: (t) => `CAST(strptime(${orNull(t)}, ${quoteText(date.format)}) AS DATE)`,
    ...(either === undefined ? {} : { note: either.note }),
  };
}

/** The order of dates that allow both. */
function eitherOrder(
  probe: Probe,
  fileOrder: DayOrder | undefined,
): { readonly order: DayOrder; readonly note: string } {
  if (fileOrder !== undefined) {
    const order = fileOrder === "month-first" ? "month before day" : "day before month";
    return { order: fileOrder, note: `${order}, as in other columns of the file` };
  }
  // A series of months names the first day of each: the part that never changes is the day.
  if (probe["second_is_one"] === true && Number(probe["first_parts"]) >= 3) {
    const note = "month before day, as the second part is always 01; every date could also be read day first";
    return { order: "month-first", note };
  }
  return {
    order: "day-first",
    note: "day before month; every date could also be read month first",
  };
}

/** Whether a value says something and does not match. */
export function isMisfit(text: string, pattern: string): string {
  return `${text} IS NOT NULL AND NOT ${saysNothing(text)} AND NOT regexp_full_match(${text}, '${pattern}')`;
}

const asText: ColumnReading = { type: "VARCHAR", sql: (text) => `nullif(${text}, '')` };

/** Exact where the digits fit: money adds up to the cent. */
function decimal(
  probe: Probe,
  mark: "point" | "comma",
  sql: (text: string) => string,
  note?: string,
): ColumnReading {
  const scale = Number(probe[`after_${mark}`]);
  const digits = Number(probe[`before_${mark}`]) + scale;
  const noted = note === undefined ? {} : { note };
  const as = (type: string): ColumnReading => ({ type, sql: (t) => `CAST(${sql(t)} AS ${type})`, ...noted });
  if (scale <= 9 && digits <= NARROW_DIGITS) return as(`DECIMAL(${NARROW_DIGITS},${scale})`);
  if (Number(probe[`lossy_${mark}`]) > 0 && digits <= WIDE_DIGITS)
    return as(`DECIMAL(${WIDE_DIGITS},${scale})`);
  return double(probe, mark, sql, note);
}

/** A note where it does not give every digit back; text where it would give infinity or zero instead. */
function double(
  probe: Probe,
  mark: "point" | "comma",
  sql: (text: string) => string,
  note?: string,
): ColumnReading {
  if (Number(probe["out_of_range"]) > 0)
    return {
      ...asText,
      note: "read as text, because some of its numbers are too large or too small to be kept",
    };
  const lost = Number(probe[`lossy_${mark}`]);
  const rounded = `${lost} of its values ${lost === 1 ? "has" : "have"} more digits than the 16 or so that are kept`;
  const notes = [...(note === undefined ? [] : [note]), ...(lost > 0 ? [rounded] : [])];
  return {
    type: "DOUBLE",
    sql: (t) => `CAST(${sql(t)} AS DOUBLE)`,
    ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
  };
}

function orNull(text: string): string {
  return `CASE WHEN ${saysNothing(text)} THEN NULL ELSE ${text} END`;
}

/** No `IN (...)`: the engine makes a join of each, and a table of 300 columns then takes a minute and gigabytes. */
function saysNothing(text: string): string {
  return `regexp_full_match(${text}, '(?:${NOTHING.join("|")})')`;
}
