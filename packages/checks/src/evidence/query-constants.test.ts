import { expect, test } from "vitest";

import { answerCheck } from "../answer-check.ts";
import { evidenceOf } from "../testing/evidence.ts";

type Row = readonly (string | number)[];

function holds(answer: string, sql: string, columns: readonly string[], ...rows: readonly Row[]): boolean {
  const evidence = evidenceOf({ results: [{ id: "q1", columns, rows, sql }] });
  return answerCheck.check(answer, evidence).every(({ status }) => status !== "finding");
}

const REVENUE = "Revenue was 18.7 [q1].";

test.each([
  "18.7",
  "1.87e1",
  "-18.7",
  "187/10.0",
  "(18.7)",
  "COALESCE(NULL,18.7)",
  "unnest([18.7,4])",
  "'18.7'",
  "CAST('18.7' AS DOUBLE)",
  "'18.7'::DOUBLE",
  "$$18.7$$",
  "(SELECT 18.7)",
])("a column of the constant %s proves nothing, beside a table or not", (expression) => {
  const value = expression.startsWith("-") ? -18.7 : 18.7;
  expect(holds(REVENUE, `SELECT ${expression} AS revenue`, ["revenue"], [value])).toBe(false);
  const sql = `SELECT region, ${expression} AS revenue FROM sales`;
  expect(holds(REVENUE, sql, ["region", "revenue"], ["North", value])).toBe(false);
});

test.each([
  "SELECT * FROM (VALUES ('North', 18.7)) t",
  "SELECT * FROM (VALUES ('North', 187/10.0)) AS t(region, v)",
  "SELECT region, v FROM sales CROSS JOIN (SELECT 187/10.0 AS v)",
  "SELECT * FROM sales CROSS JOIN (SELECT 187/10.0 AS v)",
  "WITH t AS (SELECT 187/10.0 AS v) SELECT region, t.v AS v FROM sales, t",
  "WITH t(y, v) AS (VALUES (2025, 187/10.0)) SELECT s.region, v FROM sales s JOIN t ON true",
  "SELECT r, unnest([18.7, 4]) AS v FROM range(3) t(r)",
  "SELECT ';' AS region, 187/10.0 AS v FROM sales",
])("a constant of %s proves nothing", (sql) => {
  expect(holds(REVENUE, sql, ["region", "v"], ["North", 18.7])).toBe(false);
});

test("texts that a query writes prove nothing", () => {
  const ceo = "The company is led by Peter Novak [q1].";
  expect(holds(ceo, "SELECT 'Peter Novak' AS ceo", ["ceo"], ["Peter Novak"])).toBe(false);
  const beside = "SELECT 'Peter Novak' AS ceo, count(*) AS n FROM sales";
  expect(holds(ceo, beside, ["ceo", "n"], ["Peter Novak", 4])).toBe(false);
  expect(
    holds(ceo, "SELECT ceo, count(*) AS n FROM firms GROUP BY ceo", ["ceo", "n"], ["Peter Novak", 4]),
  ).toBe(true);
  const said = "Revenue was 18.7";
  expect(holds(REVENUE, `SELECT '${said}' AS r`, ["r"], [said])).toBe(false);
  const label = `SELECT CASE WHEN id > 0 THEN '${said}' END AS r, count(*) AS n FROM d GROUP BY 1`;
  expect(holds(REVENUE, label, ["r", "n"], [said, 4])).toBe(false);
});

test("comments, names in quotation marks and filters that nothing passes prove nothing", () => {
  for (const sql of [
    "SELECT count(*) AS n FROM d -- where v = 18.7",
    "SELECT count(*) AS n FROM d /* where v = 18.7 */",
    'SELECT count(*) AS "n where v = 18.7" FROM d',
    "SELECT count(*) AS n FROM d WHERE 18.7 = 18.7",
  ])
    expect(holds(REVENUE, sql, ["n"], [4])).toBe(false);
  const above = "SELECT count(*) AS n FROM d WHERE v > 500";
  expect(holds("4 are above 500 [q1].", above, ["n"], [4])).toBe(true);
  expect(holds("Some are above 500 [q1].", "SELECT n FROM d WHERE v > 500", ["n"])).toBe(false);
});

