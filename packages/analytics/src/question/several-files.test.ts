import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock } from "@troupe/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ingestCsv } from "../ingest/ingest-csv.ts";
import { openDataSource } from "../store/open-data-source.ts";
import type { DataSource } from "../types/data-source.ts";
import type { Cell } from "../types/result.ts";
import { suggestStatements } from "./suggest-statements.ts";

const signal = new AbortController().signal;
let home = "";
const opened = new Map<string, DataSource>();

/** Each collection of files, by their text. */
const COLLECTIONS: { readonly [name: string]: { readonly [file: string]: string } } = {
  yearly: {
    "sales_2023.csv": "date,region,revenue\n2023-01-01,North,10\n2023-09-01,South,20\n",
    "sales_2024.csv": "date,region,revenue\n2024-03-01,North,30.5\n2024-09-01,East,40\n",
    "sales_2025.csv": "Date,Region,Revenue,Note\n2025-03-01,North,50,x\n2025-12-31,South,60,y\n",
  },
  undated: {
    "budget 2024.csv": "department,amount\nLab,100\nField,200\n",
    "budget 2025.csv": "department,amount\nLab,150\nField,250\n",
  },
  regions: {
    "sales_dach.csv": "date,product,revenue\n2024-01-01,A,1\n2024-02-01,B,2\n",
    "sales_nordics.csv": "date,product,revenue\n2024-01-01,A,3\n2024-02-01,B,4\n",
  },
  editions: {
    "orders_2024.csv": "date,product,revenue\n2024-01-01,A,1\n2024-12-01,B,2\n",
    "orders_2025.csv": "date,product,revenue\n2024-01-01,A,1\n2025-12-01,B,2\n",
  },
  money: {
    "orders.csv":
      'date,product,quantity,revenue\n2024-01-01,A,1,"€1,234"\n2024-02-01,B,2,€20\n2024-03-01,A,4,-€4\n',
  },
  signs: {
    "orders.csv":
      'date,product,quantity,revenue\n2024-01-01,A,1,"€1,234"\n2024-02-01,B,2,$20\n2024-03-01,A,4,€4\n',
  },
  german: {
    "umsatz.csv":
      "Datum;Land;Menge;Umsatz\n05.01.2024;DE;1;1.234,50 EUR\n06.02.2024;AT;2;10,25 EUR\nSumme;;3;1.244,75 EUR\n",
  },
  currencies: {
    "bills.csv": `date,team,amount,currency,active\n${Array.from({ length: 12 }, (_, i) => `2024-${String(i + 1).padStart(2, "0")}-01,${i % 2 ? "A" : "B"},${i},${i % 3 ? "EUR" : "USD"},${i % 4 ? "yes" : "no"}`).join("\n")}\n`,
  },
  tickets: {
    "tickets.csv":
      "id,opened_at,closed_at,team,team\n1,2024-01-01,2025-01-02,A,x\n2,2024-05-01,,B,y\n3,2025-02-01,2025-03-01,A,x\n",
  },
  readings: { "readings.csv": "station,unit,value\nA,mg/l,3\nA,pH,7\nB,mg/l,5\n" },
  twice: { "sales.csv": "date,region,revenue_eur,revenue_usd\n2024-01-01,N,1,2\n2024-02-01,S,3,4\n" },
  maybe: { "regions.csv": "region,revenue\nNorth,1\nSouth,2\nTotal,9\n" },
  losses: {
    "result.csv":
      "date,unit,revenue\n2023-01-01,A,-10\n2023-12-31,B,20\n2024-01-01,A,10\n2024-12-31,B,30\n2024-12-31,C,1\n",
  },
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "troupe-files-"));
  for (const [collection, files] of Object.entries(COLLECTIONS)) {
    const paths: string[] = [];
    for (const [name, text] of Object.entries(files)) {
      paths.push(join(home, name));
      await writeFile(join(home, name), text);
    }
    await ingestCsv({ home, collection, paths, log: silentLog });
    opened.set(collection, await openDataSource({ home, collection, clock: systemClock, log: silentLog }));
  }
}, 60_000);

afterAll(async () => {
  await Promise.all([...opened.values()].map((source) => source.close()));
  await rm(home, { recursive: true, force: true });
});

interface Told {
  readonly rows: readonly (readonly Cell[])[] | undefined;
  readonly unused: string;
  readonly notes: string;
}

async function ask(collection: string, question: string): Promise<Told> {
  const source = opened.get(collection);
  if (source === undefined) throw new Error(`no collection ${collection}`);
  const { statements, unused, notes } = await suggestStatements(source, question, {
    signal,
    today: "2026-01-15",
  });
  const [first] = statements;
  const rows = first === undefined ? undefined : (await source.query(first.sql, { signal })).rows;
  return { rows, unused: unused.join(" "), notes: notes.join(" ") };
}

