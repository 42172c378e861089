import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readPeriods } from "./read-periods.ts";
import { tokensOf } from "../tokens.ts";

const read = (question: string, today?: string): ReturnType<typeof readPeriods> =>
  readPeriods(question, tokensOf(question), { today });
const spans = (question: string, today?: string): readonly string[] =>
  read(question, today).periods.map(({ from = "", until = "" }) => `${from}..${until}`);

describe("readPeriods", () => {
  it.each([
    ["in 2024", ["2024-01-01..2025-01-01"]],
    ["2023 and 2025", ["2023-01-01..2024-01-01", "2025-01-01..2026-01-01"]],
    ["2023, 2025", ["2023-01-01..2024-01-01", "2025-01-01..2026-01-01"]],
    ["2023-2025", ["2023-01-01..2026-01-01"]],
    ["from 2023 to 2024", ["2023-01-01..2025-01-01"]],
    ["compare 2023 to 2024", ["2023-01-01..2024-01-01", "2024-01-01..2025-01-01"]],
    ["Q3 2025", ["2025-07-01..2025-10-01"]],
    ["from Q1 2023 to Q1 2025", ["2023-01-01..2025-04-01"]],
    ["from the first quarter of 2023 to March 2024", ["2023-01-01..2024-04-01"]],
    ["2025-Q4", ["2025-10-01..2026-01-01"]],
    ["the third quarter of 2025", ["2025-07-01..2025-10-01"]],
    ["Q1 and Q2 2024", ["2024-01-01..2024-04-01", "2024-04-01..2024-07-01"]],
    ["H2 2024", ["2024-07-01..2025-01-01"]],
    ["March 2024", ["2024-03-01..2024-04-01"]],
    ["mar 2024", ["2024-03-01..2024-04-01"]],
    ["between March and May 2024", ["2024-03-01..2024-06-01"]],
    ["2024-03", ["2024-03-01..2024-04-01"]],
    ["on 2024-03-31", ["2024-03-31..2024-04-01"]],
    ["in 2024 by region in December", ["2024-12-01..2025-01-01"]],
    ["since July 2025", ["2025-07-01.."]],
    ["before 2024", ["..2024-01-01"]],
    ["after Q1 2024", ["2024-04-01.."]],
    ["until 2024", ["..2025-01-01"]],
    ["we may march on", []],
    ["number 1850 of 12024", []],
  ])("%j", (question, expected) => {
    expect(spans(question)).toEqual(expected);
  });

  it.each([
    ["last year", "2026-02-10", ["2025-01-01..2026-01-01"]],
    ["last quarter", "2026-02-10", ["2025-10-01..2026-01-01"]],
    ["this month", "2026-12-31", ["2026-12-01..2027-01-01"]],
    ["next month", "2026-12-31", ["2027-01-01..2027-02-01"]],
  ])("%j told from %s", (question, today, expected) => {
    expect(spans(question, today)).toEqual(expected);
    expect(read(question).unread).toEqual([question]);
  });

  it("a part of the year without one is that part of every year, or not read", () => {
    expect(read("in March").recurring).toMatchObject([{ part: "month", number: 3 }]);
    expect(read("in Q2").recurring).toMatchObject([{ part: "quarter", number: 2 }]);
    expect(read("H1").unread).toEqual(["H1"]);
    expect(read("the last three months, ytd").unread).toEqual(["last three months", "ytd"]);
  });

  it("what leaves a period out or bounds it is not read as the period", () => {
    for (const text of [
      "without 2023",
      "not in 2024",
      "except Q1 2024",
      "by 2024",
      "before March",
      "past year",
    ]) {
      expect(read(text, "2026-02-10").periods).toEqual([]);
      expect(read(text, "2026-02-10").recurring).toEqual([]);
      expect(read(text, "2026-02-10").unread).toHaveLength(1);
    }
  });

  it("whatever is asked, a period ends after it begins", () => {
    const words =
      "2023 2024 Q1 Q4 H1 march May 2024-02 2024-02-30 from to and between since before last year of in - ,".split(
        " ",
      );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 8 }), (list) => {
        for (const { from, until } of read(list.join(" "), "2025-05-05").periods) {
          expect(from ?? until).toMatch(/^\d{4}-\d\d-\d\d$/);
          expect(from === undefined || until === undefined || from < until).toBe(true);
        }
      }),
    );
  });
});