test.each<readonly [string, string, readonly string[], Row]>([
  [
    "77 customers are under 30 [q1].",
    "SELECT CASE WHEN age < 30 THEN 'under 30' ELSE '30 and over' END AS grp, count(*) AS n FROM c GROUP BY 1",
    ["grp", "n"],
    ["under 30", 77],
  ],
  [
    "77 customers are 30-39 years old [q1].",
    "SELECT CASE WHEN age < 30 THEN 'under 30' WHEN age < 40 THEN '30-39' END AS grp, count(*) AS n FROM c GROUP BY 1",
    ["grp", "n"],
    ["30-39", 77],
  ],
  [
    "North had 18.7 [q1].",
    "SELECT region, ROUND(SUM(x), 1) AS r FROM s GROUP BY region",
    ["region", "r"],
    ["North", 18.7],
  ],
  [
    "North has 100 % [q1].",
    "SELECT region, SUM(x) * 100.0 / SUM(SUM(x)) OVER () AS share FROM s GROUP BY region",
    ["region", "share"],
    ["North", 100],
  ],
  [
    "There were 412 orders from 1 January 2025 [q1].",
    "SELECT count(*) AS n FROM s WHERE d >= DATE '2025-01-01' AND d < DATE '2026-01-01'",
    ["n"],
    [412],
  ],
  [
    "Anna leads the 10 best with 5 [q1].",
    "SELECT name, v FROM s ORDER BY v DESC LIMIT 10",
    ["name", "v"],
    ["Anna", 5],
  ],
  [
    "North had 9 [q1].",
    "SELECT 'all' AS region, SUM(x) AS x FROM s UNION ALL SELECT region, SUM(x) FROM s GROUP BY region",
    ["region", "x"],
    ["North", 9],
  ],
  ["In January 2025 it was 9 [q1].", "SELECT month, x FROM s", ["month", "x"], ["2025-01", 9]],
  [
    "North had 9.5 [q1].",
    "WITH t AS (SELECT region, SUM(x) AS x FROM s GROUP BY 1) SELECT region, x FROM t ORDER BY x",
    ["region", "x"],
    ["North", 9.5],
  ],
  [
    "There were 7 in 2025 [q1].",
    "SELECT EXTRACT(year FROM d) AS y, count(*) AS n FROM s GROUP BY 1",
    ["y", "n"],
    [2025, 7],
  ],
  [
    "Of 41 customers 1 has paid [q1].",
    "SELECT COUNT(DISTINCT c) AS customers, SUM(CASE WHEN paid THEN 1 ELSE 0 END) AS paid FROM s",
    ["customers", "paid"],
    [41, 1],
  ],
  ["North had 9.5 [q1].", "FROM s SELECT region, x", ["region", "x"], ["North", 9.5]],
  ["North had 9.5 [q1].", "SELECT * FROM read_csv('s.csv')", ["region", "x"], ["North", 9.5]],
  ["North had 9.5 [q1].", "PIVOT s ON year USING sum(x)", ["region", "2025"], ["North", 9.5]],
  ["North had 9.5 [q1].", "sales by region", ["region", "x"], ["North", 9.5]],
])("%s holds by %s", (answer, sql, columns, row) => {
  expect(holds(answer, sql, columns, row)).toBe(true);
});

test("a query of brackets and keywords is read in little time", () => {
  for (const part of ["SELECT(", "VALUES(", "FROM(", "x AS (", "'", "(SELECT 1,"])
    expect(holds("There are 4 [q1].", part.repeat(9_000), ["n"], [4])).toBeTypeOf("boolean");
});
