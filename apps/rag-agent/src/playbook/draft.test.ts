import { describe, expect, it } from "vitest";

import { compose, mend, partsOf } from "./draft.ts";

describe("compose", () => {
  it("tells each sentence and table once, where it came first", () => {
    const text = "- Halve false alarms [1]\n\n| a | b |\n| --- | --- |\nTable from [3]";
    expect(
      compose(
        [
          { heading: "Goals", text },
          {
            heading: "Initiatives",
            text: `${text.split("\n\n")[0]}\n- Build Foresight [2]\n\n${text.split("\n\n")[1]}`,
          },
          { heading: "Budget", text: "No document about that." },
        ],
        3,
      ),
    ).toBe(`## Goals\n${text}\n\n## Initiatives\n- Build Foresight [2]`);
  });

  it("keeps the note on another edition", () => {
    const text = "- It costs 14 million [1]\n\nNote: editions differ; the replaced one [2] said 6 million.";
    expect(compose([{ heading: "", text }], 3)).toBe(text);
  });

  it("reads the parts of a text with headings", () => {
    expect(partsOf("## Booking\n- Early [1]\n\n## Hotels\n- Cheap [2]")).toEqual([
      { heading: "Booking", text: "- Early [1]" },
      { heading: "Hotels", text: "- Cheap [2]" },
    ]);
    expect(partsOf("No document is about that.")).toEqual([]);
  });
});

describe("mend", () => {
  const draft =
    "## Goals\n- Alarms fall to 0.5. [1]\n- **Lead.** Revenue grows. [2]\n\n## Budget\n- It costs 3 million. [3]";

  it("takes out what the check rejects, and a heading with nothing left under it", () => {
    const check =
      'To mend:\n- "Alarms fall to 0.5." gives the figure "0.5", which does not stand in [1].\n- [3] in "It costs 3 million." is not a citation of this run.';
    expect(mend(draft, check)).toBe("## Goals\n- **Lead.** Revenue grows. [2]");
  });

  it("takes out a table with a wrong cell as a whole", () => {
    const table = "| A | B |\n| --- | --- |\n| Alarms | 0.5 |\nTable from [4]";
    const check = 'To mend:\n- "| Alarms | 0.5 |" gives the figure "0.5", which does not stand in [4].';
    expect(mend(`${draft}\n\n${table}`, check)).toBe(draft);
  });

  it("finds a long sentence by its beginning, and leaves a draft alone that holds", () => {
    const long = `- ${"Foresight will warn ".repeat(12)}now. [1]`;
    const check = `To mend:\n- "${long.slice(2, 119)}..." states something without a citation.`;
    expect(mend(`${long}\n- Short. [2]`, check)).toBe("- Short. [2]");
    expect(mend(draft, "Every statement is covered.\n\nSources:\n[1] A")).toBe(draft);
  });
});
