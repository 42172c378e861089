import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openExample } from "../testing/example-source.ts";
import type { Cell } from "../types/result.ts";
import { suggestStatements } from "./suggest-statements.ts";

const signal = new AbortController().signal;
const SUM = "sum(revenue_eur)";
let example: Awaited<ReturnType<typeof openExample>>;

beforeAll(async () => {
  example = await openExample();
}, 60_000);

afterAll(() => example.close());

const rowsOf = async (sql: string): Promise<readonly (readonly Cell[])[]> =>
  (await example.source.query(sql, { signal })).rows;
const within = (where: string): string => `SELECT ${SUM} FROM sales WHERE ${where}`;
const year = (number: number): string => `year(order_date) = ${number}`;
const monthName = "strftime(date_trunc('month', order_date), '%B %Y')";
const change = (by: string, order: string): string =>
  `SELECT n, round(100 * (b - a) / a, 1), a, b FROM (SELECT ${by} AS n, ${SUM} FILTER (WHERE ${year(2024)}) AS a, ${SUM} FILTER (WHERE ${year(2025)}) AS b FROM sales GROUP BY 1) ORDER BY 2 ${order}, 1`;

describe("the first statement has the rows that a person's statement has", () => {
  it.each([
    ["revenue in the last quarter of 2024", within(`${year(2024)} AND quarter(order_date) = 4`)],
    ["revenue last month of 2024", within(`${year(2024)} AND month(order_date) = 12`)],
    ["revenue from January through June 2024", within(`${year(2024)} AND month(order_date) <= 6`)],
    ["revenue from March to May", within("month(order_date) BETWEEN 3 AND 5")],
    [
      "revenue in 2024 compared to the previous year",
      `SELECT date_trunc('year', order_date)::DATE, ${SUM} FROM sales WHERE year(order_date) IN (2023, 2024) GROUP BY 1 ORDER BY 1`,
    ],
    [
      "compare revenue in Q1 2025 with the prior quarter",
      `SELECT date_trunc('quarter', order_date)::DATE, ${SUM} FROM sales WHERE order_date >= '2024-10-01' AND order_date < '2025-04-01' GROUP BY 1 ORDER BY 1`,
    ],
    [
      "which month had the highest revenue?",
      `SELECT ${monthName}, ${SUM} FROM sales GROUP BY 1 ORDER BY 2 DESC LIMIT 10`,
    ],
    [
      "top 3 months by units in 2024",
      `SELECT ${monthName}, sum(quantity) FROM sales WHERE ${year(2024)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3`,
    ],
    [
      "which month had the fewest orders in 2025",
      `SELECT ${monthName}, count(*) FROM sales WHERE ${year(2025)} GROUP BY 1 ORDER BY 2, 1 LIMIT 10`,
    ],
    [
      "which day had the highest revenue in 2025",
      `SELECT strftime(order_date, '%-d %B %Y'), ${SUM} FROM sales WHERE ${year(2025)} GROUP BY 1 ORDER BY 2 DESC LIMIT 10`,
    ],
    [
      "best 3 weeks",
      `SELECT strftime(order_date, '%G-W%V'), ${SUM} FROM sales GROUP BY 1 ORDER BY 2 DESC LIMIT 3`,
    ],
    [
      "worst 2 quarters by revenue",
      `SELECT concat('Q', quarter(order_date), ' ', year(order_date)), ${SUM} FROM sales GROUP BY 1 ORDER BY 2 LIMIT 2`,
    ],
    [
      "average revenue per month in 2024",
      `SELECT round(avg(r), 2) FROM (SELECT ${SUM} AS r FROM sales WHERE ${year(2024)} GROUP BY date_trunc('month', order_date))`,
    ],
    [
      "average monthly revenue in DACH",
      `SELECT round(avg(r), 2) FROM (SELECT ${SUM} AS r FROM sales WHERE region = 'DACH' GROUP BY date_trunc('month', order_date))`,
    ],
    ["revenue in the year before 2024", within(year(2023))],
    [
      "the 2 largest regions by revenue",
      `SELECT region, ${SUM} FROM sales GROUP BY 1 ORDER BY 2 DESC LIMIT 2`,
    ],
    [
      "regions with the lowest revenue in 2024",
      `SELECT region, ${SUM} FROM sales WHERE ${year(2024)} GROUP BY 1 ORDER BY 2 LIMIT 10`,
    ],
    [
      "the quarter with the highest revenue in 2024",
      `SELECT concat('Q', quarter(order_date), ' 2024'), ${SUM} FROM sales WHERE ${year(2024)} GROUP BY 1 ORDER BY 2 DESC LIMIT 10`,
    ],
    ["percentage change in revenue by region from 2024 to 2025", change("region", "DESC")],
    ["fastest growing region from 2024 to 2025", change("region", "DESC")],
    ["which region is growing slowest from 2024 to 2025", change("region", "ASC")],
    [
      "which is bigger, revenue in DACH or in Nordics?",
      `SELECT region, ${SUM} FROM sales WHERE region IN ('DACH', 'Nordics') GROUP BY 1 ORDER BY 2 DESC`,
    ],
    [
      "was revenue higher in DACH than in Nordics in 2024?",
      `SELECT region, ${SUM} FROM sales WHERE region IN ('DACH', 'Nordics') AND ${year(2024)} GROUP BY 1 ORDER BY 2 DESC`,
    ],
  ])("%s", async (question, sql) => {
    const { statements, unused } = await suggestStatements(example.source, question, {
      signal,
      today: "2026-01-15",
    });
    expect(unused).toEqual([]);
    expect(await rowsOf(statements[0]?.sql ?? "")).toEqual(await rowsOf(sql));
  });
});

describe("a question for one figure", () => {
  it.each([
    ["What was revenue in 2024?", ["Revenue in 2024"]],
    ["How much revenue did DACH make in 2024?", ["Revenue (DACH) in 2024"]],
    ["What was revenue in DACH and Nordics in 2024?", ["Revenue (DACH, Nordics) by region in 2024"]],
    ["What was the total revenue in DACH and Nordics?", ["Revenue (DACH, Nordics), 2023 to 2025"]],
    ["What was revenue in 2023 and 2024?", ["Revenue by year in 2023 and 2024"]],
  ])("%s has one statement", async (question, titles) => {
    const { statements } = await suggestStatements(example.source, question, { signal, today: "2026-01-15" });
    expect(statements.map(({ title }) => title)).toEqual(titles);
  });
});
