import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock } from "@troupe/core";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { chooseChart } from "../chart/choose-chart.ts";
import { ingestCsv } from "../ingest/ingest-csv.ts";
import { openDataSourceIn } from "../store/open-data-source.ts";
import type { DataSource } from "../types/data-source.ts";
import type { Cell } from "../types/result.ts";
import { suggestStatements, type Suggestions } from "./suggest-statements.ts";
import { startInProcess } from "../testing/start-in-process.ts";

const signal = new AbortController().signal;
const today = "2025-11-20";
const sources = new Map<string, DataSource>();
let home = "";

const cell = (value: Cell): string => {
  const text = String(value ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csv = (header: string, rows: readonly (readonly Cell[])[]): string =>
  `${header}\n${rows.map((row) => row.map(cell).join(",")).join("\n")}\n`;
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const pick = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;
/** 2023-01-01 to 2025-09-29. */
const day = (i: number): string => new Date(Date.UTC(2023, 0, 1 + (i % 1_004))).toISOString().slice(0, 10);
const quarters = times(8, (i) => `${2024 + Math.floor(i / 4)}-Q${(i % 4) + 1}`);

const CUSTOMERS = [
  "Zürich Wasser AG",
  "Rye Harbour",
  "O'Brien & Sons",
  'Café "Blau"',
  "Stadtwerke Köln",
  "Acme",
  "Acme North",
  "Norge Vann",
  "Gent Water",
  "Polder BV",
  "Acme North",
];
const COUNTRIES = ["Switzerland", "United Kingdom", "Ireland", "Austria", "Germany"];
const PRODUCTS = ["Foresight", "Sonde 3 probe", "Sonde 4 probe", "pH Mini", "NO sensor"];

const COLLECTIONS: { readonly [name: string]: { readonly [file: string]: string } } = {
  shop: {
    "sales.csv": csv(
      "line_id,order_id,order_date,customer_id,product_id,quantity,revenue_eur,region,channel",
      times(600, (i) => [
        `L-${i}`,
        `O-${Math.floor(i / 2)}`,
        day(i * 7),
        `C-${(i % 11) + 1}`,
        `P-${(i % 5) + 1}`,
        (i % 4) + 1,
        `${((i * 37) % 500) + 10}.50`,
        pick(["Nordics", "DACH", "UK & Ireland"], i),
        pick(["Direct", "Partner"], Math.floor(i / 3)),
      ]),
    ),
    "customers.csv": csv(
      "customer_id,customer_name,country,segment",
      CUSTOMERS.map((name, i) => [
        `C-${i + 1}`,
        name,
        pick(COUNTRIES, i),
        pick(["Utility", "Municipality"], i),
      ]),
    ),
    "products.csv": csv(
      "product_id,product_name,family,list_price_eur",
      PRODUCTS.map((name, i) => [`P-${i + 1}`, name, pick(["Software", "Probes"], i), 100 * (i + 1)]),
    ),
  },
  quarterly: {
    "results.csv": csv(
      "quarter,region,revenue",
      quarters.toReversed().flatMap((quarter, i) => [
        [quarter, "North", i + 1],
        [quarter, "South", 10 * i],
      ]),
    ),
  },
  monthly: {
    "results.csv": csv(
      "month,team,cost",
      times(24, (i) => [
        `${2024 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, "0")}`,
        pick(["A1", "B2"], i),
        i + 1,
      ]),
    ),
  },
  twice: {
    "visits.csv": csv(
      "visit_id,product_id,campaign",
      times(9, (i) => [i, (i % 3) + 1, pick(["Foresight", "Spring"], i)]),
    ),
    "products.csv": csv("product_id,title", [
      [1, "Foresight"],
      [2, "Probe"],
      [3, "Buoy"],
    ]),
  },
  yearly: {
    "results.csv": csv(
      "year,country,visitors_total",
      times(12, (i) => [2020 + (i % 6), pick(["Norway", "Chile"], i), i * 3]),
    ),
  },
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "troupe-evaluation-"));
  for (const [collection, files] of Object.entries(COLLECTIONS)) {
    await mkdir(join(home, collection));
    const paths = Object.keys(files).map((name) => join(home, collection, name));
    for (const path of paths) await writeFile(path, files[path.split("/").at(-1) ?? ""] ?? "");
    await ingestCsv({ home, collection, paths, log: silentLog });
    sources.set(
      collection,
      await openDataSourceIn(startInProcess, { home, collection, clock: systemClock, log: silentLog }),
    );
  }
}, 60_000);

