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
