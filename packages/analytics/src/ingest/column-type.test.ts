import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";

import { chooseReading, openReadings, probeSql } from "./column-type.ts";

let instance: DuckDBInstance;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
});

afterAll(() => instance.closeSync());

it("plans no join for a column, so that a wide file takes no more than its cells", async () => {
  const connection = await instance.connect();
  await connection.run("CREATE TABLE staged AS SELECT range::VARCHAR AS a FROM range(20)");
  const open = openReadings(["1.5", "2", null, "n/a"]);
  const { sql } = chooseReading(
    { said: 2, boolean: 2, whole: 1, point: 0, comma: 1, float: 0, after_point: 1, digits: 2 },
    { decimalMark: { mark: "point", uncertain: false } },
    false,
  );
  for (const select of [probeSql("a", "p", open), sql('"a"')]) {
    const plan = (await connection.runAndReadAll(`EXPLAIN SELECT ${select} FROM staged`)).getRows();
    expect(String(plan)).not.toContain("JOIN");
  }
  connection.closeSync();
});