afterAll(async () => {
  await Promise.all([...sources.values()].map((source) => source.close()));
  await rm(home, { recursive: true, force: true });
});

function sourceOf(collection: string): DataSource {
  const source = sources.get(collection);
  if (source === undefined) throw new Error(`no collection ${collection}`);
  return source;
}

const suggest = (question: string, collection = "shop"): Promise<Suggestions> =>
  suggestStatements(sourceOf(collection), question, { signal, today });
const rowsOf = async (sql: string, collection = "shop"): Promise<readonly (readonly Cell[])[]> =>
  (await sourceOf(collection).query(sql, { signal })).rows;

const S =
  "sales s JOIN customers c ON c.customer_id = s.customer_id JOIN products p ON p.product_id = s.product_id";
const SUM = "sum(revenue_eur)";

describe("the first statement has the rows that a person's statement has", () => {
  it.each([
    ["sales in DACH in 2024", `SELECT ${SUM} FROM sales WHERE region = 'DACH' AND year(order_date) = 2024`],
    ["revenue of Foresight", `SELECT ${SUM} FROM ${S} WHERE p.product_name = 'Foresight'`],
    [
      "Foresight revenue in 2025",
      `SELECT ${SUM} FROM ${S} WHERE p.product_name = 'Foresight' AND year(order_date) = 2025`,
    ],
    ["revenue of sonde 4", `SELECT ${SUM} FROM ${S} WHERE p.product_name = 'Sonde 4 probe'`],
    [
      "how much did Rye Harbour buy in 2024",
      `SELECT ${SUM} FROM ${S} WHERE c.customer_name = 'Rye Harbour' AND year(order_date) = 2024`,
    ],
    ["revenue of Rye", `SELECT ${SUM} FROM ${S} WHERE c.customer_name = 'Rye Harbour'`],
    ["revenue of Zurich Wasser", `SELECT ${SUM} FROM ${S} WHERE c.customer_name = 'Zürich Wasser AG'`],
    ["revenue of O'Brien & Sons", `SELECT ${SUM} FROM ${S} WHERE c.customer_name = 'O''Brien & Sons'`],
    ['revenue of Café "Blau"', `SELECT ${SUM} FROM ${S} WHERE c.customer_name = 'Café "Blau"'`],
    ["revenue of Acme", `SELECT ${SUM} FROM ${S} WHERE c.customer_name = 'Acme'`],
    ["revenue of Acme North", `SELECT ${SUM} FROM ${S} WHERE c.customer_name = 'Acme North'`],
    ["revenue in UK and Ireland", `SELECT ${SUM} FROM sales WHERE region = 'UK & Ireland'`],
    ["sales to municipalities", `SELECT ${SUM} FROM ${S} WHERE c.segment = 'Municipality'`],
    ["German revenue", `SELECT ${SUM} FROM ${S} WHERE c.country = 'Germany'`],
    ["revenue of NO sensor", `SELECT ${SUM} FROM ${S} WHERE p.product_name = 'NO sensor'`],
    ["revenue without DACH", `SELECT ${SUM} FROM sales WHERE region <> 'DACH'`],
    ["revenue in Germany and Austria", `SELECT ${SUM} FROM ${S} WHERE c.country IN ('Germany', 'Austria')`],
    ["customers per country", "SELECT country, count(*) FROM customers GROUP BY 1 ORDER BY 2 DESC, 1"],
    ["how many customers do we have in Germany", "SELECT count(*) FROM customers WHERE country = 'Germany'"],
    [
      "how many customers bought Foresight in 2024",
      `SELECT count(DISTINCT s.customer_id) FROM ${S} WHERE p.product_name = 'Foresight' AND year(order_date) = 2024`,
    ],
    [
      "number of orders by channel",
      "SELECT channel, count(DISTINCT order_id) FROM sales GROUP BY 1 ORDER BY 2 DESC, 1",
    ],
    ["how many countries do our customers come from", "SELECT count(DISTINCT country) FROM customers"],
    ["average order value", `SELECT round(${SUM} / count(DISTINCT order_id), 2) FROM sales`],
    [
      "average order value by region in 2024",
      `SELECT region, round(${SUM} / count(DISTINCT order_id), 2) FROM sales WHERE year(order_date) = 2024 GROUP BY 1 ORDER BY 2 DESC, 1`,
    ],
    ["average revenue per customer", `SELECT round(${SUM} / count(DISTINCT customer_id), 2) FROM sales`],
    [
      "average list price per family",
      "SELECT family, avg(list_price_eur) FROM products GROUP BY 1 ORDER BY 2 DESC, 1",
    ],
    ["highest list price", "SELECT max(list_price_eur) FROM products"],
    ["lowest list price of Probes", "SELECT min(list_price_eur) FROM products WHERE family = 'Probes'"],
    [
      "median revenue by channel",
      "SELECT channel, median(revenue_eur) FROM sales GROUP BY 1 ORDER BY 2 DESC, 1",
    ],
    [
      "units sold in March 2024",
      "SELECT sum(quantity) FROM sales WHERE year(order_date) = 2024 AND month(order_date) = 3",
    ],
    [
      "how many Sonde 4 probes did we sell in 2024",
      `SELECT sum(quantity) FROM ${S} WHERE p.product_name = 'Sonde 4 probe' AND year(order_date) = 2024`,
    ],
    ["Umsatz in DACH", `SELECT ${SUM} FROM sales WHERE region = 'DACH'`],
    [
      "compare 2023 and 2024 revenue by quarter",
      `SELECT 'Q' || quarter(order_date), year(order_date), ${SUM} FROM sales WHERE year(order_date) IN (2023, 2024) GROUP BY 1, 2 ORDER BY 1, 2`,
    ],
    [
      "revenue by region, 2023 vs 2024",
      `SELECT region, year(order_date), ${SUM} FROM sales WHERE year(order_date) IN (2023, 2024) GROUP BY 1, 2 ORDER BY 1, 2`,
    ],
    [
      "top 5 customers by revenue",
      `SELECT concat(c.customer_name, ' (', c.customer_id, ')'), ${SUM} FROM ${S} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5`,
    ],
    [
      "which product sold most in 2025",
      `SELECT p.product_name, ${SUM} FROM ${S} WHERE year(order_date) = 2025 GROUP BY 1 ORDER BY 2 DESC, 1`,
    ],
    [
      "which customer bought the least in 2025?",
      `SELECT concat(c.customer_name, ' (', c.customer_id, ')'), ${SUM} FROM ${S} WHERE year(order_date) = 2025 GROUP BY 1 ORDER BY 2, 1 LIMIT 10`,
    ],
    [
      "revenue per region in Q3 2025",
      `SELECT region, ${SUM} FROM sales WHERE order_date BETWEEN '2025-07-01' AND '2025-09-30' GROUP BY 1 ORDER BY 2 DESC, 1`,
    ],
    [
      "revenue by month from March to May 2024",
      `SELECT CAST(date_trunc('month', order_date) AS DATE), ${SUM} FROM sales WHERE order_date BETWEEN '2024-03-01' AND '2024-05-31' GROUP BY 1 ORDER BY 1`,
    ],
    [
      "revenue since July 2025 by channel",
      `SELECT channel, ${SUM} FROM sales WHERE order_date >= '2025-07-01' GROUP BY 1 ORDER BY 2 DESC, 1`,
    ],
    ["revenue last year", `SELECT ${SUM} FROM sales WHERE year(order_date) = 2024`],
    [
      "share of revenue by channel",
      `SELECT channel, round(100 * ${SUM} / (SELECT ${SUM} FROM sales), 1), ${SUM} FROM sales GROUP BY 1 ORDER BY 3 DESC, 1`,
    ],
    [
      "what share of revenue comes from DACH in 2024",
      `SELECT round(100 * sum(revenue_eur) FILTER (WHERE region = 'DACH') / ${SUM}, 1), sum(revenue_eur) FILTER (WHERE region = 'DACH'), ${SUM} FROM sales WHERE year(order_date) = 2024`,
    ],
    [
      "which product grew most from 2023 to 2024",
      `SELECT n, round(100 * (b - a) / a, 1), a, b FROM (SELECT p.product_name AS n, sum(revenue_eur) FILTER (WHERE year(order_date) = 2023) AS a, sum(revenue_eur) FILTER (WHERE year(order_date) = 2024) AS b FROM ${S} GROUP BY 1) ORDER BY 2 DESC, 1`,
    ],
  ])("%s", async (question, sql) => {
    const { statements, unused } = await suggest(question);
    expect(unused).toEqual([]);
    expect(await rowsOf(statements[0]?.sql ?? "")).toEqual(await rowsOf(sql));
  });
});

