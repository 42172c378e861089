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
