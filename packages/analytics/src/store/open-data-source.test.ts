import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isTroupeError, silentLog, systemClock } from "@troupe/core";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ingestCsv } from "../ingest/ingest-csv.ts";
import { dataSourceContract } from "../testing/data-source-contract.ts";
import type { DataSource } from "../types/data-source.ts";
import { openDataSource } from "./open-data-source.ts";

const signal = new AbortController().signal;
let home = "";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "troupe-data-"));
  const regions = ["north", "south", "east"];
  const rows = Array.from({ length: 5_000 }, (_, i) => {
    const day = new Date(Date.UTC(2024, 0, 1 + (i % 700))).toISOString().slice(0, 10);
    return `${i},${(i * 1.5).toFixed(2)},${regions[i % 3]},${day}`;
  });
  await writeFile(join(home, "sales.csv"), `id,amount,region,d\n${rows.join("\n")}\n`);
  await ingestCsv({ home, collection: "shop", paths: [join(home, "sales.csv")], log: silentLog });
});

afterAll(() => rm(home, { recursive: true, force: true }));

const open = (limits = {}): Promise<DataSource> =>
  openDataSource({ home, collection: "shop", clock: systemClock, log: silentLog, limits });

dataSourceContract("DuckDB in a child process", () => open());

describe("a collection in a child process", () => {
  it("names the collections there are when one is unknown", async () => {
    await expect(
      openDataSource({ home, collection: "shopp", clock: systemClock, log: silentLog }),
    ).rejects.toMatchObject({
      code: "input.not-found",
      message: expect.stringContaining('Did you mean "shop"'),
    });
  });

  it("refuses a collection name that is a path", async () => {
    await expect(
      openDataSource({ home, collection: "../shop", clock: systemClock, log: silentLog }),
    ).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("sees the tables of a later ingest, and old results stay readable", async () => {
    const source = await open();
    const before = await source.query("SELECT count(*) AS n FROM sales", { signal });
    await writeFile(join(home, "shops.csv"), "name,city\nA,Oslo\nB,Bergen\n");
    await ingestCsv({ home, collection: "shop", paths: [join(home, "shops.csv")], log: silentLog });
    const after = await source.query("SELECT count(*) AS n FROM shops", { signal });
    expect(after.rows).toEqual([[2]]);
    expect(after.source).toBe("shops.csv");
    expect(source.result(before.id)?.rows).toEqual([[5_000]]);
    await source.close();
  });

  it("interrupts a statement at the time limit and serves the next", async () => {
    const source = await open({ timeoutMs: 300 });
    await expect(
      source.query("SELECT product(range) FROM range(1, 100000000000)", { signal }),
    ).rejects.toMatchObject({ code: "query.timeout" });
    await source.close();
    const next = await open();
    expect((await next.query("SELECT 1 AS one", { signal })).rows).toEqual([[1]]);
    await next.close();
  });

  it("gives no total where counting met the time limit", async () => {
    const source = await open({ timeoutMs: 1_000 });
    const result = await source.query("SELECT * FROM range(500000000000)", { signal, maxRows: 10 });
    expect(result).toMatchObject({ truncated: true, total: null });
    expect(result.rows).toHaveLength(10);
    await source.close();
  });

  it("ends a running statement when the caller cancels", async () => {
    const source = await open();
    await source.query("SELECT 1", { signal });
    const controller = new AbortController();
    const query = source.query("SELECT product(range) FROM range(1, 100000000000)", {
      signal: controller.signal,
    });
    setImmediate(() => controller.abort(new Error("canceled by the caller")));
    await expect(query).rejects.toThrow("canceled by the caller");
    expect((await source.query("SELECT 1 AS one", { signal })).rows).toEqual([[1]]);
    await source.close();
  });

  it("carries at most the bytes allowed, and counts the rest", async () => {
    const source = await open({ maxBytes: 10_000 });
    const result = await source.query("SELECT repeat('x', 1000) AS s FROM range(5000)", {
      signal,
      maxRows: 5_000,
    });
    expect(result.rows.length).toBeLessThan(20);
    expect(result).toMatchObject({ truncated: true, total: 5_000 });
    await source.close();
  });

  it("keeps exact digits a double would lose", async () => {
    const source = await open();
    const result = await source.query(
      "SELECT 9007199254740993::BIGINT AS a, 12345678901234567.89::DECIMAL(19,2) AS b, 0.1::DECIMAL(3,1) AS c",
      { signal },
    );
    expect(result.rows).toEqual([["9007199254740993", "12345678901234567.89", 0.1]]);
    await source.close();
  });

  it("answers any text with rows or a query error, and goes on", async () => {
    const source = await open();
    const words =
      "select * from sales ( ) , ' \" where -- /* ; $1 ? 1 union with a as lambda x: :: \0 \ud800".split(" ");
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(" ")),
    );
    const outcome = (sql: string): Promise<string> =>
      source.query(sql, { signal }).then(
        () => "rows",
        (error: unknown) => (isTroupeError(error) ? error.code : String(error)),
      );
    await fc.assert(
      fc.asyncProperty(text, async (sql) => {
        expect(await outcome(sql)).toMatch(/^(rows|query\.(denied|invalid|unknown-name))$/);
      }),
    );
    await source.close();
  });

  it("refuses after close", async () => {
    const source = await open();
    await source.close();
    await expect(source.query("SELECT 1", { signal })).rejects.toMatchObject({ code: "query.engine" });
  });
});
