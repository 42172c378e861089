import { answerCheck } from "@troupe/checks";
import { sampleCitation } from "@troupe/retrieval/testing";
import { describe, expect, it } from "vitest";

import { readVerdict, writeVerdict } from "../tools/verdict.ts";
import { compose, partsOf, shortened, statementsIn, without } from "./draft.ts";

describe("compose", () => {
  it("tells each sentence and table of a subject once, where it came first", () => {
    const table = "| a | b |\n| --- | --- |\n\nTable from [3]";
    const text = `- Halve false alarms [1]\n\n${table}`;
    expect(
      compose(
        [
          { heading: "Goals", text },
          {
            heading: "Initiatives",
            text: `- Halve false alarms [1]\n- Build Foresight [2]\n\n${table}`,
          },
          { heading: "Budget", text: "No document about that." },
        ],
        3,
        { once: true },
      ),
    ).toBe(`## Goals\n${text}\n\n## Initiatives\n- Build Foresight [2]`);
  });

  it("tells a sentence under every question it answers", () => {
    const text = "- The budget is EUR 2 million and Ada Lind owns it. [1]";
    const headings = ["What is the budget of the plan?", "Who owns the plan?"];
    expect(
      compose(
        headings.map((heading) => ({ heading, text })),
        3,
      ),
    ).toBe(`## ${headings[0]}\n${text}\n\n## ${headings[1]}\n${text}`);
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

describe("shortened", () => {
  const draft = `## Goals
- Halve false alarms [1]
- Grow [2]

| a | b |
| --- | --- |

Table from [3]

Note: editions differ [4].

## Who pays?
No sentence found that answers: "Who pays?"

## Risks
- False alarms [5]
- Late people [6]`;

  it("keeps what each part begins with before what follows, and the notes of what is kept", () => {
    expect(statementsIn(draft)).toBe(4);
    expect(shortened(draft, 2, false)).toBe(
      '## Goals\n- Halve false alarms [1]\n\nNote: editions differ [4].\n\n## Who pays?\nNo sentence found that answers: "Who pays?"\n\n## Risks\n- False alarms [5]',
    );
  });

  it("is that number of sentences and nothing else where a number is wanted", () => {
    expect(shortened(draft, 3, true)).toBe("- Halve false alarms [1]\n- Grow [2]\n- False alarms [5]");
    expect(shortened(draft, 1, true)).toBe("Halve false alarms [1]");
  });
});

describe("what a check found wanting", () => {
  const known = [sampleCitation("1", "Alarms fall to 0.9."), sampleCitation("2", "Revenue grows.")];
  const check = (draft: string): string => {
    const verdict = readVerdict(
      writeVerdict(draft, answerCheck.check(draft, { citations: known, tables: [], given: [] })),
    );
    return without(draft, verdict.lines);
  };
  const draft =
    "## Goals\n- Alarms fall to 0.5. [1]\n- **Lead.** Revenue grows. [2]\n\n## Budget\n- It costs 3 million. [3]";
  const kept = "## Goals\n- **Lead.** Revenue grows. [2]";

  it("is taken out, and a heading with nothing left under it", () => {
    expect(check(draft)).toBe(kept);
  });

  it("is a table with a wrong cell as a whole", () => {
    const table = "| A | B |\n| --- | --- |\n| Alarms | 0.5 |\n\nTable from [1]";
    expect(check(`${kept}\n\n${table}`)).toBe(kept);
  });

  it("is a long sentence too, and nothing where the draft holds", () => {
    const long = `- ${"Foresight will warn ".repeat(12)}now.`;
    expect(check(`${long}\n- **Lead.** Revenue grows. [2]`)).toBe("- **Lead.** Revenue grows. [2]");
    expect(check(kept)).toBe(kept);
    expect(readVerdict(`${writeVerdict(kept, [])}\n\nSources:\n[1] A`)).toEqual({
      holds: true,
      lines: new Set(),
    });
  });
});
