import { describe, expect, it } from "vitest";

import type { DataSource } from "../types/data-source.ts";

const signal = new AbortController().signal;

/**
 * What every `DataSource` keeps. `make` opens one over a table `sales(id, amount, region, d)` of 5,000
 * rows, `amount` and `id` numbers, `region` a text with at least two values, `d` a date.
 */
export function dataSourceContract(name: string, make: () => Promise<DataSource>): void {
  describe(`DataSource contract: ${name}`, () => {
    const using = async (use: (source: DataSource) => Promise<void>): Promise<void> => {
      const source = await make();
      try {
        await use(source);
      } finally {
        await source.close();
      }
    };

    it("lists tables with columns, types and row counts", () =>
      using(async (source) => {
        const sales = (await source.schema()).tables.find((table) => table.name === "sales");
        expect(sales?.rows).toBe(5_000);
        expect(sales?.columns.map((column) => column.name)).toEqual(["id", "amount", "region", "d"]);
        expect(sales?.columns.map((column) => column.role)).toEqual(["id", "measure", "category", "date"]);
      }));

    it("gives columns, rows, total and an id that finds the result again", () =>
      using(async (source) => {
        const sql = "SELECT region, count(*) AS n FROM sales GROUP BY region ORDER BY region";
        const result = await source.query(sql, { signal });
        expect(result.columns.map((column) => column.name)).toEqual(["region", "n"]);
        expect(result.rows.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(5_000);
        expect(result).toMatchObject({ sql, truncated: false, total: result.rows.length });
        expect(source.result(result.id)).toEqual(result);
      }));

    it("says when rows were left out, and how many there are", () =>
      using(async (source) => {
        const result = await source.query("SELECT id FROM sales ORDER BY id", { signal, maxRows: 10 });
        expect(result.rows).toHaveLength(10);
        expect(result).toMatchObject({ truncated: true, total: 5_000 });
      }));

    it("does not call a result of exactly the maximum truncated", () =>
      using(async (source) => {
        const result = await source.query("SELECT id FROM sales LIMIT 10", { signal, maxRows: 10 });
        expect(result).toMatchObject({ truncated: false, total: 10 });
      }));

    it("names the nearest real table and column", () =>
      using(async (source) => {
        await expect(source.query("SELECT * FROM sale", { signal })).rejects.toMatchObject({
          code: "query.unknown-name",
          nearest: ["sales"],
        });
        await expect(source.query("SELECT ammount FROM sales", { signal })).rejects.toMatchObject({
          code: "query.unknown-name",
          nearest: ["amount"],
        });
      }));

    it.each([
      "",
      "-- nothing",
      "DELETE FROM sales",
      "SELECT 1; SELECT 2",
      "CREATE TABLE t AS SELECT 1",
      "SET threads = 1",
    ])("refuses %j", (sql) =>
      using(async (source) => {
        await expect(source.query(sql, { signal })).rejects.toMatchObject({ name: "QueryError" });
        expect((await source.query("SELECT count(*) FROM sales", { signal })).rows).toEqual([[5_000]]);
      }),
    );

    it("stops at once for a signal that has fired", () =>
      using(async (source) => {
        const reason = new Error("stopped");
        await expect(source.query("SELECT 1", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      }));

    it("answers statements asked at the same time each with its own rows", () =>
      using(async (source) => {
        const results = await Promise.all(
          [1, 2, 3, 4].map((n) => source.query(`SELECT ${n} AS n`, { signal })),
        );
        expect(results.map((result) => result.rows)).toEqual([[[1]], [[2]], [[3]], [[4]]]);
        expect(new Set(results.map((result) => result.id)).size).toBe(4);
      }));

    it("lists the values of columns with few different ones", () =>
      using(async (source) => {
        const { rows } = await source.query("SELECT DISTINCT region FROM sales ORDER BY region", { signal });
        const regions = (await source.values({ signal })).find(({ column }) => column === "region");
        expect(regions).toEqual({ table: "sales", column: "region", values: rows.map(([value]) => value) });
      }));

    it("ends statements in flight with a reason when it is closed", async () => {
      const source = await make();
      const asked = [1, 2, 3].map((n) => source.query(`SELECT ${n} AS n`, { signal }));
      const settled = Promise.allSettled(asked);
      await source.close();
      const outcomes = (await settled).map((one) =>
        one.status === "fulfilled" ? "rows" : String(one.reason),
      );
      for (const outcome of outcomes) expect(outcome).toMatch(/^rows$|^QueryError: .* is closed/);
      await expect(source.query("SELECT 1", { signal })).rejects.toMatchObject({ code: "query.engine" });
    });

    it("knows no result it never gave", () =>
      using(async (source) => {
        expect(source.result("result-none")).toBeUndefined();
      }));
  });
}
