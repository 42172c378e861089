import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { spanOf } from "./dated.ts";
import { tableWords } from "./in-brief.ts";
import { planTable } from "./table-plan.ts";

const plan = (columns: readonly string[], rows: readonly (readonly string[])[], words = 36) =>
  planTable({ columns, rows, citations: [] }, { one: words, several: words - 1 });
const shown = (columns: readonly string[], rows: readonly (readonly string[])[], words = 36) => {
  const found = plan(columns, rows, words);
  return {
    columns: found?.columns.map((c) => columns[c]),
    rows: found?.slides.map((slide) => slide.length),
    whole: found?.whole,
  };
};

describe("planTable", () => {
  it("shows a small table whole, an empty last cell included", () => {
    const rows = [
      ["Pumps", "4.7", "Hours"],
      ["Total", "4.7", ""],
    ];
    expect(shown(["Line", "EUR", "Measure"], rows)).toEqual({
      columns: ["Line", "EUR", "Measure"],
      rows: [2],
      whole: true,
    });
  });

  it("leaves out names of people and the total before it goes over two slides", () => {
    const rows = ["Red", "Green", "Blue", "White", "Black"].map((name, n) => [
      `${name} line of pumps`,
      "Ida Berg",
      `${n}.5`,
      `Hours of ${name}`,
    ]);
    expect(
      shown(["Line", "Owner", "EUR", "Measure"], [...rows, ["Total of all", "Ida Berg", "9.5", ""]], 38),
    ).toEqual({
      columns: ["Line", "EUR", "Measure"],
      rows: [5],
      whole: false,
    });
  });

  it("spreads twelve dated rows evenly, without their owners", () => {
    const rows = Array.from({ length: 12 }, (_, n) => [
      `${n + 1} May 2026`,
      "The next line of pumps opens",
      n % 2 === 0 ? "Ida Berg" : "Nils Holm",
    ]);
    expect(shown(["Date", "Milestone", "Owner"], rows)).toEqual({
      columns: ["Date", "Milestone"],
      rows: [4, 4, 4],
      whole: false,
    });
  });

  it("leaves out what many rows have in common before what answers", () => {
    const rows = Array.from({ length: 12 }, (_, n) => [
      `Pump ${n} breaks down`,
      n % 2 === 0 ? "Very high" : "Rather low",
      `It stands spare in hall ${n}`,
    ]);
    expect(shown(["Risk", "Effect", "Response"], rows).columns).toEqual(["Risk", "Response"]);
  });

  it("shows two columns on one slide rather than two rows on each of two", () => {
    const rows = ["Red", "Green", "Blue", "White"].map((name) => [
      `${name} pumps stop early`,
      `Spare ${name} pumps start`,
      `Fewer than six signatures by ${name} day`,
    ]);
    expect(shown(["Risk", "What we do", "Trigger"], rows)).toEqual({
      columns: ["Risk", "What we do"],
      rows: [4],
      whole: false,
    });
  });

  it("has no plan for thirty rows of words, and one for twenty of numbers", () => {
    const wordy = Array.from({ length: 30 }, (_, n) => [`The milestone of week ${n}`, "It is passed by all"]);
    expect(plan(["When", "What"], wordy)).toBeUndefined();
    const numbers = Array.from({ length: 20 }, (_, n) => [`Pump ${n}`, `${n}.5`, `${n}0`]);
    expect(shown(["Pump", "EUR", "Hours"], numbers).rows).toEqual([10, 10]);
  });

  it("keeps every row in its order and every slide within its words", () => {
    const cell = fc.constantFrom("", "4.2", "one", "two words", "three words here", "Ida Berg");
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 8, max: 40 }), (all, words) => {
        const found = plan(["A", "B", "C"], all, words);
        if (found === undefined) return;
        expect(found.slides.flat()).toEqual(all.filter((row) => found.slides.flat().includes(row)));
        for (const slide of found.slides) {
          const cells = slide.flatMap((row) => found.columns.map((c) => row[c] ?? ""));
          expect(tableWords(cells) + found.columns.length).toBeLessThanOrEqual(words);
        }
      }),
    );
  });
});

describe("spanOf", () => {
  it.each([
    [["31 March 2026", "1 September 2026"], "March to September 2026"],
    [["June 2027", "31 December 2028"], "June 2027 to December 2028"],
    [["2 May 2026", "9 May 2026"], "May 2026"],
    [["2 May 2026", "later"], undefined],
    [[], undefined],
  ])("of %j is %j", (dates, span) => {
    expect(spanOf(dates)).toBe(span);
  });
});
