import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { askFiles, type Collections, type FilesToAsk } from "../testing/ask-files.ts";

let files: FilesToAsk;
const ask: FilesToAsk["ask"] = (collection, question) => files.ask(collection, question);

/** Each collection of files, by their text. */
const COLLECTIONS: Collections = {
  numbers: {
    "orders.csv": "order_no,order_date,customer\n101,2024-01-05,A\n102,2024-01-09,B\n",
    "order_lines.csv": "order_no,product,qty,unit_price\n101,Probe,2,10\n101,Kit,1,5\n102,Kit,3,5\n",
  },
  money: {
    "orders.csv":
      'date,product,quantity,revenue\n2024-01-01,A,1,"€1,234"\n2024-02-01,B,2,€20\n2024-03-01,A,4,-€4\n',
  },
  signs: {
    "orders.csv":
      'date,product,quantity,revenue\n2024-01-01,A,1,"€1,234"\n2024-02-01,B,2,$20\n2024-03-01,A,4,€4\n',
  },
  dollars: { "sales.csv": "date,region,revenue\n2024-01-01,N,$5\n2024-02-01,S,$7\n" },
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
  codes: { "sales.csv": "date,country,revenue\n2024-01-01,NO,1\n2024-02-01,SE,3\n" },
  maybe: { "regions.csv": "region,revenue\nNorth,1\nSouth,2\nTotal,9\n" },
  visits: {
    "visits.csv":
      "date,museum,visitor_number\n2024-01-01,A,100\n2024-02-01,A,200\n2024-03-01,A,300\n2024-01-01,B,10\n2024-02-01,B,20\n2024-03-01,B,30\n",
  },
  staff: { "sites.csv": "site,employee_number\nA,100\nB,200\nC,100\n" },
  pieces: {
    "lines.csv":
      "date,region,units_number,sales_number,price\n2024-01-01,N,5,50,1\n2024-02-01,S,7,70,2\n2024-03-01,N,9,90,3\n",
  },
  calls: {
    "invoices.csv":
      "date,total,voice,sound\n2024-01-01,100,yes,yes\n2024-02-01,50,no,yes\n2024-03-01,20,no,no\n",
  },
  calls_only: {
    "calls.csv": "date,total,voice\n2024-01-01,100,yes\n2024-02-01,50,no\n2024-03-01,20,no\n",
  },
  losses: {
    "result.csv":
      "date,unit,revenue\n2023-01-01,A,-10\n2023-12-31,B,20\n2024-01-01,A,10\n2024-12-31,B,30\n2024-12-31,C,1\n2023-06-01,D,5\n2024-06-01,D,-5\n",
  },
};

beforeAll(async () => {
  files = await askFiles(COLLECTIONS);
}, 60_000);

afterAll(() => files.close());

describe("money", () => {
  it("with its currency in the cell is a figure", async () => {
    expect(await ask("money", "total revenue")).toMatchObject({ rows: [[1250]], unused: "" });
    expect(await ask("german", "Umsatz in 2024")).toMatchObject({ rows: [[1244.75]], unused: "" });
  });

  it("in $ is not said to be that of any country", async () => {
    expect(await ask("dollars", "total revenue")).toMatchObject({ rows: [[12]], unused: "" });
    expect(await files.described("dollars")).toContain("Note: revenue: amounts in $\n");
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
    expect(unused).toMatch(/^Not used: one figure over several units .* or "by currency"\.$/);
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

it("a number of an order is no figure", async () => {
  expect((await ask("numbers", "orders per month")).rows).toEqual([["2024-01-01", 2]]);
  expect(await ask("numbers", "revenue by product in 2024")).toMatchObject({
    rows: [
      ["Kit", 20],
      ["Probe", 20],
    ],
    notes: expect.stringContaining("Revenue is unit_price times qty of each row."),
  });
});

describe("a number that counts is a figure", () => {
  const byMuseum = [
    ["A", 600],
    ["B", 60],
  ];
  it.each([
    ["visits", "how many visitors by museum", byMuseum],
    ["visits", "number of visitors by museum", byMuseum],
    ["visits", "visitor number by museum", byMuseum],
    ["pieces", "how many units", [[21]]],
    ["pieces", "total units number", [[21]]],
    ["pieces", "total sales number", [[210]]],
  ])("in %s: %s", async (collection, question, rows) => {
    expect(await ask(collection, question)).toMatchObject({ rows, unused: "" });
  });
});

it("says where a number that does not differ by row is read as one of a thing", async () => {
  expect((await ask("staff", "how many employees")).notes).toBe(
    "employee_number is read as the number of one employee, not as how many there are.",
  );
});

it("two pairs have no figure", async () => {
  const { rows, unused } = await ask(
    "currencies",
    "EUR amount in January 2024 and USD amount in February 2024",
  );
  expect(rows).toBeUndefined();
  expect(unused).toContain('which period goes with which of "EUR" and "USD"');
});

describe("a column of yes and no", () => {
  it.each([
    ["active amount in EUR", 36],
    ["inactive amount in EUR", 12],
    ["non-active amount in EUR", 12],
    ["amount in EUR of bills that are not active", 12],
  ])("%s", async (question, sum) => {
    expect(await ask("currencies", question)).toMatchObject({ rows: [[sum]], unused: "" });
  });

  it("is named in the title", async () => {
    const titles = ["active", "inactive"].map(
      async (word) => (await ask("currencies", `${word} amount in EUR`)).title,
    );
    expect(await Promise.all(titles)).toEqual([
      "Amount (active, EUR), 2024",
      "Amount (not active, EUR), 2024",
    ]);
  });

  it("is no code of a country", async () => {
    expect(await ask("codes", "revenue in NO")).toMatchObject({ title: "Revenue (NO), 2024", rows: [[1]] });
  });

  it("has no opposite in an ordinary word that ends as its name", async () => {
    expect(await ask("calls", "what was the invoice total")).toMatchObject({ rows: [[170]], unused: "" });
    const told = await ask("calls_only", "what was the invoice total");
    expect(told).toMatchObject({ rows: [[170]], unused: 'Not used: no rule reads "invoice".' });
    expect((await ask("currencies", "in-active amount in EUR")).unused).toContain('"active"');
    expect((await ask("calls", "total unsound")).title).toContain("(not sound)");
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

it("growth from a loss or from nothing, or to a loss, is left empty", async () => {
  const { rows, notes } = await ask("losses", "revenue growth by unit from 2023 to 2024");
  expect(rows).toEqual([
    ["B", 50, 20, 30],
    ["A", null, -10, 10],
    ["C", null, null, 1],
    ["D", null, 5, -5],
  ]);
  expect(notes).toContain("only where the first figure is above zero");
});
