import { describe, expect, it } from "vitest";

import { countTitle } from "./count-title.ts";

const title = (heading: string, columns: readonly string[], rows: readonly string[][], words = 9) =>
  countTitle(heading, { columns, rows, citations: [] }, words);

describe("countTitle", () => {
  const goals = ["a", "b", "c"].map((name) => [name, "1", "2"]);

  it("says how many there are and by when", () => {
    expect(title("Goals", ["Goal", "Baseline 2025", "Target 2028"], goals)).toBe("Three goals by 2028");
    expect(title("Goals", ["", "2025", "Target 2028"], goals)).toBe("Three goals by 2028");
  });

  it("says what they come to, where a total is in the table", () => {
    const lines = [...goals.map(([name = ""]) => [name, "Ida Berg", "2.5"]), ["Total", "", "7.5"]];
    expect(title("Lines", ["Line", "Owner", "Budget 2026-2028, EUR million"], lines)).toBe(
      "Three lines, budget EUR 7.5 million",
    );
  });

  it("says nothing that the table does not", () => {
    expect(title("Results", ["Measure", "Target 2028"], goals)).toBeUndefined();
    expect(title("Goals", ["Goal", "2026", "2027"], goals)).toBeUndefined();
    expect(title("Costs", ["Cost", "Change against plan 2024"], goals)).toBeUndefined();
    expect(title("Goals", ["Goal", "Plan since 2019"], goals)).toBeUndefined();
    expect(title("Goals", ["Goal", "Change against target 2024"], goals)).toBeUndefined();
    expect(title("Goals", ["Goal", "Baseline", "Target 2028"], goals, 3)).toBeUndefined();
    expect(title("Goals", ["Goal", "Target 2028"], [["a", "1"]])).toBeUndefined();
  });
});
