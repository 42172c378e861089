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

  it("shows the table where the short forms say the same once more", () => {
    expect(kindsOf(["Kompass comes to all of us", "Watershed grows to all of it", "Edge is sold"])).toEqual([
      "table",
    ]);
  });
});
