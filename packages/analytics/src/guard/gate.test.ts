import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isDeniedFunction } from "./function-lists.ts";
import { checkTree, type Verdict } from "./gate.ts";

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => connection.closeSync());

async function check(sql: string): Promise<Verdict> {
  const reader = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
  return checkTree(JSON.parse(String(reader.getRows()[0]?.[0])), ["sales", "People"]);
}

describe("statements that pass", () => {
  it.each([
    ["SELECT region, sum(amount) FROM sales GROUP BY ALL ORDER BY 2 DESC", ["sales"]],
    ["FROM sales SELECT *", ["sales"]],
    ["SELECT * FROM main.SALES JOIN people USING (id)", ["People", "sales"]],
    ["WITH c AS (SELECT * FROM sales), d AS (SELECT * FROM c) SELECT * FROM d", ["sales"]],
    ["WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 9) SELECT * FROM r", []],
    ["SELECT * FROM (WITH c AS (SELECT 1) SELECT * FROM c) AS x, sales", ["sales"]],
    ["SELECT (SELECT max(amount) FROM sales), current_date, list_transform([1], lambda x: x + 1)", ["sales"]],
    ["SELECT * FROM range(10) UNION ALL SELECT * FROM generate_series(1, 2)", []],
    ["SELECT * FROM (VALUES (1), (2)) AS v(x)", []],
    ["PIVOT sales ON region IN ('a', 'b') USING sum(amount)", ["sales"]],
    ["SUMMARIZE sales", ["sales"]],
    ["DESCRIBE sales", ["sales"]],
    ["SELECT lag(amount) OVER (ORDER BY d) FROM sales QUALIFY row_number() OVER () = 1", ["sales"]],
    ["SELECT s.amount FROM sales AS s ASOF JOIN people AS p ON s.id >= p.id", ["People", "sales"]],
  ])("%s", async (sql, tables) => {
    expect(await check(sql)).toMatchObject({ ok: true, tables });
  });

  it("knows whether the last word is LIMIT", async () => {
    expect(await check("SELECT * FROM sales LIMIT 5")).toMatchObject({ limited: true });
    expect(await check("SELECT * FROM (SELECT * FROM sales LIMIT 5)")).toMatchObject({ limited: false });
    expect(await check("SELECT * FROM sales LIMIT 10 PERCENT")).toMatchObject({ limited: true });
  });
});

describe("statements that try a way round", () => {
  it.each([
    [
      "a WITH name used outside its statement",
      "SELECT * FROM (WITH duckdb_logs AS (SELECT 1) SELECT 1), duckdb_logs",
    ],
    [
      "a WITH name used before it stands",
      "WITH a AS (SELECT * FROM sqlite_master), sqlite_master AS (SELECT 1) FROM a",
    ],
    [
      "a WITH name used inside itself",
      "WITH sqlite_master AS (SELECT * FROM sqlite_master) FROM sqlite_master",
    ],
    [
      "a recursive name in its first part",
      "WITH RECURSIVE sqlite_master AS (SELECT * FROM sqlite_master UNION ALL SELECT * FROM sqlite_master) FROM sqlite_master",
    ],
    ["a WITH name with a schema", "WITH salaries AS (SELECT 1) SELECT * FROM private.salaries"],
    ["a table of the list in another schema", "SELECT * FROM private.sales"],
    ["a table of the list in another catalog", "SELECT * FROM other.main.sales"],
    ["a file as a table", "SELECT * FROM 'sales.csv'"],
    ["a hidden table in a lateral join", "SELECT * FROM sales, LATERAL (SELECT * FROM hidden) AS h"],
    ["a hidden table in IN", "SELECT 1 FROM sales WHERE id IN (FROM hidden)"],
    ["a hidden table in a set operation", "SELECT 1 UNION SELECT * FROM hidden"],
    ["a hidden table in a window", "SELECT sum(1) OVER (ORDER BY (SELECT 1 FROM hidden)) FROM sales"],
    ["a hidden table in LIMIT", "SELECT 1 FROM sales LIMIT (SELECT 1 FROM hidden)"],
    ["a hidden table in a pivot", "PIVOT hidden ON a IN (1) USING sum(b)"],
    ["a hidden table in a sample", "SELECT * FROM (SELECT * FROM hidden) USING SAMPLE 1"],
    ["SHOW", "SHOW TABLES"],
    ["DESCRIBE of a hidden table", "DESCRIBE hidden"],
    ["a denied function in capitals and quotes", `SELECT "CURRENT_SETTING"('temp_directory')`],
    ["a denied function with a schema", "SELECT system.main.current_setting('x')"],
    ["a denied function by a dot", "SELECT 'temp_directory'.current_setting()"],
    ["a denied function in a filter", "SELECT count(*) FILTER (getvariable('x')) FROM sales"],
    ["a denied function in a lambda", "SELECT list_transform([1], lambda x: nextval('s'))"],
    ["a denied function as a window", "SELECT pg_sleep(1) OVER () FROM sales"],
    ["a table function by another spelling", `SELECT * FROM "Read_Csv"('x')`],
    ["a table function in a subquery", "SELECT (FROM glob('*')) FROM sales"],
  ])("%s", async (_, sql) => {
    expect(await check(sql)).toMatchObject({ ok: false });
  });
});

describe("what the gate does not know", () => {
  it.each([
    [null],
    [{}],
    [{ error: false, statements: [] }],
    [{ error: false, statements: [{ node: { type: "NEW_NODE", cte_map: { map: [] } } }] }],
    [{ error: false, statements: [{ node: { type: "NEW_REF", alias: "", sample: null } }] }],
  ])("is refused: %j", (tree) => {
    expect(checkTree(tree, ["sales"])).toMatchObject({ ok: false });
  });

  it("says what is wrong with a text that does not parse", async () => {
    expect(await check("SELEC 1")).toMatchObject({ ok: false, denial: { reason: "syntax" } });
  });
});

it("every function the engine has that tells of the server or reads is on the list", async () => {
  const reader = await connection.runAndReadAll(
    "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'macro')",
  );
  const names = reader.getRows().map(([name]) => String(name));
  const telling =
    /setting|variable|privilege|pg_|^read_|duckdb|currval|nextval|getenv|sleep|serialize|^current_(?!date|local|time)|^inet/;
  const open = names.filter((name) => telling.test(name) && !isDeniedFunction(name));
  expect(open).toEqual(["pg_typeof"]);
});
