import { expect, it } from "vitest";

import { closestText } from "./closest.ts";

const passage = (quote: string) => ({
  id: "1",
  document: "Report",
  source: "report.md",
  collection: "c",
  chunkId: "k",
  quote,
  start: 0,
  end: quote.length,
});

it("shows the nearest sentence of a passage, in at most 160 characters", () => {
  const text = "Ovens are hot. Returns fell by 19 % in the 12 pilot shops.\n\nWe sold 38,400 bags.";
  expect(closestText(passage(text), "Returns fell by 29 % in the pilot shops.")).toBe(
    "Returns fell by 19 % in the 12 pilot shops.",
  );
  expect(closestText(passage(`Returns ${"and more ".repeat(40)}`), "Returns fell.")).toHaveLength(160);
  expect(closestText(passage("Ovens are hot."), "Nothing of it.")).toBe("");
});

it("shows the nearest row of a table, with shares where a percentage was claimed", () => {
  const table = {
    id: "t",
    columns: ["category", "year", "rows", "eur", "percent share of eur"],
    rows: [
      ["Rolls", 2025, 2, 90, 75],
      ["Bread", 2025, 1, 30, 25],
    ],
  };
  expect(closestText(table, "Bread brought EUR 90 in 2025.")).toBe("Bread, year 2025, eur 30");
  expect(closestText(table, "Bread made 75 % in 2025.")).toBe(
    "Bread, year 2025, eur 30, percent share of eur 25",
  );
});
