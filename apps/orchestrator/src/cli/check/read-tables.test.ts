import { expect, it } from "vitest";

import { readTables } from "./read-tables.ts";

const column = (name: string, type: string, role: string): object => ({ name, type, role });

it("reads sums by year, quarter, month and category, and by category and year, with changes and shares", async () => {
  const asked: string[] = [];
  const answers: readonly (readonly [
    start: string,
    columns: readonly object[],
    rows: readonly unknown[][],
  ])[] = [
    [
      'SELECT * FROM "sales"',
      [
        column("month", "DATE", "date"),
        column("category", "VARCHAR", "category"),
        column("eur", "DOUBLE", "measure"),
      ],
      [["2025-01-01", "Rolls", 30]],
    ],
    [
      'SELECT year(f."month") AS',
      [
        column("year", "BIGINT", "date"),
        column("rows", "BIGINT", "measure"),
        column("eur", "DOUBLE", "measure"),
      ],
      [
        [2025, 3, 120],
        [2024, 3, 100],
      ],
    ],
    [
      'SELECT f."category" AS "category", year(',
      [
        column("category", "VARCHAR", "category"),
        column("year", "BIGINT", "date"),
        column("rows", "BIGINT", "measure"),
        column("eur", "DOUBLE", "measure"),
      ],
      [
        ["Rolls", 2025, 2, 90],
        ["Bread", 2025, 1, 30],
        ["Rolls", 2024, 2, 60],
      ],
    ],
  ];
  const call = (_: string, input: object) => {
    const { sql } = input as { sql: string };
    asked.push(sql);
    const [, columns, rows] = answers.find(([start]) => sql.startsWith(start)) ?? [];
    return Promise.resolve(
      columns === undefined || rows === undefined
        ? { text: "", isError: true }
        : { text: "", data: { columns, rows, total: rows.length } },
    );
  };
  const entry = { name: "sales", source: "sales.csv", rows: 6, columns: 3 };
  const tables = await readTables(call as never, "query", "firm", [entry]);
  expect(tables.map(({ title, columns, rows }) => [title, columns, rows]).slice(1)).toEqual([
    [
      "sales by year (sales.csv)",
      ["year", "rows", "eur", "percent change of eur"],
      [
        [2025, 3, 120, 20],
        [2024, 3, 100, null],
      ],
    ],
    [
      "sales by category and year (sales.csv)",
      ["category", "year", "rows", "eur", "percent change of eur", "percent share of eur"],
      [
        ["Rolls", 2025, 2, 90, 50, 75],
        ["Bread", 2025, 1, 30, null, 25],
        ["Rolls", 2024, 2, 60, null, 100],
      ],
    ],
  ]);
  expect(asked.join("\n")).toContain(`AS "quarter"`);
  expect(asked.join("\n")).toContain(`AS "month"`);
});
