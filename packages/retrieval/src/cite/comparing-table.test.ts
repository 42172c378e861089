import { describe, expect, it } from "vitest";

import type { SearchHit } from "../retriever.ts";
import { sampleCitation } from "../testing/sample-citation.ts";
import { comparingTable } from "./comparing-table.ts";

function hit(text: string, more: Partial<SearchHit> = {}): SearchHit {
  return {
    citation: sampleCitation("1", text, { document: "Notes" }),
    text,
    start: 0,
    sections: [{ start: 0, path: ["Editions"] }],
    documentId: "d",
    score: 1,
    coverage: 1,
    withdrawn: false,
    alsoIn: [],
    ...more,
  };
}

const EDITIONS =
  "| Probe | Probe Pro | Price\nStations | 1 to 99 | From 100 | 5\nSupport | Weekdays | Day and night | 7";

describe("comparingTable", () => {
  it("keeps the two columns that the things head, and cites the whole table", () => {
    const table = comparingTable([hit("No table."), hit(EDITIONS)], ["Probe Pro", "the Probe"]);
    expect(table?.columns).toEqual(["", "Probe Pro", "Probe"]);
    expect(table?.rows).toEqual([
      ["Stations", "From 100", "1 to 99"],
      ["Support", "Day and night", "Weekdays"],
    ]);
    expect(table?.citation.quote).toBe(EDITIONS);
  });

  it("keeps only the rows on an aspect, and is none where no row is on it", () => {
    expect(comparingTable([hit(EDITIONS)], ["Probe", "Probe Pro"], "the support of")?.rows).toEqual([
      ["Support", "Weekdays", "Day and night"],
    ]);
    expect(comparingTable([hit(EDITIONS)], ["Probe", "Probe Pro"], "the colour of")).toBeUndefined();
  });

  it("is none where one column would be both, one is missing, or the edition was replaced", () => {
    expect(comparingTable([hit(EDITIONS)], ["Pro", "Probe Pro"])).toBeUndefined();
    expect(comparingTable([hit(EDITIONS)], ["Probe", "Probe Max"])).toBeUndefined();
    expect(comparingTable([hit(EDITIONS, { withdrawn: true })], ["Probe", "Probe Pro"])).toBeUndefined();
  });
});
