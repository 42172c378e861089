import { describe, expect, it } from "vitest";

import { chooseChart } from "./choose-chart.ts";
import { citedTable, type CitedTable } from "./cited-table.ts";

const PASSAGE = `published 2025-03-01
| Year | *Budget* (EUR million) | People | Note [2] |
| --- | --- | --- | --- |
| 2024 | 1.2 | 1,450 | first |
| 2025 | 4.25 | 1,600 | second |
| 2026 | - | 1,700 | |`;

const of = (columns: CitedTable["columns"], rows: CitedTable["rows"], passage = PASSAGE): CitedTable => ({
  citation: {
    id: "7",
    document: "Strategy",
    collection: "docs",
    page: 3,
    quote: passage.slice(0, 40),
    passage,
  },
  columns,
  rows,
});
const refusal = (table: CitedTable): string => {
  try {
    citedTable(table);
    return "";
  } catch (error) {
    return String(error);
  }
};

describe("a table of a cited passage", () => {
  it("becomes a chart with the citation as provenance, and the unit of its heading", () => {
    const table = of(
      ["Year", "Budget (EUR million)"],
      [
        ["2024", "1.2"],
        [2025, 4.25],
        ["2026", null],
      ],
    );
    const { chart } = chooseChart(citedTable(table));
    expect(chart).toMatchObject({
      kind: "column",
      title: "Budget by year",
      x: { label: "Year", type: "date" },
      series: [{ label: "Budget", unit: "EUR million" }],
      provenance: { resultId: "7", query: "", source: "Strategy, page 3" },
    });
    expect(chart.rows).toEqual([
      { x: "2024", y1: 1.2 },
      { x: "2025", y1: 4.25 },
      { x: "2026", y1: null },
    ]);
  });

  it.each([
    [
      "a number that is not there",
      of(["Year", "People"], [["2024", "1,451"]]),
      'table.rows: "row 1 (2024 | 1,451)" is not in one line of the passage [7] of "Strategy"',
    ],
    ["a number of another row", of(["Year", "People"], [["2024", "1,600"]]), "row 1 (2024 | 1,600)"],
    ["a number of another column", of(["Year", "People"], [[2024, 1.2]]), "row 1 (2024 | 1.2)"],
    ["a part of a number", of(["Year", "Budget (EUR million)"], [["2025", "4.2"]]), "row 1 (2025 | 4.2)"],
    ["a rounded number", of(["Year", "Budget (EUR million)"], [[2025, 4.3]]), "row 1 (2025 | 4.3)"],
    ["a number a thousand times smaller", of(["Year", "People"], [[2024, 1.45]]), "row 1 (2024 | 1.45)"],
    ["a number for an empty cell", of(["Year", "Budget (EUR million)"], [[2026, 0]]), "row 1 (2026 | 0)"],
    [
      "a column that is not there",
      of(["Year", "Profit"], [["2024", "1.2"]]),
      'table.columns: "Profit" is not in the passage [7]',
    ],
    [
      "a word of the passage as a column",
      of(["published", "People"], [["2024", "1,450"]]),
      'table.columns: "published", "People" are not together, in this order, in one line of the passage',
    ],
    [
      "columns in another order",
      of(["People", "Year"], [["1,450", "2024"]]),
      '"People", "Year" are not together',
    ],
  ])("is refused with %s", (_, table, message) => {
    expect(refusal(table)).toContain(message);
  });

  it("is refused with rows of another length, and units that differ", () => {
    expect(refusal(of(["Year", "People"], [["2024"]]))).toContain(
      "table.rows: row 1 has 1 cells for 2 columns.",
    );
    const mixed = "| Item | Cost |\n| --- | --- |\n| A | EUR 2 million |\n| B | EUR 900 |";
    expect(
      refusal(
        of(
          ["Item", "Cost"],
          [
            ["A", "EUR 2 million"],
            ["B", "EUR 900"],
          ],
          mixed,
        ),
      ),
    ).toContain('the cells of "Cost" have several units (EUR million, EUR)');
  });

  it("may come from text without borders, its cells in order", () => {
    const text = "Region Sites Revenue\nNordics 12 EUR 4.2 million\nDACH 7 EUR 3.1 million";
    const rows = [
      ["Nordics", "EUR 4.2 million"],
      ["DACH", "EUR 3.1 million"],
    ];
    const { columns, rows: read } = citedTable(of(["Region", "Revenue"], rows, text));
    expect(columns[1]).toMatchObject({ name: "Revenue", unit: "EUR million", role: "measure" });
    expect(read).toEqual([
      ["Nordics", 4.2],
      ["DACH", 3.1],
    ]);
    expect(refusal(of(["Region", "Revenue"], [["Nordics", "EUR 3.1 million"]], text))).toContain("row 1");
    expect(refusal(of(["Region", "Sites"], [["Nordics", 1]], text))).toContain("row 1");
    expect(refusal(of(["Region", "Revenue"], [["Nordics", "2 million"]], text))).toContain("row 1");
  });

  it("is read with the decimal comma that the passage has", () => {
    const text =
      "| Jahr | Umsatz | Stück |\n|---|---|---|\n| 2024 | 12,5 % | 1.450 |\n| 2025 | 13,75 % | 12.600 |";
    const { rows, columns } = citedTable(
      of(
        ["Jahr", "Umsatz", "Stück"],
        [
          ["2024", "12,5 %", "1.450"],
          [2025, 13.75, 12_600],
        ],
        text,
      ),
    );
    expect(rows).toEqual([
      [2024, 12.5, 1450],
      [2025, 13.75, 12600],
    ]);
    expect(columns[1]?.unit).toBe("%");
  });

  it("keeps names with numbers in them as names", () => {
    const text = "| Site | Sensors |\n|---|---|\n| Station 4 | 3 |\n| Station 5 | 9 |";
    const { columns, rows } = citedTable(
      of(
        ["Site", "Sensors"],
        [
          ["Station 4", "3"],
          ["Station 5", "9"],
        ],
        text,
      ),
    );
    expect(columns.map(({ role }) => role)).toEqual(["category", "measure"]);
    expect(rows[0]).toEqual(["Station 4", 3]);
  });
});