describe("files of one shape", () => {
  it.each([
    ["yearly", "total revenue", [[210.5]]],
    [
      "yearly",
      "revenue by region in 2024",
      [
        ["East", 40],
        ["North", 30.5],
      ],
    ],
    ["yearly", "revenue growth from 2023 to 2025", [[266.7, 30, 110]]],
    ["yearly", "revenue of East", [[40]]],
    ["undated", "amount in 2025", [[400]]],
    [
      "undated",
      "amount by department in 2024",
      [
        ["Field", 200],
        ["Lab", 100],
      ],
    ],
  ])("of %s are read together: %s", async (collection, question, rows) => {
    const told = await ask(collection, question);
    expect(told.unused).toBe("");
    expect(told.rows).toEqual(rows);
  });

  it("are named where one alone is read", async () => {
    expect((await ask("regions", "total revenue")).unused).toMatch(
      /^Not used: sales_\w+\.csv: it has the columns of sales_\w+\.csv, which alone was read\.$/,
    );
    expect((await ask("editions", "total revenue")).unused).toContain("which alone was read");
    expect((await ask("yearly", "revenue by note")).unused).toContain('group "note"');
  });
});

describe("money", () => {
  it("with its currency in the cell is a figure", async () => {
    expect(await ask("money", "total revenue")).toMatchObject({ rows: [[1250]], unused: "" });
    expect(await ask("german", "Umsatz in 2024")).toMatchObject({ rows: [[1244.75]], unused: "" });
  });

  it("of several currencies in the cells is refused, and no quantity told for it", async () => {
    const { rows, unused } = await ask("signs", "What was revenue in 2024?");
    expect(rows).toBeUndefined();
    expect(unused).toMatch(/^Not used: figure "revenue": revenue of orders\.csv is text, such as/);
    expect((await ask("signs", "quantity by product")).rows).toEqual([
      ["A", 5],
      ["B", 2],
    ]);
  });

  it("of several currencies is told for each, or refused", async () => {
    expect((await ask("currencies", "total amount")).rows).toEqual([
      ["EUR", 48],
      ["USD", 18],
    ]);
    expect((await ask("currencies", "amount in EUR by team")).unused).toBe("");
    const { rows, unused } = await ask("currencies", "amount by team");
    expect(rows).toBeUndefined();
    expect(unused).toMatch(/^Not used: one figure over several units/);
    expect((await ask("currencies", "how many bills by team")).unused).toBe("");
  });
});

it("figures of several units are told for each", async () => {
  expect((await ask("readings", "average value")).rows).toEqual([
    ["pH", 7],
    ["mg/l", 4],
  ]);
  expect((await ask("readings", "average value by station")).unused).toContain(
    "over several units (mg/l, pH)",
  );
});

it("says which of two columns of one figure is told", async () => {
  expect(await ask("twice", "total revenue")).toMatchObject({
    rows: [[4]],
    notes: "Told is revenue_eur, not revenue_usd.",
  });
  expect(await ask("twice", "total revenue in USD")).toMatchObject({ rows: [[6]], unused: "", notes: "" });
});

describe("a column of yes and no", () => {
  it.each([
    ["active amount in EUR", 36],
    ["inactive amount in EUR", 12],
    ["amount in EUR of bills that are not active", 12],
  ])("%s", async (question, sum) => {
    expect(await ask("currencies", question)).toMatchObject({ rows: [[sum]], unused: "" });
  });

  it("is a group after by", async () => {
    expect((await ask("currencies", "amount in EUR by active")).rows).toEqual([
      ["yes", 36],
      ["no", 12],
    ]);
  });
});

describe("which date is meant", () => {
  it.each([
    ["how many tickets were opened in 2025", 1, ""],
    ["how many tickets were closed in 2025", 2, ""],
    ["how many closed tickets", 3, 'Not used: no rule reads "closed".'],
  ])("%s", async (question, count, unused) => {
    expect(await ask("tickets", question)).toMatchObject({ rows: [[count]], unused });
  });
});

it("says that a name is that of several columns, and that a row may be a total", async () => {
  expect((await ask("tickets", "how many tickets by team")).notes).toContain("first of several columns");
  expect((await ask("maybe", "revenue by region")).notes).toContain("looks like a total of the others");
});

it("growth from a loss or from nothing is left empty", async () => {
  const { rows, notes } = await ask("losses", "revenue growth by unit from 2023 to 2024");
  expect(rows).toEqual([
    ["B", 50, 20, 30],
    ["A", null, -10, 10],
    ["C", null, null, 1],
  ]);
  expect(notes).toContain("only where the first figure is above zero");
});
