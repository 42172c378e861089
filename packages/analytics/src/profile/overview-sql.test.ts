import { expect, it } from "vitest";

import type { ColumnInfo, TableInfo } from "../types/schema.ts";
import { overviewSql } from "./overview-sql.ts";

const column = (name: string, role: ColumnInfo["role"], distinct = 40): ColumnInfo => ({
  name,
  type: role === "measure" ? "DOUBLE" : "VARCHAR",
  role,
  distinct,
  nulls: 0,
  min: null,
  max: null,
  samples: [],
});
const table = (...columns: readonly ColumnInfo[]): TableInfo => ({
  name: "stations",
  source: "stations.csv",
  rows: 40,
  rejected: 0,
  columns: [column("region", "category", 4), ...columns],
});

it.each(["latitude", "growth", "max_load", "Bruttomarge", "unit_price", "user_rating", "price_index"])(
  "never adds up %s",
  (name) => {
    expect(overviewSql(table(column(name, "measure")))).toEqual([
      'SELECT "region", count(*) AS rows FROM "stations" GROUP BY 1 ORDER BY 2 DESC, 1',
    ]);
  },
);

it("adds up money before other measures", () => {
  const [sql] = overviewSql(table(column("visits", "measure"), column("revenue_eur", "measure")));
  expect(sql).toBe(
    'SELECT "region", sum("revenue_eur") AS "revenue_eur" FROM "stations" GROUP BY 1 ORDER BY 2 DESC, 1',
  );
});
