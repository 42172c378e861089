import { answerCheck } from "@troupe/checks";
import type { Citation, ResultTable } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { checkText, placeOf, readClaims, type CheckedClaim } from "./check-text.ts";
import { fittingEvidence } from "./fitting-evidence.ts";

const passage = (document: string, text: string, more: Partial<Citation> = {}): Citation => ({
  id: "1",
  document,
  source: `${document}.md`,
  collection: "c",
  chunkId: document,
  quote: text,
  start: 0,
  end: text.length,
  ...more,
});
const PRICES = passage("Prices", "The list price of Foresight is EUR 1,450 per station and year.", {
  page: 2,
});
const SUPPORT = passage("Support", "The support team answered 3,870 tickets about Foresight in 2025.");
const WATER = passage(
  "Water",
  "Oxygen falls by 2.4 milligrams when the water of a lake turns over in autumn.",
);
const SALES: ResultTable = {
  id: "sales",
  title: "sales by region (sales.csv)",
  columns: ["region", "revenue"],
  rows: [
    ["Nordics", 240],
    ["Alps", 160],
  ],
};

function checked(
  text: string,
  passages: readonly Citation[],
  tables: readonly ResultTable[] = [],
): readonly CheckedClaim[] {
  const read = readClaims(text, answerCheck);
  const found = new Map(read.sentences.map((sentence) => [sentence, passages]));
  return checkText(read, answerCheck, { ...fittingEvidence(found, tables), given: ["2026-11-22"] });
}
const shown = (claims: readonly CheckedClaim[]): readonly (readonly string[])[] =>
  claims.map(({ sentence, status, finding, found }) => [
    sentence,
    status,
    finding === undefined ? found.map(placeOf).join("; ") : `${finding.kind} ${finding.detail}`,
  ]);

describe("checkText", () => {
  it("says for each claim where it was found, and what was not, whatever the text itself cites", () => {
    const text =
      "Water is wet. The list price of Foresight is EUR 1,450 per station [99]. The support team answered 3,970 tickets about Foresight in 2025 [1].";
    expect(shown(checked(text, [PRICES, SUPPORT]))).toEqual([
      ["The list price of Foresight is EUR 1,450 per station.", "verified", "Prices, p. 2"],
      ["The support team answered 3,970 tickets about Foresight in 2025.", "finding", "figure 3,970"],
    ]);
  });

  it("finds what two documents hold together", () => {
    const text =
      "The list price of Foresight is EUR 1,450, and its support team answered 3,870 tickets in 2025.";
    expect(shown(checked(text, [PRICES, SUPPORT]))).toEqual([[text, "verified", "Prices, p. 2; Support"]]);
  });

  it("takes no figure from a passage about something else", () => {
    const text = "Foresight has a list price of EUR 2.4 per station and year.";
    expect(shown(checked(text, [PRICES, WATER]))).toMatchObject([[text, "finding", "figure 2.4"]]);
  });

  it("finds figures of tables, and recomputes what follows from them", () => {
    const text =
      "The Nordics have a revenue of 240. The Nordics make 60 % of revenue. The Alps have a revenue of 170.";
    expect(shown(checked(text, [], [SALES])).map(([, status]) => status)).toEqual([
      "verified",
      "derived",
      "finding",
    ]);
  });

  it("compares each row of a table", () => {
    const text = "| Product | Tickets |\n| --- | --- |\n| Foresight | 3,870 |\n| Foresight, 2025 | 3,970 |\n";
    expect(checked(text, [SUPPORT]).map(({ sentence, status }) => [sentence, status])).toEqual([
      ["| Foresight | 3,870 |", "verified"],
      ["| Foresight, 2025 | 3,970 |", "finding"],
    ]);
  });

  it("says of a claim for which there is nothing that it is not there", () => {
    const text = "The list price of Foresight is EUR 1,450 per station.";
    expect(shown(checked(text, []))).toEqual([[text, "finding", "not-there "]]);
  });

  it("has nothing to say of a text without claims", () => {
    expect(checked("Water is wet.", [WATER])).toEqual([]);
  });
});