describe("time in text and numbers is grouped as it stands, in order", () => {
  it.each([
    ["revenue by quarter", "quarterly", "SELECT quarter, sum(revenue) FROM results GROUP BY 1 ORDER BY 1"],
    [
      "revenue in the North in 2025 by quarter",
      "quarterly",
      "SELECT quarter, sum(revenue) FROM results WHERE quarter LIKE '2025%' AND region = 'North' GROUP BY 1 ORDER BY 1",
    ],
    [
      "revenue by region in Q3 2024",
      "quarterly",
      "SELECT region, sum(revenue) FROM results WHERE quarter = '2024-Q3' GROUP BY 1 ORDER BY 2 DESC, 1",
    ],
    [
      "revenue by year",
      "quarterly",
      "SELECT CAST(left(quarter, 4) AS INTEGER), sum(revenue) FROM results GROUP BY 1 ORDER BY 1",
    ],
    [
      "compare 2024 and 2025 revenue by quarter",
      "quarterly",
      "SELECT right(quarter, 2), CAST(left(quarter, 4) AS INTEGER), sum(revenue) FROM results GROUP BY 1, 2 ORDER BY 1, 2",
    ],
    [
      "cost by month in 2025",
      "monthly",
      "SELECT month, sum(cost) FROM results WHERE month LIKE '2025%' GROUP BY 1 ORDER BY 1",
    ],
    [
      "cost by quarter of A1",
      "monthly",
      "SELECT left(month, 4) || '-Q' || ((CAST(right(month, 2) AS INTEGER) + 2) // 3), sum(cost) FROM results WHERE team = 'A1' GROUP BY 1 ORDER BY 1",
    ],
    [
      "visitors in Norway by year",
      "yearly",
      "SELECT year, sum(visitors_total) FROM results WHERE country = 'Norway' GROUP BY 1 ORDER BY 1",
    ],
    [
      "visitors by country since 2023",
      "yearly",
      "SELECT country, sum(visitors_total) FROM results WHERE year >= 2023 GROUP BY 1 ORDER BY 2 DESC, 1",
    ],
  ])("%s in %s", async (question, collection, sql) => {
    const { statements, unused } = await suggest(question, collection);
    expect(unused).toEqual([]);
    expect(await rowsOf(statements[0]?.sql ?? "", collection)).toEqual(await rowsOf(sql, collection));
  });

  it("says what the column cannot tell", async () => {
    expect((await suggest("revenue by month", "quarterly")).unused).toEqual([
      "Not used: by month: quarter has no part finer than the quarter.",
    ]);
    expect((await suggest("revenue in May 2024", "quarterly")).unused).toEqual([
      'Not used: filter "May 2024": quarter does not tell it.',
    ]);
  });
});

