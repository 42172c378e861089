import type { Cell } from "../types/result.ts";

/**
 * Dates as a reader says them, all in the same way: `2024` when each is the first of a year, `2024-Q2`
 * of a quarter, `2024-05` of a month, else the date, with the time only where one is not midnight.
 */
export function periodLabels(values: readonly Cell[]): readonly string[] {
  const texts = values.map((value) => (value === null ? "" : String(value)));
  const said = texts.filter((text) => text !== "");
  const days = said.map((text) =>
    /^(\d{4})-(\d{2})-(\d{2})(?:[ T]00:00(?::00(?:\.0+)?)?(?:[+-]00(?::?00)?|Z)?)?$/.exec(text),
  );
  if (said.length === 0 || days.some((day) => day === null)) return texts;
  const all = (test: (month: string, day: string) => boolean): boolean =>
    days.every((day) => day !== null && test(day[2] ?? "", day[3] ?? ""));
  const several = new Set(said).size > 1;
  if (several && all((month, day) => month === "01" && day === "01"))
    return texts.map((text) => text.slice(0, 4));
  if (several && all((month, day) => ["01", "04", "07", "10"].includes(month) && day === "01")) {
    return texts.map((text) =>
      text === "" ? "" : `${text.slice(0, 4)}-Q${(Number(text.slice(5, 7)) + 2) / 3}`,
    );
  }
  if (all((_, day) => day === "01")) return texts.map((text) => text.slice(0, 7));
  return texts.map((text) => text.slice(0, 10));
}

const MONTH_LANGUAGES = ["en", "de", "sv", "nb", "da", "nl", "fr", "es", "it", "pl"];

/** `january`, `jan`, `mai` -> 1 to 12, without the point of an abbreviation. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, i): [string, number] => [
        monthName(format.format(Date.UTC(2024, i, 1))),
        i + 1,
      ]);
    }),
  ),
);

/** Monday is 1. */
const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  MONTH_LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((weekday) => {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" });
      // 1 January 2024 was a Monday.
      return Array.from({ length: 7 }, (_, i): [string, number] => [
        monthName(format.format(Date.UTC(2024, 0, i + 1))),
        i + 1,
      ]);
    }),
  ),
);

function monthName(text: string): string {
  return text.toLowerCase().replace(/[.]$/, "");
}

/** Year and part of it in a period that is text; a part alone has the year 0. Kinds are not mixed in one order. */
const PERIOD_FORMS: readonly ((text: string) => readonly [number, number] | undefined)[] = [
  (text) => pair(/^(?:FY ?)?((?:19|20)\d\d)$/i.exec(text), (year) => [Number(year), 0]),
  (text) => pair(/^([QH])([1-4])$/i.exec(text), (_, part) => [0, Number(part)]),
  (text) =>
    pair(/^[QH]([1-4])[ /'-]*((?:19|20)\d\d)$/i.exec(text), (part, year) => [Number(year), Number(part)]),
  (text) =>
    pair(/^((?:19|20)\d\d)[ /-]*[QH]([1-4])$/i.exec(text), (year, part) => [Number(year), Number(part)]),
  (text) =>
    pair(/^(0?[1-9]|1[0-2])[./-]((?:19|20)\d\d)$/.exec(text), (part, year) => [Number(year), Number(part)]),
  (text) => monthOfYear(0, text),
  (text) => {
    const day = WEEKDAYS.get(monthName(text));
    return day === undefined ? undefined : [0, day];
  },
  (text) =>
    pair(/^(\p{L}+[.]?)[ -]((?:19|20)\d\d)$/u.exec(text), (month, year) => monthOfYear(Number(year), month)),
  (text) =>
    pair(/^((?:19|20)\d\d)[ -](\p{L}+[.]?)$/u.exec(text), (year, month) => monthOfYear(Number(year), month)),
];

function pair(
  match: RegExpExecArray | null,
  read: (first: string, second: string) => readonly [number, number] | undefined,
): readonly [number, number] | undefined {
  return match === null ? undefined : read(match[1] ?? "", match[2] ?? "");
}

function monthOfYear(year: number, text: string): readonly [number, number] | undefined {
  const month = MONTHS.get(monthName(text));
  return month === undefined ? undefined : [year, month];
}

/** Sort keys of text that names years, quarters, months or weekdays, such as `2024`, `Q3`, `Mar 2024` and `Mon`; undefined for other text. */
export function periodKeys(labels: readonly string[]): readonly number[] | undefined {
  for (const form of PERIOD_FORMS) {
    const parts = labels.map((label) => form(label.trim()));
    const keys = parts.flatMap((part) => (part === undefined ? [] : [part[0] * 100 + part[1]]));
    if (keys.length === labels.length && keys.length > 0) return keys;
  }
  return undefined;
}