const BY_YEAR: ResultTable = {
  id: "by-year",
  title: "sales by year (sales.csv)",
  source: "sales.csv",
  query:
    'SELECT year(f."month") AS "year", sum(f."revenue_eur") AS "revenue_eur" FROM "sales" AS f GROUP BY 1',
  columns: ["year", "revenue_eur", "percent change of revenue_eur"],
  rows: [
    [2025, 5_705_479, 5.210377],
    [2024, 5_422_932, null],
  ],
};
const BY_QUARTER: ResultTable = {
  ...BY_YEAR,
  id: "by-quarter",
  title: "sales by quarter (sales.csv)",
  columns: ["quarter", "revenue_eur"],
  rows: [
    ["2025-Q2", 1_435_286],
    ["2025-Q1", 1_404_971],
  ],
};
const BY_CATEGORY: ResultTable = {
  ...BY_YEAR,
  id: "by-category",
  title: "sales by category and year (sales.csv)",
  columns: ["category", "year", "revenue_eur", "percent share of revenue_eur"],
  rows: [
    ["Rolls", 2025, 1_975_195, 34.619267],
    ["Bread", 2025, 1_861_915, 32.633818],
    ["Coffee", 2025, 1_158_019, 20.296613],
    ["Rolls", 2024, 1_899_554, 35.028175],
    ["Bread", 2024, 1_736_347, 32.018601],
  ],
};
const BY_SHOP: ResultTable = {
  ...BY_YEAR,
  id: "by-shop",
  title: "sales by name (sales.csv)",
  columns: ["name", "revenue_eur"],
  rows: [
    ["Holtenau", 962_501],
    ["Altona", 945_792],
  ],
};
const SHOPS: ResultTable = {
  id: "shops",
  title: "shops (shops.csv)",
  source: "shops.csv",
  query: 'SELECT * FROM "shops"',
  columns: ["shop_id", "name", "opened"],
  rows: Array.from({ length: 12 }, (_, at) => [
    `S${at}`,
    `Shop ${String.fromCodePoint(65 + at)}a`,
    1990 + at,
  ]),
};
const TABLES = [BY_YEAR, BY_QUARTER, BY_CATEGORY, BY_SHOP, SHOPS];
const STRATEGY = passage("Strategy", "Revenue was EUR 38.2 million in 2024, up 4.1 % on the year before.");

describe("checkText with tables", () => {
  const statusOf = (text: string, passages: readonly Citation[] = [STRATEGY]): readonly string[] =>
    checked(text, passages, TABLES).map(({ status, found }) => `${status} ${found.map(placeOf)[0]}`);

  it.each([
    ["Total revenue in 2024 was EUR 5.42 million.", "table sales by year (sales.csv)"],
    ["Revenue of the twelve shops was EUR 5.42 million in 2024.", "table sales by year (sales.csv)"],
    ["In the second quarter of 2025 revenue was EUR 1.44 million.", "table sales by quarter (sales.csv)"],
    ["Rolls brought EUR 1.98 million in 2025.", "table sales by category and year (sales.csv)"],
    ["Coffee accounted for 20.3 % of revenue in 2025.", "table sales by category and year (sales.csv)"],
    ["Revenue rose by 5.2 % from 2024 to 2025.", "table sales by year (sales.csv)"],
    ["Altona had a revenue of EUR 945,792.", "table sales by name (sales.csv)"],
  ])("finds a sum by what the sentence names: %s", (text, place) => {
    expect(statusOf(text)).toEqual([`verified ${place}`]);
  });

  it.each([
    "Bread brought EUR 1.98 million in 2025.",
    "Rolls brought EUR 1.90 million in 2025.",
    "In the first quarter of 2025 revenue was EUR 1.44 million.",
    "Holtenau leads all shops with EUR 945,792.",
  ])("compares a claim with the row that it names, not with others: %s", (text) => {
    expect(statusOf(text).map((one) => one.split(" ")[0])).toEqual(["finding"]);
  });

  it("does not take the tables of another claim for evidence", () => {
    const text = "Altona had a revenue of EUR 945,792.\n\nStaff of Holtenau share EUR 945,792.";
    expect(statusOf(text, [passage("Handbook", "Staff share the tips.")])[1]).toMatch(/^finding/);
  });

  it("takes no figure from a passage that names the row elsewhere", () => {
    const bakery = passage(
      "Audit",
      "Coffee is served at noon. Prices of revenue stamps rose by 4.1 % in 2025.",
    );
    expect(statusOf("Revenue of coffee rose by 4.1 % in 2025.", [bakery])[0]).toMatch(/^finding/);
    const report = passage("Report", "In 2025 revenue of coffee rose by 3.98 % before tax.");
    expect(statusOf("Revenue of coffee rose by 3.98 % in 2025.", [report])).toEqual(["verified Report"]);
  });
});

it("finds two halves of a sentence in two sections of one document", () => {
  const ofHandbook = (section: string, text: string): Citation =>
    passage("Handbook", text, { section, chunkId: section });
  const passages = [
    ofHandbook("Working time", "Staff have 29 days of leave; apprentices have 30 days of leave."),
    ofHandbook("Training", "From 1 April the wage is EUR 14. We train 27 apprentices, 9 more than before."),
  ];
  const text = "There are 27 apprentices, and they have 30 days of leave.";
  expect(shown(checked(text, passages))).toEqual([
    [text, "verified", "Handbook, § Working time; Handbook, § Training"],
  ]);
  const other = { ...passages[1]!, source: "other.md" };
  expect(checked(text, [passages[0]!, other]).map(({ status }) => status)).toEqual(["finding"]);
});
