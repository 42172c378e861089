import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openExample } from "../testing/example-source.ts";
import type { Cell } from "../types/result.ts";
import { suggestStatements, type Suggestions } from "./suggest-statements.ts";

const signal = new AbortController().signal;
const SUM = "sum(revenue_eur)";
let example: Awaited<ReturnType<typeof openExample>>;

beforeAll(async () => {
  example = await openExample();
}, 60_000);

afterAll(() => example.close());

const suggest = (question: string): Promise<Suggestions> =>
  suggestStatements(example.source, question, { signal, today: "2026-01-15" });
const rowsOf = async (sql: string): Promise<readonly (readonly Cell[])[]> =>
  (await example.source.query(sql, { signal })).rows;

describe("a word that changes what is asked is done or said", () => {
  it.each([
    ["which products were not sold in 2025", '"not"'],
    ["customers who bought nothing in 2025", '"nothing"'],
    ["products never sold", '"products", "never"'],
    ["customers who bought both Foresight and pH Mini", '"both"'],
    ["revenue only in DACH", '"only"'],
    ["neither Direct nor Partner sales", '"neither"'],
    ["did DACH sell more than Nordics", '"more", "than"'],
    ["who bought most in 2025", '"who"'],
    ["gross revenue by region", '"gross"'],
    ["list price of Foresight by channel", '"list"'],
    ["revenue of DACH and Foresight", "values of different columns"],
    ["revenue in DACH but not in Nordics", "filter by region"],
    ["orders with more than 2000 units", '"more than 2000 units"'],
    ["revenue over 2000 EUR", '"over 2000 EUR"'],
    ["sales above €2000", '"above €2000"'],
    ["revenue without 2023", '"without 2023"'],
    ["revenue by region except Q1 and Q2 2024", '"except Q1"'],
    ["revenue in the past year", '"past year"'],
    ["revenue up to 2024", '"up"'],
    ["average revenue by month", "the average of one figure for each month"],
    ["median monthly revenue", "the median of one figure for each month"],
    ["best month by region", '"best"'],
    ["March 2024 and 2025 revenue", '"2025"'],
    ["revenue compared to the previous year in 2024", '"previous year"'],
    [
      "revenue in DACH in 2024 and in Nordics in 2025",
      'which period goes with which of "DACH" and "Nordics"',
    ],
    ["In 2024 DACH revenue and in 2025 Nordics revenue", "ask for each on its own"],
    ["what percentage of revenue comes from the top 10 customers", '"percentage"'],
    ["fastest order", '"fastest"'],
    ["median order value", "the median of one figure for each order"],
    ["which customers are in Germany", "the question names no figure"],
    ["revenue by region and channel", "each group is told on its own"],
    ["share of customers in DACH", '"customers"'],
    ["top 100 customers", '"100"'],
    ["DACH share of revenue by year", '"share"'],
    ["revenue in H1 2024 vs H1 2023", '"vs"'],
    ["compare revenue of DACH with Foresight", "compare"],
  ])("%s", async (question, said) => {
    expect((await suggest(question)).unused.join(" ")).toContain(said);
  });

  it("leaves a list out as a whole", async () => {
    const regions = ["Nordics", "DACH", "UK & Ireland"];
    const total = Number((await rowsOf(`SELECT ${SUM} FROM sales`))[0]?.[0]);
    const words = fc.constantFrom("outside", "except", "excluding", "without", "not in", "apart from");
    const pair = fc.shuffledSubarray(regions, { minLength: 2, maxLength: 2 });
    const join = fc.constantFrom(" and ", ", ", " or ", " and the ");
    await fc.assert(
      fc.asyncProperty(words, pair, join, async (word, [x = "", y = ""], between) => {
        const { statements, unused } = await suggest(`revenue ${word} ${x}${between}${y}`);
        const each = await rowsOf(`SELECT ${SUM} FROM sales WHERE region IN ('${x}', '${y}')`);
        expect(unused).toEqual([]);
        const [row] = await rowsOf(statements[0]?.sql ?? "");
        expect(Number(row?.[0])).toBeCloseTo(total - Number(each[0]?.[0]), 2);
      }),
      { numRuns: 30 },
    );
  });

  it("names every word of no rule, wherever it stands", async () => {
    const words = "never only both than each nobody fewer zigzag again unless first".split(" ");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...words), fc.nat(4), async (word, at) => {
        const question = ["revenue", "in", "DACH", "in", "2024"].toSpliced(at, 0, word).join(" ");
        expect((await suggest(question)).unused.join(" ")).toContain(word);
      }),
      { numRuns: 40 },
    );
  });
});

describe("growth is told between two periods that are named in the title, or not at all", () => {
  const growth = (first: string, last: string): string =>
    `SELECT n, round(100 * (b - a) / a, 1), a, b FROM (SELECT region AS n, ${SUM} FILTER (WHERE ${first}) AS a, ${SUM} FILTER (WHERE ${last}) AS b FROM sales GROUP BY 1) ORDER BY 2 DESC, 1`;
  const quarter = (year: number): string => `year(order_date) = ${year} AND quarter(order_date) = 1`;
  const year = (number: number): string => `year(order_date) = ${number}`;

  it.each([
    ["revenue growth by region since 2023", "2023 to 2025", growth(year(2023), year(2025))],
    ["revenue growth by region in 2024", "2023 to 2024", growth(year(2023), year(2024))],
    ["revenue growth by region in Q1 2025", "Q1 2024 to Q1 2025", growth(quarter(2024), quarter(2025))],
    [
      "revenue growth by region from Q1 2023 to Q1 2025",
      "Q1 2023 to Q1 2025",
      growth(quarter(2023), quarter(2025)),
    ],
    [
      "compare revenue growth of DACH and Nordics",
      "2024 to 2025",
      growth(year(2024), year(2025)).replace("GROUP", "WHERE region IN ('DACH', 'Nordics') GROUP"),
    ],
  ])("%s", async (question, periods, sql) => {
    const { statements, unused } = await suggest(question);
    expect(unused).toEqual([]);
    expect(statements[0]?.title).toContain(periods);
    expect(await rowsOf(statements[0]?.sql ?? "")).toEqual(await rowsOf(sql));
  });

  it.each([
    ["revenue growth by region in March", "say the two"],
    ["revenue growth by region from 2023 to Q2 2025", "say the two"],
    ["revenue growth by region since July 2024", "say the two"],
    ["compare revenue growth in 2023 and 2024", "say the two"],
    ["revenue growth by region in 2023", "2022 is not wholly in the data"],
    ["revenue growth by region in 2026", "2026 is not wholly in the data"],
    ["revenue growth by quarter in 2024", "told over all of the data"],
    ["growth of average order value", "does not add up"],
  ])("%s", async (question, why) => {
    expect((await suggest(question)).unused.join(" ")).toContain(`Not used: growth: `);
    expect((await suggest(question)).unused.join(" ")).toContain(why);
  });
});