describe("what a question says and no statement does is said", () => {
  it.each([
    ["revenue of Ghent", ['Not used: filter "Ghent": no column has that value.']],
    ["revenue in bolivia by region", ['Not used: filter "bolivia": no column has that value.']],
    ['sales of "Deep Sea" in 2024', ['Not used: filter "Deep Sea": no column has that value.']],
    ["Bolivia revenue", ['Not used: no rule reads "Bolivia".']],
    ["revenue of Sonde", ['Not used: filter "Sonde": it may be Sonde 3 probe, Sonde 4 probe.']],
    ["profit by region", ['Not used: figure "profit": no column has that name.']],
    [
      "how many zebras were sold per region",
      ['Not used: "how many": no table or column is named by what follows.'],
    ],
    ["sales by colour", ['Not used: group "colour": no column or table has that name.']],
    ["revenue by product over 500", ['Not used: "over 500": no rule reads a bound on a figure.']],
    ["revenue past 3 months", ['Not used: "past 3 months": say the dates, such as 2025 or March 2025.']],
    ["list price of products in 2024", ['Not used: filter "2024": the data has no dates.']],
  ])("%s", async (question, unused) => {
    expect((await suggest(question)).unused).toEqual(unused);
  });

  it("says what rows do not lead to", async () => {
    expect((await suggest("customers per channel")).unused).toEqual([]);
    expect((await suggest("average list price by channel")).unused).toContain(
      'Not used: figure "price": rows of sales do not have it.',
    );
  });

  it("says that a name may be that of several", async () => {
    expect((await suggest("revenue of Acme North")).notes).toEqual([
      "customer_name does not tell customers apart: a name may stand for several.",
    ]);
  });

  it("names the range of the data where a question goes beyond it", async () => {
    expect(await suggest("revenue in 2021")).toEqual({
      statements: [],
      unused: ["Not used: order_date in 2021: no row has it."],
      notes: ["The data covers 2023-01-01 to 2025-09-29."],
    });
    const partly = await suggest("revenue in 2025");
    expect(partly.notes).toEqual(["The data covers 2023-01-01 to 2025-09-29."]);
    expect(partly.statements[0]?.rows).toMatch(/^order_date in 2025; \d+ of 600 rows$/);
    expect((await suggest("revenue in 2030", "quarterly")).notes).toEqual([
      "The data covers 2024-Q1 to 2025-Q4.",
    ]);
  });
});

