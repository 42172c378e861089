import { describe, expect, it } from "vitest";

import { tableSlides } from "./table-slides.ts";

const NOW = Date.UTC(2026, 10, 21);
const table = {
  columns: ["Initiative", "Owner", "Budget"],
  rows: ["Kompass", "Watershed", "Edge"].map((name, i) => [name, "Lars Hedberg", String(i + 1)]),
  citations: ["documents/9"],
};
const section = (leads: readonly (string | undefined)[]) => ({
  step: "documents",
  heading: "Initiatives",
  statements: leads.map((lead, i) => ({
    text: `Statement ${i} on it.`,
    ...(lead === undefined ? {} : { lead }),
    citations: [`documents/${i}`],
  })),
  charts: [],
  table,
});
const kindsOf = (leads: readonly (string | undefined)[]) =>
  tableSlides(section(leads), table, 1, NOW).map((slide) => slide.argument["kind"]);

describe("a section with a table", () => {
  it("shows the short forms that explain its rows, with the table in the notes", () => {
    const leads = ["Kompass: an assistant for all", "Watershed: one data platform", "Edge and skills"];
    const [slide, ...more] = tableSlides(section(leads), table, 1, NOW);
    expect(more).toEqual([]);
    expect(slide?.argument).toMatchObject({
      kind: "bullets",
      points: leads.map((text) => ({ text })),
      notes: expect.stringContaining("Kompass | Lars Hedberg | 1"),
    });
  });

  it("over more slides has all rows, and in the notes of each what it has no column for", () => {
    const rows = Array.from({ length: 7 }, (_, i) => [
      `Pump ${"ABCDEFG"[i]} stops on cold days`,
      ["Low", "High"][i % 2] ?? "",
      "Two pumps each hall",
      "Ida Berg",
    ]);
    const risks = { columns: ["Risk", "Effect", "Response", "Owner"], rows, citations: ["documents/9"] };
    const slides = tableSlides(
      { step: "docs", heading: "Risks", statements: [], charts: [], table: risks },
      risks,
      1,
      NOW,
    );
    expect(slides.map(({ argument }) => argument["title"])).toEqual([
      "Seven risks (1/3)",
      "Seven risks (2/3)",
      "Seven risks (3/3)",
    ]);
    expect(slides.flatMap(({ argument }) => argument["rows"])).toEqual(rows.map((row) => row.slice(0, 3)));
    const dated = { ...risks, published: "2026-01-22" };
    const [first] = tableSlides(
      { step: "docs", heading: "Risks", statements: [], charts: [], table: dated },
      dated,
      1,
      NOW,
    );
    expect(first?.argument["title"]).toBe("Seven risks, January 2026 (1/3)");
    expect(slides[2]?.argument["notes"]).toContain("• Pump G stops on cold days – Owner: Ida Berg");
  });

  it("says of dates that have passed that they were planned", () => {
    const rows = Array.from({ length: 12 }, (_, i) => [
      `${i + 1} May ${2026 + Math.floor(i / 6)}`,
      `Line ${i} of pumps`,
      "Ida Berg",
    ]);
    const columns = ["Date", "Step", "Owner"];
    const long = { columns, rows, citations: ["documents/9"], published: "2026-01-22" };
    const slides = tableSlides(
      { step: "docs", heading: "Timeline", statements: [], charts: [], table: long },
      long,
      1,
      NOW,
    );
    expect(slides.map(({ argument }) => argument["title"])).toEqual([
      "Timeline 2026 (plan of January 2026, status unknown)",
      "Timeline 2027 (plan of January 2026)",
    ]);
    expect(slides[0]?.argument["notes"]).toMatch(
      /^These are the dates of the plan of 22 January 2026\.[^]*\n• 1 May 2026 – Owner: Ida Berg/,
    );
  });

  it("says so of a short plan, too, in the title and the notes", () => {
    const rows = [2026, 2027, 2028].map((year) => [`1 May ${year}`, "Pumps run", "Ida Berg"]);
    const short = { columns: ["Date", "Step", "Owner"], rows, citations: [], published: "2026-01-22" };
    const [slide] = tableSlides(
      { step: "docs", heading: "Roadmap", statements: [], charts: [], table: short },
      short,
      1,
      NOW,
    );
    expect(slide?.argument).toMatchObject({
      title: "Roadmap (plan of January 2026, status unknown)",
      rows,
      notes: expect.stringContaining("1 of 3 lie before 21 November 2026"),
    });
  });

  it("shows the table where the short forms say the same once more", () => {
    expect(kindsOf(["Kompass comes to all of us", "Watershed grows to all of it", "Edge is sold"])).toEqual([
      "table",
    ]);
  });
});
