import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseMarkdown } from "./markdown.ts";
import { parsePlainText } from "./plain-text.ts";

const page = (source: string) => parseMarkdown(source).pages[0]!;

describe("parseMarkdown", () => {
  it("reads front matter, joins wrapped paragraphs and drops markup", () => {
    const raw = parseMarkdown(
      '---\ntitle: "AI Policy"\nVersion: 2.1\ntags:\n  - x\n---\n# AI *Policy*\n\nWe use **models** from\n[a list](https://x.example/a) and `code`.\n',
    );
    expect(raw.properties).toEqual({ title: "AI Policy", version: "2.1" });
    expect(raw.pages[0]?.text).toBe("AI Policy\n\nWe use models from a list and code.");
    expect(raw.pages[0]?.headings).toEqual([{ level: 1, text: "AI Policy", start: 0 }]);
  });

  it("keeps one list item, table row and code line a line", () => {
    const { text } = page(
      "## Data\n\n- one\n  goes on\n- two\n\n| Site | Units |\n|---|---:|\n| Oslo | 12 |\n\n```\na = 1\n# no heading\n```\n",
    );
    expect(text).toBe("Data\n\n- one goes on\n- two\n\nSite | Units\nOslo | 12\na = 1\n# no heading");
  });

  it("knows underlined headings and numbered lists, and that a rule is none", () => {
    const { text, headings } = page("Title\n=====\n\nPart\n---\n\n1. First\n2. Second\n\n***\n\nEnd.");
    expect(headings.map(({ level, text: heading }) => [level, heading])).toEqual([
      [1, "Title"],
      [2, "Part"],
    ]);
    expect(text).toContain("1. First\n2. Second");
    expect(text).not.toContain("***");
  });

  it("leaves underscores in names and stars in sums alone", () => {
    expect(page("Set max_iterations_total to 2 * 3 * 4.").text).toBe(
      "Set max_iterations_total to 2 * 3 * 4.",
    );
  });

  it("puts every heading where it says, for any input, and never loses a word", () => {
    const piece = fc.constantFrom(
      "# A",
      "b",
      "\n",
      "\n\n",
      "| x | y |",
      "- i",
      "> q",
      "```",
      "---",
      "  ",
      "__w__",
      "1. n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
        const { text, headings } = page(parts.join("\n"));
        for (const heading of headings)
          expect(text.slice(heading.start, heading.start + heading.text.length)).toBe(heading.text);
      }),
    );
  });
});

describe("parsePlainText", () => {
  it("joins hard-wrapped prose and keeps lists", () => {
    const raw = parsePlainText(
      "The quick brown fox jumps over the lazy dog again\nand again until it is tired.\r\n\r\n- a\n- b\n\nName: Kim\nRole: Lead\n",
    );
    expect(raw.pages[0]?.text).toBe(
      "The quick brown fox jumps over the lazy dog again and again until it is tired.\n\n- a\n- b\n\nName: Kim\nRole: Lead",
    );
  });
});
