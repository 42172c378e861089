import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { datedTable } from "./dated-table.ts";
import { countWords, MAX_WORDS, tableWords } from "./in-brief.ts";
import type { PlanBasis } from "./plan-basis.ts";

const NOW = Date.parse("2027-01-01");

describe("a long table of dates", () => {
  const rows = [2026, 2027].flatMap((year) =>
    ["March", "April", "May", "June", "July"].map((month) => [
      `31 ${month} ${year}`,
      "Next line of the pumps opens",
      "Ida Berg",
    ]),
  );
  const table = { columns: ["Date", "Milestone", "Owner"], rows, citations: [] };
  const titlesOf = (basis: PlanBasis, now: number) =>
    datedTable("Plan", table, basis, now)?.slides.map(({ title }) => title);

  it("stands on a slide a year, without owners, header and the articles there is no room for", () => {
    const found = datedTable("Plan", table);
    expect(found?.slides.map(({ title, rows: shown }) => [title, shown.length])).toEqual([
      ["Plan 2026", 5],
      ["Plan 2027", 5],
    ]);
    expect(found?.columns).toEqual([0, 1]);
    expect(found?.slides[0]?.rows[0]).toEqual(["31 March 2026", "Next line of the pumps opens"]);
    expect(found?.slides[1]?.of[0]).toBe(rows[5]);
    const tight = rows.map(([date = ""]) => [date, "The next line of the pumps opens"]);
    expect(datedTable("Plan", { ...table, rows: tight })?.slides[0]?.rows[0]?.[1]).toBe(
      "Next line of the pumps opens",
    );
  });

  it("says in its titles what it is based on, over as many slides as that takes", () => {
    const title = "(as of May 2026)";
    const passed = "(as of May 2026, as the board has decided)";
    expect(titlesOf({ title, passed, notes: "" }, Date.parse("2026-05-01"))).toEqual([
      "Plan 2026 (as of May 2026, as the board has decided)",
      "Plan 2026–2027 (as of May 2026)",
      "Plan 2027 (as of May 2026)",
    ]);
  });

  it("has all rows on three slides or is not shown so", () => {
    const long = rows.map(([date = ""]) => [date, "opens ".repeat(15).trim()]);
    expect(datedTable("Plan", { ...table, columns: ["Date", "Milestone"], rows: long })).toBeUndefined();
    expect(
      datedTable("Plan", { ...table, rows: [["Soon", "It opens", "Ida Berg"], ...rows] }),
    ).toBeUndefined();
  });
});

it("keeps every row, and every slide within its words", () => {
  const words = fc.array(fc.constantFrom("the", "pump", "opens", "4", "sale"), {
    minLength: 1,
    maxLength: 14,
  });
  const row = fc.tuple(
    fc.constantFrom("1 May 2026", "June 2027", "31 December 2027"),
    words.map((all) => all.join(" ")),
  );
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(undefined, { title: "(planned)", passed: "(planned, open)", notes: "" }),
      (rows, basis) => {
        const found = datedTable("Steps", { columns: ["When", "What"], rows, citations: [] }, basis, NOW);
        if (found === undefined) return;
        expect(found.slides.flatMap(({ of }) => of)).toEqual(rows);
        expect(found.slides.length).toBeLessThanOrEqual(3);
        for (const { title, rows: shown } of found.slides)
          expect(countWords(title) + tableWords(shown.flat())).toBeLessThanOrEqual(MAX_WORDS);
      },
    ),
  );
});
