import { describe, expect, it } from "vitest";

import { familyOf, isNewer, names, type EditionRow } from "./editions.ts";

const row = (title: string, fields: Partial<EditionRow> = {}): EditionRow => ({
  title,
  source: `${title.toLowerCase().replaceAll(" ", "-")}.md`,
  supersedes: [],
  withdrawn: false,
  ...fields,
});

describe("familyOf", () => {
  it("brings editions of one document together and keeps different documents apart", () => {
    const family = familyOf("Travel and Expense Policy (2025)", "a.pdf");
    expect(familyOf("Travel and Expenses Policy, version 2", "b.pdf")).toBe(family);
    expect(familyOf("DRAFT Travel and expense policy March 2023", "c.pdf")).toBe(family);
    expect(familyOf("Travel guide", "d.pdf")).not.toBe(family);
  });

  it("does not take the report of one year for a new edition of the last", () => {
    expect(familyOf("Annual Report 2024", "a.pdf")).not.toBe(familyOf("Annual Report 2025", "b.pdf"));
  });

  it.each([
    "(anonymous)",
    "Untitled",
    "untitled document",
    "Microsoft Word - a.docx",
    "Report",
    "Report 2024",
  ])("brings no documents together by a title that names none: %s", (title) => {
    expect(familyOf(title, "energy-audit.pdf")).not.toBe(familyOf(title, "supplier-contract.pdf"));
    expect(familyOf(title, "north/report.pdf")).not.toBe(familyOf(title, "south/report.pdf"));
    expect(familyOf(title, "report-1.pdf")).not.toBe(familyOf(title, "report-2.pdf"));
  });

  it("falls back to the file when the title is nothing but an edition", () => {
    expect(familyOf("Version 2", "handbook-v2.md")).toBe(familyOf("Version 1", "handbook-v1.md"));
  });
});

describe("isNewer", () => {
  it("goes by withdrawal, date, what a document says it replaces, and version", () => {
    const old = row("AI Policy", { published: "2023", version: "1" });
    expect(isNewer(row("AI Policy", { version: "1.1" }), old)).toBe(true);
    expect(isNewer(row("AI Policy", { version: "1.0" }), old)).toBe(false);
    expect(isNewer(row("AI Policy", { published: "2025-03" }), old)).toBe(true);
    expect(isNewer(row("AI Policy", { published: "2023-03" }), old)).toBe(false);
    expect(isNewer(row("AI Policy"), old)).toBe(false);
    expect(isNewer(row("AI Policy"), { ...old, withdrawn: true })).toBe(true);
    const successor = row("Rules for automated systems", { supersedes: ["AI Policy of 2023"] });
    expect(names(successor, old)).toBe(true);
    expect(isNewer(successor, old)).toBe(true);
    expect(isNewer(old, successor)).toBe(false);
    const note = row("Note on AI", { published: "2021-05", supersedes: ["AI Policy"] });
    expect(isNewer(note, old)).toBe(false);
    expect(isNewer(old, note)).toBe(true);
    expect(
      names(row("X", { supersedes: ["ai-policy"] }), row("Something", { source: "docs/ai-policy.pdf" })),
    ).toBe(true);
  });
});
