import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { askFiles, type Collections, type FilesToAsk } from "../testing/ask-files.ts";

let files: FilesToAsk;
const ask: FilesToAsk["ask"] = (collection, question) => files.ask(collection, question);

/** Each collection of files, by their text. */
const COLLECTIONS: Collections = {
  yearly: {
    "sales_2023.csv": "date,region,revenue\n2023-01-01,North,10\n2023-09-01,South,20\n",
    "sales_2024.csv": "date,region,revenue\n2024-03-01,North,30.5\n2024-09-01,East,40\n",
    "sales_2025.csv": "Date,Region,Revenue,Note\n2025-03-01,North,50,x\n2025-12-31,South,60,y\n",
  },
  undated: {
    "budget 2024.csv": "department,amount\nLab,100\nField,200\n",
    "budget 2025.csv": "department,amount\nLab,150\nField,250\n",
  },
  quarters: {
    "hours_2024_q1.csv": "employee,hours,billable\nAnn,1,Y\nBo,2,N\n",
    "hours_2024_q2.csv": "employee,hours,billable\nAnn,3,Y\nBo,4,Y\n",
  },
  regions: {
    "sales_dach.csv": "date,product,revenue\n2024-01-01,A,1\n2024-02-01,B,2\n",
    "sales_nordics.csv": "date,product,revenue\n2024-01-01,A,3\n2024-02-01,B,4\n",
  },
  editions: {
    "orders_2024.csv": "date,product,revenue\n2024-01-01,A,1\n2024-12-01,B,2\n",
    "orders_2025.csv": "date,product,revenue\n2024-01-01,A,1\n2025-12-01,B,2\n",
  },
  month_and_quarter: {
    "sales_2024_01.csv": "date,region,revenue\n2024-01-02,A,100\n2024-01-31,B,180\n",
    "sales_2024_Q1.csv": "date,region,revenue\n2024-01-02,A,100\n2024-01-31,B,180\n2024-03-01,A,560\n",
  },
  copies: {
    "sales_2024_01.csv": "date,region,revenue\n2024-01-02,A,100\n2024-01-31,B,180\n",
    "sales_2024-01.csv": "date,region,revenue\n2024-01-02,A,100\n2024-01-31,B,180\n",
  },
  renamed_copies: {
    "sales_2024_01.csv": "date,region,revenue\n2024-01-02,A,100\n2024-01-31,B,180\n",
    "sales_2024_02.csv": "date,region,revenue,note\n2024-01-02,A,100,x\n2024-01-31,B,180,y\n",
  },
  two_years: {
    "budget 2023-2024.csv": "department,amount,note\nLab,100,x\nField,200,y\n",
    "budget 2024.csv": "department,amount,note\nLab,70,x\nField,80,y\n",
  },
  alike_names: {
    "a b 2023.csv": "region,amount\nNorth,1\nSouth,1\n",
    "a b 2024.csv": "region,amount\nNorth,2\nSouth,2\n",
    "a_b 2023.csv": "colour,units\nRed,5\nBlue,5\n",
    "a_b 2024.csv": "colour,units\nRed,6\nBlue,6\n",
  },
  months: {
    "sales_2024_02.csv": "date,region,revenue\n2024-01-31,A,1\n2024-02-29,B,2\n",
    "sales_2024_01.csv": "date,region,revenue\n2024-01-02,A,100\n2024-01-31,B,180\n",
  },
};

beforeAll(async () => {
  files = await askFiles(COLLECTIONS);
}, 60_000);

afterAll(() => files.close());

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
    ["quarters", "hours in Q2 2024", [[7]]],
    [
      "quarters",
      "billable hours by quarter",
      [
        ["2024-Q1", 1],
        ["2024-Q2", 7],
      ],
    ],
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
      /^Not used: sales_\w+\.csv: it is like sales_\w+\.csv, which alone was read\.$/,
    );
    expect((await ask("editions", "total revenue")).unused).toContain("which alone was read");
    expect((await ask("yearly", "revenue by note")).unused).toContain('group "note"');
  });

  it.each([
    ["month_and_quarter", "sales_2024_01.csv", 840],
    ["copies", "sales_2024", 280],
    ["renamed_copies", "sales_2024_0", 280],
  ])("of %s are not added up: what they share would count twice", async (collection, other, once) => {
    const { rows, unused } = await ask(collection, "total revenue");
    expect(rows).toEqual([[once]]);
    expect(unused).toMatch(
      /^Not used: sales_2024\S*\.csv: it is like sales_2024\S*\.csv, which alone was read\.$/,
    );
    expect(unused).toContain(other);
  });

  it("of which one is of several years are not added up", async () => {
    const { unused } = await ask("two_years", "total amount");
    expect(unused).toMatch(
      /^Not used: budget 202\S+\.csv: it is like budget 202\S+\.csv, which alone was read\.$/,
    );
  });

  it("whose names differ in a space only stay two tables", async () => {
    expect(await ask("alike_names", "amount of North")).toMatchObject({ rows: [[3]], unused: "" });
    expect(await ask("alike_names", "units of Red")).toMatchObject({ rows: [[11]], unused: "" });
  });

  it("of months may share a day, and are named", async () => {
    expect(await ask("months", "total revenue")).toMatchObject({
      rows: [[283]],
      unused: "",
      notes: "Read as one table: sales_2024_01.csv, sales_2024_02.csv.",
    });
  });
});
