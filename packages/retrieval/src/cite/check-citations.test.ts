import { describe, expect, it } from "vitest";

import { sampleCitation } from "../testing/sample-citation.ts";
import { checkCitations } from "./check-citations.ts";

const citations = [
  sampleCitation("1", "Models are reviewed every 12 months. The budget is EUR 1,200,000."),
  sampleCitation("2", "The policy applies from 1 May 2025 to all three sites."),
];
const codes = (answer: string): string[] => checkCitations(answer, citations).map((problem) => problem.code);

describe("checkCitations", () => {
  it("finds nothing wrong with what holds", () => {
    expect(
      codes(
        `## Findings\n\nModels are reviewed every 12 months [1]. The budget is 1.2 million euros. [1]\n\n- It applies from 2025-05-01 [2].\n- All 3 sites are covered since 2025 [1, 2].\n\nWould you like more?\n\nSources:\n[1] AI Policy, p. 4`,
      ),
    ).toEqual([]);
  });

  it("names a citation that is not there, with those that are", () => {
    expect(checkCitations("Models are reviewed yearly [7].", citations)).toEqual([
      {
        code: "unknown-citation",
        sentence: "Models are reviewed yearly.",
        message: '[7] in "Models are reviewed yearly." is not a citation of this run. Known: [1] [2].',
      },
    ]);
    expect(checkCitations("All is well here [1].", [])[0]?.message).toContain("search first");
  });

  it("wants a citation for every factual sentence", () => {
    expect(codes("Models are reviewed all year. The budget is EUR 1,200,000 [1].")).toEqual([
      "missing-citation",
    ]);
    expect(codes("I found two passages about this:\n\nThe documents do not say who pays.")).toEqual([]);
    expect(codes("Thank you.")).toEqual([]);
  });

  it("takes a sentence that is quoted from a passage cited on its line", () => {
    expect(codes("- Models are reviewed every 12 months. The budget is EUR 1,200,000. [1]")).toEqual([]);
    expect(codes("- Models are never reviewed. The budget is EUR 1,200,000. [1]")).toEqual([
      "missing-citation",
    ]);
  });

  it("wants figures and dates from the quotes, compared as numbers", () => {
    expect(codes("Models are reviewed every 24 months [1].")).toEqual(["figure-not-in-quote"]);
    expect(codes("The budget is EUR 12 million [1].")).toEqual(["figure-not-in-quote"]);
    expect(codes("It applies from 1 June 2025 [2].")).toEqual(["date-not-in-quote"]);
    expect(codes("It applies from May 2025 [2].")).toEqual([]);
    expect(codes("The budget is EUR 1,200,000 [2].")).toEqual(["figure-not-in-quote"]);
  });

  it("takes a lead in bold with its sentence, and the line under a table for each of its rows", () => {
    expect(codes("- **Reviewed every year.** Models are reviewed every 12 months. [1]")).toEqual([]);
    const table = "| Models | Months |\n| --- | --- |\n| Reviewed every | 12 |\n";
    expect(codes(`${table}Table from [1]`)).toEqual([]);
    expect(codes(`${table}\nTable from [1]`)).toEqual([]);
    expect(codes(`${table.replace("12", "24")}Table from [1]`)).toEqual(["figure-not-in-quote"]);
    expect(codes(table)).toEqual(["missing-citation"]);
    expect(codes(`${table}\nModels are reviewed every 12 months [1].`)).toEqual(["missing-citation"]);
  });

  it("reads a draft of nothing but stops or empty lines in linear time", () => {
    for (const filler of [".", "\n", "[", " "]) expect(codes(`x${filler.repeat(200_000)}x`)).toEqual([]);
  });

  it("does not take links, code or checkboxes for citations", () => {
    expect(
      codes("```\nlet a = list[9];\n```\nModels are reviewed [every 12 months](https://x.example) [1]."),
    ).toEqual([]);
  });
});
