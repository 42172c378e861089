import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { compactTable } from "./compact-table.ts";
import { countWords, MAX_WORDS, tableWords } from "./in-brief.ts";

const RATINGS = ["Low", "Medium", "High"];

describe("a long table of dates", () => {
  const rows = [2026, 2027].flatMap((year) =>
    ["March", "April", "May", "June", "July"].map((month) => [
      `31 ${month} ${year}`,
      "The next line of pumps opens to all",
      "Ida Berg",
    ]),
  );

  it("stands on a slide a year, its dates as numbers, without owners and articles", () => {
    const found = compactTable("Plan", { columns: ["Date", "Milestone", "Owner"], rows, citations: [] });
    expect(found?.slides.map(({ title, rows: shown }) => [title, shown.length])).toEqual([
      ["Plan 2026", 5],
      ["Plan 2027", 5],
    ]);
    expect(found?.columns).toEqual(["", ""]);
    expect(found?.slides[0]?.rows[0]).toEqual(["2026-03-31", "Next line of pumps opens to all"]);
  });

  it("leaves its longest rows to the notes where two slides have no room for all", () => {
    const long = rows.map(([date = ""], i) => [
      date,
      `Line ${i} ${"opens ".repeat(i === 4 ? 30 : 5)}`.trim(),
    ]);
    const found = compactTable("Plan", { columns: ["Date", "Milestone"], rows: long, citations: [] });
    expect(found?.slides.flatMap(({ rows: shown }) => shown)).toHaveLength(9);
  });
});

describe("a long table of ratings", () => {
  const rows = RATINGS.flatMap((likelihood) =>
    RATINGS.map((effect) => [
      `The ${likelihood} ${effect} case of all`,
      likelihood,
      effect,
      "We stand ready",
    ]),
  );
  const table = { columns: ["Risk", "Likelihood", "Effect", "Response"], rows, citations: [] };

  it("shows the gravest on two slides", () => {
    const found = compactTable("Risks", table);
    expect(found?.columns).toEqual(["", "Likelihood", "Effect", "Response"]);
    expect(found?.slides.map(({ title }) => title)).toEqual(["Most serious risks", "Further risks"]);
    expect(found?.slides[0]?.rows[0]).toEqual(["High High case of all", "●●●", "●●●", "We stand ready"]);
    expect(compactTable("What may go wrong", table)?.slides[1]?.title).toBe("What may go wrong (2/2)");
  });
});

it("is for dates and ratings only", () => {
  const rows = Array.from({ length: 9 }, (_, i) => [`Pump ${i}`, "It stands in the hall of the north"]);
  expect(compactTable("Pumps", { columns: ["Pump", "Where"], rows, citations: [] })).toBeUndefined();
});

it("keeps every slide within its words", () => {
  const words = fc.array(fc.constantFrom("the", "pump", "opens", "4", "sale"), {
    minLength: 1,
    maxLength: 14,
  });
  const dated = fc.tuple(
    fc.constantFrom("1 May 2026", "June 2027", "31 December 2027"),
    words.map((all) => all.join(" ")),
  );
  const rated = fc.tuple(
    words.map((all) => all.join(" ")),
    fc.constantFrom(...RATINGS),
    fc.constantFrom(...RATINGS),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(dated, { minLength: 1, maxLength: 20 }),
        fc.array(rated, { minLength: 1, maxLength: 20 }),
      ),
      (rows) => {
        const found = compactTable("Risks", { columns: ["Risk", "One", "Two"], rows, citations: [] });
        expect(found?.slides.length ?? 1).toBeLessThanOrEqual(2);
        for (const { title, rows: shown } of found?.slides ?? []) {
          const used = countWords(title) + tableWords([...(found?.columns ?? []), ...shown.flat()]);
          expect(used).toBeLessThanOrEqual(MAX_WORDS);
        }
      },
    ),
  );
});
