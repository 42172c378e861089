import { describe, expect, it } from "vitest";

import { ratedTable } from "./rated-table.ts";

const rated = (rows: readonly (readonly string[])[]) =>
  ratedTable({ columns: ["Risk", "Likelihood", "Effect", "Response"], rows, citations: [] });

describe("ratedTable", () => {
  it("sets ratings as marks and the gravest rows first, equal ones in their order", () => {
    const table = rated([
      ["Pumps stop", "Low", "High", "Spare pumps"],
      ["Rivers rise", "Medium", "High", "Dams"],
      ["Staff leave", "High", "Medium", "Two of each"],
    ]);
    expect(table?.ordered).toBe(true);
    expect(table?.rows).toEqual([
      ["Rivers rise", "●●○", "●●●", "Dams"],
      ["Staff leave", "●●●", "●●○", "Two of each"],
      ["Pumps stop", "●○○", "●●●", "Spare pumps"],
    ]);
  });

  it("has as many marks as the scale has steps", () => {
    const table = rated([
      ["a", "Very low", "Very high", "x"],
      ["b", "Low", "Low", "x"],
      ["c", "High", "Medium", "x"],
    ]);
    expect(table?.rows.find(([name]) => name === "a")).toEqual(["a", "●○○○○", "●●●●●", "x"]);
  });

  it("leaves the order of rows that one column rates, and tables that rate nothing", () => {
    const rows = ["High", "Low", "Medium"].map((cell, i) => [`Task ${i}`, cell, "now", "x"]);
    expect(rated(rows)).toMatchObject({ ordered: false, rows: [["Task 0", "●●●", "now", "x"], {}, {}] });
    expect(rated(rows.map(([name = ""]) => [name, "Low tide", "High water", "x"]))).toBeUndefined();
  });
});
