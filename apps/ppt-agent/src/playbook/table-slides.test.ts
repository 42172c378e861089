import { describe, expect, it } from "vitest";

import { tableSlides } from "./table-slides.ts";

const table = {
  columns: ["Initiative", "Owner", "Budget"],
  rows: ["Kompass", "Watershed", "Edge"].map((name, i) => [name, "Lars Hedberg", String(i + 1)]),
  citations: ["documents/9"],
};
const section = (leads: readonly (string | undefined)[]) => ({
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
  tableSlides(section(leads), table, 1).map((slide) => slide.argument["kind"]);

describe("a section with a table", () => {
  it("shows the short forms that explain its rows, with the table in the notes", () => {
    const leads = ["Kompass: an assistant for all", "Watershed: one data platform", "Edge and skills"];
    const [slide, ...more] = tableSlides(section(leads), table, 1);
    expect(more).toEqual([]);
    expect(slide?.argument).toMatchObject({
      kind: "bullets",
      points: leads.map((text) => ({ text })),
      notes: expect.stringContaining("Kompass | Lars Hedberg | 1"),
    });
  });

  it("over more slides says in the notes how many rows they show, and has them all there", () => {
    const rows = Array.from({ length: 12 }, (_, i) => [
      `${i + 1} May ${2026 + Math.floor(i / 6)}`,
      `Line number ${i} of our pumps opens${i === 11 ? " for all who asked" : ""}`,
    ]);
    const long = { columns: ["Date", "Step"], rows, citations: ["documents/9"] };
    const slides = tableSlides({ heading: "Plan", statements: [], charts: [], table: long }, long, 1);
    expect(slides.map(({ argument }) => argument["title"])).toEqual(["Plan 2026", "Plan 2027"]);
    expect(slides[0]?.argument["notes"]).toContain("On the slides: 11 of 12 rows.");
    expect(slides[0]?.argument["notes"]).toContain("12 May 2027 | Line number 11 of our pumps opens for all");
    expect(slides[1]?.argument).not.toHaveProperty("notes");
  });

  it("shows the table where the short forms say the same once more", () => {
    expect(kindsOf(["Kompass comes to all of us", "Watershed grows to all of it", "Edge is sold"])).toEqual([
      "table",
    ]);
  });
});
