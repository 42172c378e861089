import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock } from "@troupe/core";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ingestCsv } from "../ingest/ingest-csv.ts";
import { openDataSourceIn } from "../store/open-data-source.ts";
import type { DataSource } from "../types/data-source.ts";
import type { Cell, QueryResult } from "../types/result.ts";
import type { DataSchema } from "../types/schema.ts";
import { readIntent } from "./query-intent.ts";
import { tokensOf } from "./tokens.ts";
import { questionToSql, type QuestionSql } from "./question-to-sql.ts";
import { profileResult } from "../profile/profile-result.ts";
import { startInProcess } from "../testing/start-in-process.ts";

const signal = new AbortController().signal;
let home = "";
const sources = new Map<string, DataSource>();
const schemas = new Map<string, DataSchema>();

const csv = (header: string, rows: readonly (readonly Cell[])[]): string =>
  `${header}\n${rows.map((row) => row.map((cell) => String(cell ?? "")).join(",")).join("\n")}\n`;
const day = (i: number): string => new Date(Date.UTC(2023, 0, 1 + i)).toISOString().slice(0, 10);
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Three ways in which people keep sales: a star, invoices with lines, one wide table of its own words. */
const COLLECTIONS: { readonly [name: string]: { readonly [file: string]: string } } = {
  star: {
    "sales.csv": csv(
      "order_line_id,order_date,customer_id,product_id,quantity,unit_price_eur,revenue_eur,region",
      times(2_190, (i) => [
        `S-${i}`,
        day(i % 1_095),
        (i % 40) + 1,
        (i % 12) + 1,
        (i % 5) + 1,
        10,
        ((i % 5) + 1) * 10,
        ["Nordics", "DACH"][i % 2] ?? "",
      ]),
    ),
    "customers.csv": csv(
      "customer_id,customer_name,segment,customer_since",
      times(40, (i) => [i + 1, `Customer ${i}`, ["Utility", "Industry"][i % 2] ?? "", 2000 + (i % 20)]),
    ),
    "products.csv": csv(
      "product_id,product_name,family",
      times(12, (i) => [i + 1, `Product ${i}`, ["Probes", "Service"][i % 2] ?? ""]),
    ),
  },
  invoices: {
    "Invoice.csv": csv(
      "InvoiceId,CustomerId,InvoiceDate,BillingCountry,Total",
      times(400, (i) => [i + 1, (i % 20) + 1, `${day(i * 4)} 00:00:00`, ["Norway", "Chile"][i % 2] ?? "", 6]),
    ),
    "InvoiceLine.csv": csv(
      "InvoiceLineId,InvoiceId,TrackId,UnitPrice,Quantity",
      times(1_200, (i) => [i + 1, (i % 400) + 1, (i % 60) + 1, "1.00", 2]),
    ),
    "Track.csv": csv(
      "TrackId,Name,GenreId,Milliseconds",
      times(60, (i) => [i + 1, `Track ${i}`, (i % 3) + 1, 1000 + i]),
    ),
    "Genre.csv": csv("GenreId,Name", [
      [1, "Rock"],
      [2, "Jazz"],
      [3, "Pop"],
    ]),
    "Customer.csv": csv(
      "CustomerId,FirstName,LastName,Country",
      times(20, (i) => [i + 1, `F${i}`, `L${i}`, ["Norway", "Chile"][i % 2] ?? ""]),
    ),
  },
  wide: {
    "umsatz_2024.csv": csv(
      'Datum,Filiale,Artikelgruppe,Umsatz,"Menge, Stück"',
      times(730, (i) => [
        day(i),
        ["Berlin", "Hamburg", "Köln"][i % 3] ?? "",
        ["A", "B"][i % 2] ?? "",
        (i % 9) + 1,
        1,
      ]),
    ),
  },
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "troupe-question-"));
  for (const [collection, files] of Object.entries(COLLECTIONS)) {
    const folder = join(home, collection);
    await mkdir(folder);
    const paths: string[] = [];
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      await writeFile(path, text);
      paths.push(path);
    }
    await ingestCsv({ home, collection, paths, log: silentLog });
    const source = await openDataSourceIn(startInProcess, {
      home,
      collection,
      clock: systemClock,
      log: silentLog,
    });
    sources.set(collection, source);
    schemas.set(collection, await source.schema());
  }
}, 60_000);

afterAll(async () => {
  await Promise.all([...sources.values()].map((source) => source.close()));
  await rm(home, { recursive: true, force: true });
});

function ask(collection: string, question: string): readonly QuestionSql[] {
  const schema = schemas.get(collection);
  return schema === undefined ? [] : questionToSql(question, schema).statements;
}

async function run(collection: string, statement: QuestionSql | undefined): Promise<QueryResult> {
  const source = sources.get(collection);
  if (source === undefined || statement === undefined) throw new Error("nothing to run");
  return source.query(statement.sql, { signal });
}

/** Without the years a total is of, which one test looks at. */
const titles = (statements: readonly QuestionSql[]): readonly string[] =>
  statements.map(({ title }) => title.replace(/, \d{4}( to \d{4})?$/, ""));

