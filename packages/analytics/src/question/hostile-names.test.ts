import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { askFiles, type Collections, type FilesToAsk } from "../testing/ask-files.ts";

let files: FilesToAsk;

/** Names and cells that mean something to SQL, to a shell or to a spreadsheet. */
const COLLECTIONS: Collections = {
  quotes: {
    [`sales'; DROP TABLE x; -- "2024".csv`]: `date,"re""gion","reve'nue","a\nb"\n2024-01-01,N,1,x\n2024-02-01,S,2,y\n`,
  },
  keywords: {
    "select.csv": "from,select,group,where\n2024-01-01,1,A,x\n2024-02-01,2,B,x\n",
  },
  injected: {
    "orders.csv": `date,"revenue"") FROM t; DROP TABLE orders; --",region\n2024-01-01,1,N\n2024-02-01,2,"S'; DROP TABLE orders; --"\n2024-03-01,4,"S'; DROP TABLE orders; --"\n`,
  },
  formulas: {
    "=cmd.csv": `date,=SUM(A1),region\n2024-01-01,1,"=HYPERLINK(""x"")"\n2024-02-01,2,+1+2\n2024-03-01,4,@x\n`,
  },
  series: {
    'it\'s "x" 2023.csv': `date,"re""gion",select\n2023-01-01,N,1\n2023-02-01,S,2\n`,
    'it\'s "x" 2024.csv': `date,"RE""GION",SELECT\n2024-01-01,N,3\n2024-02-01,O'Hara,4\n`,
  },
  undated: {
    "a'b 2023-Q1.csv": `"gr""oup",select\nN,1\nS,2\n`,
    "a'b 2023-Q2.csv": `"gr""oup",select\nN,3\nS,4\n`,
  },
  total: { "t.csv": `"a'b","n"""\n1,1\n2,2\nTotal,3\n` },
};

beforeAll(async () => {
  files = await askFiles(COLLECTIONS);
}, 60_000);

afterAll(() => files.close());

describe("names and cells stay data", () => {
  it.each([
    ["quotes", "total nue", [[3]]],
    ["keywords", "total select", [[3]]],
    [
      "keywords",
      "select by group",
      [
        ["B", 2],
        ["A", 1],
      ],
    ],
    [
      "injected",
      "revenue by region",
      [
        ["S'; DROP TABLE orders; --", 6],
        ["N", 1],
      ],
    ],
    ["injected", 'revenue of "S\'; DROP TABLE orders; --"', [[6]]],
    ["formulas", "total sum", [[7]]],
    ["series", "total select", [[10]]],
    ["series", "select of O'Hara", [[4]]],
    ["undated", "total select in Q2 2023", [[7]]],
    ["total", "total n", [[3]]],
  ])("in %s: %s", async (collection, question, rows) => {
    expect(await files.ask(collection, question)).toMatchObject({ rows });
  });

  it.each(Object.keys(COLLECTIONS))("%s is described in one line a column", async (collection) => {
    const lines = (await files.described(collection)).split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => !/^(Collection|Table|Note:|- )/.test(line))).toEqual([]);
  });

  it("are asked for whatever the rest of the question says", async () => {
    for (const collection of Object.keys(COLLECTIONS))
      for (const question of [
        "overview",
        "top 3 groups by select",
        "growth from 2023 to 2024 by region",
        "share of revenue by region",
        "how many rows by month",
      ])
        await expect(files.ask(collection, question)).resolves.toBeDefined();
  });
});
