import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock } from "@troupe/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ingestCsv } from "../ingest/ingest-csv.ts";
import { startInProcess } from "../testing/start-in-process.ts";
import type { DataSource } from "../types/data-source.ts";
import { describeTable, summarizeSchema } from "./describe-schema.ts";
import { joinsByName, writeJoin } from "./find-joins.ts";
import { openDataSourceIn } from "./open-data-source.ts";

const { signal } = new AbortController();
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at + 1)).join("\n");
const TABLES: { readonly [file: string]: string } = {
  "orders.csv": `order_id,product_id,billing_customer_id,station,gauge_id,amount\n${lines(90, (at) => `${at},${(at % 20) + 1},${(at % 30) + 1},ST-${(at % 4) + 1},${at % 60},${at}.5`)}`,
  "products.csv": `product_id,product_name,launched\n${lines(20, (at) => `${at},Product ${at},${2000 + at}`)}`,
  "customers.csv": `id,name,launched\n${lines(30, (at) => `${at},Customer ${at},${2000 + at}`)}`,
  "sites.csv": `code,town\n${lines(6, (at) => `ST-${at},Town ${at}`)}`,
  "members.csv": `member,town\n${lines(8, (at) => `Member M${at},Town ${at}`)}`,
  "visits.csv": `visit_id,member\n${lines(40, (at) => `${at},${at % 2 === 0}`)}`,
  "gauges.csv": `gauge_id,kind\n${lines(5, (at) => `${at},kind ${at}`)}`,
};

let home: string;
let source: DataSource;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "troupe-joins-"));
  const paths = Object.keys(TABLES).map((name) => join(home, name));
  for (const [name, text] of Object.entries(TABLES)) await writeFile(join(home, name), `${text}\n`);
  await ingestCsv({ home, collection: "shop", paths, log: silentLog });
  source = await openDataSourceIn(startInProcess, {
    home,
    collection: "shop",
    clock: systemClock,
    log: silentLog,
  });
}, 60_000);
afterAll(async () => {
  await source.close();
  await rm(home, { recursive: true, force: true });
});

describe("joins", () => {
  it("are found by names, and confirmed by values", async () => {
    const named = joinsByName(await source.schema()).map(writeJoin);
    expect(named).toContain("orders.gauge_id = gauges.gauge_id");
    const found = (await source.joins({ signal })).map(writeJoin);
    expect(found).toContain("orders.product_id = products.product_id");
    // 4 of 60 values are no join.
    expect(found).not.toContain("orders.gauge_id = gauges.gauge_id");
  });

  it("are never between columns whose types cannot be compared", async () => {
    const found = (await source.joins({ signal })).map(writeJoin);
    expect(found).not.toContain("visits.member = members.member");
  });

  it("are found where a name ends with the table and its key, never for a key called id alone", async () => {
    const found = (await source.joins({ signal })).map(writeJoin);
    expect(found).toContain("orders.billing_customer_id = customers.id");
    expect(found).not.toContain("orders.order_id = customers.id");
  });

  it("are found by values alone where a column is called otherwise", async () => {
    expect((await source.joins({ signal })).map(writeJoin)).toContain("orders.station = sites.code");
  });
});

describe("an unknown column", () => {
  const ask = async (sql: string): Promise<string> =>
    source.query(sql, { signal }).then(
      () => "",
      (error: unknown) => String(error).split("\n")[0] ?? "",
    );

  it("of another table is named with its table and the join", async () => {
    expect(await ask("SELECT product_name, sum(amount) FROM orders GROUP BY 1")).toContain(
      'There is no column "product_name" in the tables of this statement. product_name is in products; join on product_id (orders.product_id = products.product_id).',
    );
    expect(await ask("SELECT o.product_name FROM orders o")).toContain(
      "product_name is in products; join on",
    );
  });

  it("of several other tables is named with all of them", async () => {
    expect(await ask("SELECT launched FROM sites")).toContain("launched is in products and customers.");
  });

  it("that is mistyped is named as before, with the table of the nearest", async () => {
    expect(await ask("SELECT amuont FROM orders")).toMatch(/Nearest: amount\.$/);
    expect(await ask("SELECT product_nme FROM orders")).toMatch(
      /Nearest: product_name.* product_name is in products; join on product_id/,
    );
  });
});

describe("a description", () => {
  it("of one table has its key, its joins and all values where they are few", async () => {
    const { tables } = await source.schema();
    const [values, joins] = [await source.values({ signal }), await source.joins({ signal })];
    const describe = (name: string): string =>
      tables
        .filter((table) => table.name === name)
        .map((table) => describeTable(table, { values, joins }))[0] ?? "";
    expect(describe("sites")).toContain(
      'All values of code: "ST-1", "ST-2", "ST-3", "ST-4", "ST-5", "ST-6"\n',
    );
    expect(describe("sites")).toContain(
      "Unique in every row: code, town\nJoins:\n- orders.station = sites.code",
    );
    expect(describe("gauges")).toMatch(/\nNo column joins another table\.$/);
  });

  it("of many tables keeps to its bound: columns first, then names, then a count", async () => {
    const schema = await source.schema();
    expect(summarizeSchema(schema, 5_000)).toContain("- sites (6 rows): code VARCHAR, town VARCHAR");
    const [table] = schema.tables;
    const many = Array.from({ length: 80 }, () => table).filter((one) => one !== undefined);
    const summary = summarizeSchema({ ...schema, tables: many }, 2_000);
    expect(summary.length).toBeLessThanOrEqual(2_000);
    expect(summary).toMatch(/: .*\n- \w+ \(\d+ rows\)\n.*\n- and \d+ more tables$/s);
  });
});