it("takes no word for a unit of time or a number that only an object has", () => {
  expect(readIntent(tokensOf("constructor by constructor, top constructor"))).toMatchObject({
    grain: undefined,
    top: 10,
    by: ["constructor"],
  });
});

describe("a star of sales, customers and products", () => {
  it("sales figures: over time, by region, top products", async () => {
    const statements = ask("star", "Create a presentation about the AI strategy, with its sales figures");
    expect(titles(statements)).toEqual([
      "Revenue by quarter",
      "Revenue by region in 2025",
      "Top 10 products by revenue in 2025",
    ]);
    const [quarters, regions, products] = await Promise.all(statements.map((one) => run("star", one)));
    expect(quarters?.rows).toHaveLength(12);
    expect(regions?.rows).toEqual([
      ["DACH", 10_940],
      ["Nordics", 10_940],
    ]);
    expect(products?.rows).toHaveLength(10);
  });

  it.each([
    ["revenue by quarter/region/product", ["Revenue by quarter", "Revenue by region", "Revenue by product"]],
    ["revenue by region and quarter", ["Revenue by quarter and region"]],
    ["top 5 customers", ["Top 5 customers by revenue"]],
    ["Which segments buy most?", ["Revenue by segment"]],
    ["growth", ["Revenue by quarter", "Growth of revenue by year"]],
    ["monthly revenue in 2024", ["Revenue by month in 2024"]],
    ["average unit price per family", ["Average unit price by family"]],
    ["number of sales per region", ["Number of sales by region"]],
    ["what is the meaning of life", []],
    ["", []],
  ])("%s", async (question, expected) => {
    const statements = ask("star", question);
    expect(titles(statements)).toEqual(expected);
    for (const statement of statements) expect((await run("star", statement)).rows.length).toBeGreaterThan(0);
  });

  it("joins lose no row", async () => {
    const byFamily = await run("star", ask("star", "revenue by family")[0]);
    expect(byFamily.rows.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(65_700);
  });
});

describe("invoices with lines, keys in capitals", () => {
  it("takes totals of invoices where they are enough", async () => {
    const [statement] = ask("invoices", "top customers");
    expect(statement?.title).toMatch(/^Top 10 customers by total, \d{4} to \d{4}$/);
    expect((await run("invoices", statement)).rows).toHaveLength(10);
  });

  it("takes lines, price times quantity, where the question leads there", async () => {
    const [statement] = ask("invoices", "revenue by genre");
    const result = await run("invoices", statement);
    expect(statement?.title).toMatch(/^Revenue by genre, \d{4} to \d{4}$/);
    expect(result.rows).toEqual([
      ["Jazz", 800],
      ["Pop", 800],
      ["Rock", 800],
    ]);
  });

  it("shows whole periods only, and says so", () => {
    const [statement] = ask("invoices", "sales per quarter");
    expect(statement?.note).toMatch(/^Only whole quarters: data ends on 2027-/);
    expect(statement?.sql).toContain("< DATE");
    expect(statement?.partial).toEqual([]);
  });

  it.each([
    ["sales per month in 2027", "2027-05 is no whole month: data ends on 2027-05-16.", ["2027-05-01"]],
    ["sales per quarter since 2026", "Q2 2027 is no whole quarter: data ends on 2027-05-16.", ["2027-04-01"]],
    ["compare sales in 2026 and 2027", "2027 is no whole year: data ends on 2027-05-16.", ["2027-01-01"]],
    ["sales per quarter in 2026", undefined, []],
    ["sales per day in May 2027", undefined, []],
    ["sales in March by year", undefined, []],
  ])("names the periods that are not whole where a time is named: %s", (question, note, partial) => {
    expect(ask("invoices", question)[0]).toMatchObject({ note, partial });
  });

  it("compares no period that is not whole", async () => {
    const [statement] = ask("invoices", "sales per month in 2027");
    const result = await run("invoices", statement);
    expect(result.rows).toHaveLength(5);
    const said = profileResult(result, statement?.partial).findings.map(({ text }) => text);
    expect(said[0]).toMatch(/ from 2027-01 to 2027-04/);
    expect(said.join()).not.toContain("2027-05");
  });
});

describe("one wide table in another language", () => {
  it("finds date, measure and categories by their types", async () => {
    const statements = ask("wide", "Umsatz overview");
    expect(titles(statements)).toEqual(["Umsatz by month", "Umsatz by artikelgruppe in 2024"]);
    expect((await run("wide", statements[0])).rows).toHaveLength(24);
  });

  it("groups by a column the question names", async () => {
    const [statement] = ask("wide", "Umsatz by Filiale");
    expect((await run("wide", statement)).columns.map((column) => column.name)).toEqual([
      "filiale",
      "umsatz",
    ]);
  });
});

it("whatever is asked, the statements run", async () => {
  const words =
    "sales revenue by per top 3 growth region product customer quarter month year 2024 and genre figures of unit price".split(
      " ",
    );
  const question = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 })
    .map((list) => list.join(" "));
  await fc.assert(
    fc.asyncProperty(question, fc.constantFrom("star", "invoices", "wide"), async (text, collection) => {
      for (const statement of ask(collection, text)) {
        expect((await run(collection, statement)).sql).toBe(statement.sql);
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);