it("two years by quarter are columns side by side", async () => {
  const { statements } = await suggest("compare 2023 and 2024 revenue by quarter");
  const result = await sourceOf("shop").query(statements[0]?.sql ?? "", { signal });
  const { chart } = chooseChart(result);
  expect(chart).toMatchObject({ kind: "column", series: [{ label: "2023" }, { label: "2024" }] });
  expect(chart.stacked).toBeUndefined();
});

describe("hostile questions", () => {
  const words = [
    "revenue",
    "sales",
    "'; DROP TABLE sales; --",
    "' OR 1=1 --",
    '"Foresight',
    "Foresight'",
    "O'Brien & Sons",
    "by",
    "\u0000",
    "$1",
    "/*",
    "*/",
    "UNION SELECT",
    "region",
    "in",
    "2024",
    "$(sleep 9)",
    "DACH'; SELECT 1",
  ];
  const question = fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: "binary", maxLength: 12 })), {
      maxLength: 9,
    })
    .map((parts) => parts.join(" "));

  it("every literal is a value of the data or a date, whatever is asked, and the statements run", async () => {
    const source = sourceOf("shop");
    const values = new Set((await source.values({ signal })).flatMap((column) => column.values));
    await fc.assert(
      fc.asyncProperty(question, async (text) => {
        for (const { sql } of (await suggestStatements(source, text, { signal, today })).statements) {
          const literals = [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, inside = ""]) =>
            inside.replaceAll("''", "'"),
          );
          for (const literal of literals)
            expect(
              values.has(literal) || /^(\d{4}-\d\d-\d\d|day|week|month|quarter|year|Q|%b)$/.test(literal),
            ).toBe(true);
          expect((await source.query(sql, { signal })).sql).toBe(sql);
        }
      }),
      { numRuns: 60 },
    );
    expect(await rowsOf("SELECT count(*) FROM sales")).toEqual([[600]]);
  }, 60_000);

  it("a question as long as a book is answered from its beginning", async () => {
    const { statements } = await suggest(`revenue by region ${"Foresight DACH 2024 ".repeat(20_000)}`);
    expect(statements.length).toBeGreaterThan(0);
    for (const filler of [" ", "'", '"', "a", "Q1 ", "2024-"]) {
      const long = await suggest(`revenue ${filler.repeat(100_000)}`);
      for (const { sql, title } of long.statements) {
        expect(sql.length).toBeLessThan(5_000);
        expect(title.length).toBeLessThanOrEqual(120);
      }
    }
  }, 60_000);
});

it("says that there is no such measure, and which of two columns a value was taken for", async () => {
  expect((await suggest("revenue by team", "monthly")).unused).toEqual([
    'Not used: figure "revenue": no column has that name.',
  ]);
  const { notes } = await suggest("how many visits by Foresight", "twice");
  expect(notes).toEqual(['"Foresight" is taken for visits.campaign; it is in products.title too.']);
});
