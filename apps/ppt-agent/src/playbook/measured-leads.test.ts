import { describe, expect, it } from "vitest";

import { measuredLeads } from "./measured-leads.ts";

const leads = ["Kompass: an assistant for all", "Watershed: one data platform", "Skills"];
const section = {
  step: "docs",
  heading: "Initiatives",
  statements: leads.map((lead, i) => ({ text: `Statement ${i} on it.`, lead, citations: [`docs/${i}`] })),
  charts: [],
};
const table = {
  columns: ["Initiative", "Owner", "Budget 2026-2028, EUR million"],
  rows: [
    ["Watershed data platform", "Ida Berg", "2.7"],
    ["Kompass", "Lars Hedberg", "1.2"],
    ["Skills", "Nils Holm", "1.6"],
    ["Total", "Ida Berg", "5.5"],
  ],
  citations: ["docs/9"],
};

describe("short forms beside what their rows measure", () => {
  it("stand in a table with the total, the other columns in its notes", () => {
    expect(measuredLeads(section, table)?.argument).toMatchObject({
      kind: "table",
      title: "Three initiatives",
      columns: ["", "Budget 2026-2028, EUR million"],
      rows: [
        ["Kompass: an assistant for all", "1.2"],
        ["Watershed: one data platform", "2.7"],
        ["Skills", "1.6"],
        ["Total", "5.5"],
      ],
      notes: expect.stringContaining("• Kompass – Owner: Lars Hedberg"),
    });
  });

  it("need a row each, and no row without one but the total", () => {
    const rows = table.rows.filter(([name]) => name !== "Kompass");
    expect(measuredLeads(section, { ...table, rows })).toBeUndefined();
    expect(
      measuredLeads(section, { ...table, rows: [...table.rows, ["Edge", "Ida Berg", "2"]] }),
    ).toBeUndefined();
    expect(measuredLeads(section, { ...table, columns: ["Initiative", "Owner", "Rank"] })).toBeUndefined();
  });
});
