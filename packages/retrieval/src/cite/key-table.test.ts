import { describe, expect, it } from "vitest";

import type { SearchHit } from "../retriever.ts";
import { sampleCitation } from "../testing/sample-citation.ts";
import { keyTable } from "./key-table.ts";

function hit(text: string, path: readonly string[] = ["Goals"], page = 1): SearchHit {
  return {
    citation: sampleCitation("1", text, { document: "AI Strategy", page, start: 50 }),
    text,
    start: 50,
    sections: [{ start: 0, path }],
    documentId: "d",
    score: 1,
    coverage: 1,
    withdrawn: false,
    alsoIn: [],
  };
}

const goals = "Goal | 2025 | 2028\nLead time, hours | 31 | 60\nEvents caught | 70 % | 93 %";

describe("keyTable", () => {
  it("finds the table of the chapter and cites its lines", () => {
    const text = `Norrvik has goals.\n${goals}\n\nThey hold for three years.`;
    const table = keyTable([hit("No table here."), hit(text)], "AI strategy", "goals");
    expect(table?.columns).toEqual(["Goal", "2025", "2028"]);
    expect(table?.rows).toEqual([
      ["Lead time, hours", "31", "60"],
      ["Events caught", "70 %", "93 %"],
    ]);
    expect(table?.citation.quote).toBe(goals);
    expect(text.slice((table?.citation.start ?? 0) - 50, (table?.citation.end ?? 0) - 50)).toBe(goals);
  });

  it("has the date of its document, where that says one", () => {
    const table = keyTable([{ ...hit(goals), published: "2026-01-22" }], "AI strategy", "goals");
    expect(table?.published).toBe("2026-01-22");
    expect(keyTable([hit(goals)], "AI strategy", "goals")).not.toHaveProperty("published");
  });

  it("leaves out a table that the layout of its page tore apart", () => {
    expect(keyTable([hit(`Watershed | Piotr\n${goals}`)], "AI strategy", "goals")).toBeUndefined();
    expect(keyTable([hit(`${goals}\nKompass | 1.2`)], "AI strategy", "goals")).toBeUndefined();
    expect(keyTable([hit(goals.replace("Lead time, hours", ""))], "AI strategy", "goals")).toBeUndefined();
    expect(
      keyTable([hit(goals.replace("31", "").replace("60", ""))], "AI strategy", "goals"),
    ).toBeUndefined();
  });

  it("keeps the place of a cell that is empty, such as the last of a total", () => {
    const rows = (text: string) => keyTable([hit(text)], "AI strategy", "goals")?.rows;
    expect(rows(`${goals}\nTotal | 31 |`)?.at(-1)).toEqual(["Total", "31", ""]);
    expect(rows(`${goals}\nTotal | | 60`)?.at(-1)).toEqual(["Total", "", "60"]);
  });

  it("takes a table of thirty rows whole", () => {
    const thirty = Array.from({ length: 30 }, (_, n) => `${n} May | Event ${n} | Owner`).join("\n");
    expect(keyTable([hit(`Date | Event | Owner\n${thirty}`)], "AI strategy", "goals")?.rows).toHaveLength(30);
  });

  it("goes on in the next passage, whose first row heads nothing", () => {
    const lines = Array.from({ length: 12 }, (_, n) => `Event ${n} | Owner ${n} | ${n}.5`);
    const text = ["What | Who | EUR", ...lines].join("\n");
    const part = (from: number, to?: number): SearchHit => {
      const start = text.indexOf(lines[from] ?? "");
      const own = text.slice(
        from === 0 ? 0 : start,
        to === undefined ? undefined : text.indexOf(lines[to] ?? "") - 1,
      );
      return { ...hit(own), start: 50 + (from === 0 ? 0 : start) };
    };
    // The second passage begins with the last row of the first.
    const found = keyTable([part(4), part(0, 5)], "AI strategy", "goals");
    expect(found?.rows.map(([first]) => first)).toEqual(lines.map((line) => line.split(" | ")[0]));
    expect(found?.further.map(({ quote }) => quote.split("\n").length)).toEqual([7]);
  });

  it("takes neither another chapter's table nor one of another document or size", () => {
    expect(keyTable([hit(goals, ["Risks"])], "AI strategy", "goals")).toBeUndefined();
    expect(keyTable([hit(goals)], "travel policy", "goals")).toBeUndefined();
    const long = `a | b | c\n${Array.from({ length: 41 }, (_, n) => `${n} | x | y`).join("\n")}`;
    expect(keyTable([hit(long)], "AI strategy", "goals")).toBeUndefined();
  });

  it("takes the first in the order of the document", () => {
    const second = hit("x | y | z\n1 | 2 | 3\n4 | 5 | 6", ["Goals"], 2);
    expect(keyTable([second, hit(goals)], "AI strategy", "goals")?.columns[0]).toBe("Goal");
  });
});
