import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { call, resultIdOf, serveShop, type Shop } from "./fixtures/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await serveShop();
});
afterAll(() => shop.close());

describe("over MCP", () => {
  it("gives an overview of a collection as a resource too", async () => {
    const uri = "troupe-data://overview?collection=shop";
    const client = await shop.connect();
    expect((await client.listResources()).resources).toContainEqual(expect.objectContaining({ uri }));
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([
      {
        uri,
        mimeType: "text/plain",
        text: expect.stringContaining("- sales (900 rows): order_id BIGINT, order_date DATE 2024-01-01 to"),
      },
    ]);
  });

  it("describes one table with its key, its joins and all of its few values", async () => {
    const client = await shop.connect();
    const whole = await call(client, "describe_data", {}, "shop");
    expect(whole.text).toContain("Joins by name: sales.product_id = products.product_id");
    const { text, structuredContent } = await call(client, "describe_data", { table: "Products" }, "shop");
    expect(text).toContain("Unique in every row: product_id, name");
    expect(text).toContain('All values of name: "Product 1", "Product 10"');
    expect(text).toContain("Joins:\n- sales.product_id = products.product_id");
    expect(text).not.toContain("Table sales");
    expect(structuredContent?.data?.["tables"]).toHaveLength(1);
    expect(await call(client, "describe_data", { table: "product" }, "shop")).toMatchObject({
      isError: true,
      text: 'table: there is no table "product". Nearest: products.',
    });
  });

  it("describes the tables that have a word in a name or a value", async () => {
    const client = await shop.connect();
    const bySample = await call(client, "describe_data", { search: "north" }, "shop");
    expect(bySample.text).toMatch(/^Collection shop: 1 table\.[^]*Table sales/);
    expect(await call(client, "describe_data", { search: "revenu_" }, "shop")).toMatchObject({
      isError: true,
      text: expect.stringContaining(
        'search: no table, column or sample value has "revenu_". Nearest: revenue.',
      ),
    });
  });

  it("reads on in a result, and gives a bigger one on request", async () => {
    const client = await shop.connect();
    const sql = "SELECT order_id FROM sales ORDER BY order_id";
    const first = await call(client, "query_db", { sql, collection: "shop" });
    const id = resultIdOf(first);
    expect(first.text).toMatch(/\n40\nThe first 40 rows are shown\. More with result_id and offset 40\./);
    expect(first.text).toMatch(/\nSQL: SELECT order_id FROM sales ORDER BY order_id$/);
    const next = await call(client, "query_db", { result_id: id, offset: 40 });
    expect(next.text).toMatch(new RegExp(`^${id}: 900 rows from sales\\.csv\\norder_id\\n41\\n`));
    expect(next.text).toContain("Rows 41 to 80 are shown. More with result_id and offset 80.");
    expect(next.text).toContain(`SQL: ${sql}`);
    expect(next.structuredContent?.tables).toMatchObject([{ id, total: 900, rows: { length: 40 } }]);
    const big = await call(client, "query_db", { result_id: id, limit: 500 });
    expect(big.structuredContent?.tables?.[0]?.rows).toHaveLength(500);
    expect(big.text).toContain("The first 500 rows are shown. More with result_id and offset 500.");
    const last = await call(client, "query_db", { sql, offset: 890, collection: "shop" });
    expect(last.text).toContain("Rows 891 to 900 are shown. Do not add them up");
  });

  it("keeps as many rows as were asked for, and says how to read what it does not keep", async () => {
    const client = await shop.connect();
    const sql = "SELECT range AS n FROM range(4000)";
    const few = await call(client, "query_db", { sql, collection: "shop" });
    expect(await call(client, "query_db", { result_id: resultIdOf(few), offset: 1000 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^offset: result-\w+ keeps 1000 rows, so offset is at most 999\. For later rows run its statement with ORDER BY, LIMIT and OFFSET\.$/,
      ),
    });
    const more = await call(client, "query_db", { sql, offset: 2_900, limit: 100, collection: "shop" });
    expect(more.text).toContain("\n2999\nRows 2901 to 3000 are shown.");
    expect(await call(client, "query_db", { collection: "shop" })).toMatchObject({
      isError: true,
      text: expect.stringContaining('sql: give one SELECT, such as sql: "SELECT count(*) AS n FROM sales"'),
    });
  });

  it("names the table and the join of a column that the statement does not read", async () => {
    const reply = await call(await shop.connect(), "query_db", {
      sql: "SELECT name, sum(revenue) FROM sales GROUP BY name",
      collection: "shop",
    });
    expect(reply.text).toContain(
      "name is in products; join on product_id (sales.product_id = products.product_id).",
    );
  });

  it("draws the columns that are named, refuses rows that are not unique, and names what it leaves out", async () => {
    const client = await shop.connect();
    const sql =
      "SELECT region, order_date, sum(revenue) AS revenue_eur, count(*) AS orders FROM sales WHERE month(order_date) < 5 GROUP BY ALL";
    const id = resultIdOf(await call(client, "query_db", { sql }, "shop"));
    const wish = { result_id: id, x: "region", y: ["revenue_eur"] };
    expect(await call(client, "visualize", wish)).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^Rows are not unique by region: "\w+" has 2 rows\. They are unique by region, order_date\. Give series: "order_date", or aggregate in SQL/,
      ),
    });
    const chart = await call(client, "visualize", {
      ...wish,
      series: "order_date",
      stacked: true,
      sort: "x",
      highlight: ["north"],
      decimals: 1,
    });
    const [spec] = chart.structuredContent?.charts ?? [];
    expect(spec).toMatchObject({ kind: "column", stacked: true, highlight: ["North"] });
    expect(spec?.rows.map(({ x }) => x)).toEqual(["East", "North", "South"]);
    expect(spec?.series[0]).toMatchObject({ unit: "EUR", decimals: 1 });
    expect(chart.text).toContain("Columns not drawn: orders.");
    expect(await call(client, "visualize", { ...wish, y: ["revenue"] })).toMatchObject({
      isError: true,
      text: expect.stringContaining('has no column "revenue". Nearest: "revenue_eur".'),
    });
  });
});
