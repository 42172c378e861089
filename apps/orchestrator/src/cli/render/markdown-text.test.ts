import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";

import { colors } from "./color.ts";
import { harmless } from "./harmless.ts";
import { markdownText, wrapLines } from "./markdown-text.ts";

const plain = (text: string, columns = 40): string => markdownText(text, { columns, colors: colors(false) });

describe("markdownText", () => {
  it("wraps paragraphs at words", () => {
    expect(plain("The budget for the new roaster is 1.4 million euros, paid in two parts.")).toBe(
      "The budget for the new roaster is 1.4\nmillion euros, paid in two parts.",
    );
  });

  it("shows headings, emphasis, code and links without their marks", () => {
    const text =
      "## Goals\n\n**Two** of *four*, see `plan.md`, ~~not~~ [the site](https://a.example) or <https://b.example> [1].";
    expect(plain(text, 100)).toBe(
      "Goals\n\nTwo of four, see plan.md, not the site (https://a.example) or https://b.example [1].",
    );
    expect(markdownText("**Two** of", { columns: 80, colors: colors(true) })).toBe(
      "\u001b[1mTwo\u001b[22m of",
    );
  });

  it("indents the rows of list items, nested ones too", () => {
    const text =
      "1. Order the roaster in March, as the board decided\n2. Hire\n   - two roasters for the new hall in Bremen\n   - [x] one driver";
    expect(plain(text)).toBe(
      [
        "1. Order the roaster in March, as the",
        "   board decided",
        "2. Hire",
        "   • two roasters for the new hall in",
        "     Bremen",
        "   • [x] one driver",
      ].join("\n"),
    );
  });

  it("lays tables out in columns, wraps cells that are too wide, and aligns figures", () => {
    const table =
      "| Risk | What we do | EUR |\n| --- | --- | ---: |\n| Late delivery | Order early and keep a second supplier | 1,200 |\n| Fire | Drills | 90 |";
    const lines = plain(table).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(lines[0]).toMatch(/^Risk +What we do +EUR$/);
    expect(lines.at(-1)).toMatch(/^Fire +Drills +90$/);
    expect(lines.join(" ").replaceAll(/\s+/g, " ")).toContain("Late delivery Order early");
  });

  it("keeps code, and tables with no room for their columns, as they are", () => {
    const code = `const answer = "${"x".repeat(60)}";`;
    expect(plain(`\`\`\`ts\n${code}\n\`\`\``)).toBe(`    ${code}`);
    const wide = `|${"abcdefghij|".repeat(8)}\n|${"---|".repeat(8)}\n|${"1|".repeat(8)}`;
    expect(plain(wide)).toBe(wide);
  });

  it.each(["&#27;", "&#x1b;", "&#x9b;", "&#7;", "&#x202e;", "&#8238;", "\u001b", "\u009b", "\u202e"])(
    "writes no control character for %j, wherever it is",
    (entity) => {
      const hostile = `${entity}]52;c;aGFja2Vk`;
      const text = [
        `# Heading ${hostile}`,
        `Text ${hostile} **bold ${hostile}** _em ${hostile}_ ~~del ${hostile}~~ \`span ${hostile}\` <b title="${hostile}">`,
        `[link ${hostile}](https://a.example/${entity}x "title ${hostile}") ![image ${hostile}](b${entity}.png)`,
        `<https://a.example/${entity}> \\${entity} [ref]`,
        `[ref]: https://a.example/${entity} "${hostile}"`,
        `- item ${hostile}\n- [x] ${hostile}\n\n1. one ${hostile}`,
        `> quote ${hostile}`,
        `| head ${hostile} | b |\n| --- | --- |\n| cell ${hostile} | \`${hostile}\` |`,
        `|${`${hostile}|`.repeat(20)}\n|${"---|".repeat(20)}\n|1|`,
        `    indented ${hostile}`,
        `\`\`\`${hostile}\nfenced ${hostile}\n\`\`\``,
        `<div>${hostile}</div>`,
        `long ${hostile} ${"word ".repeat(2_000)}`,
      ];
      for (const one of [...text, text.join("\n\n")]) {
        const shown = plain(one, 80);
        expect(shown).toBe(harmless(shown));
      }
    },
  );

  it("does not search very long blocks for marks, which takes quadratic time", () => {
    const long = "**a** ".repeat(1_000).trim();
    expect(plain(`**One**\n\n${long}\n\n- **two**`).split("\n\n")).toEqual([
      "One",
      expect.stringMatching(/^(?:\*\*a\*\*\s?){1000}$/),
      "• two",
    ]);
    expect(plain(`${"- ".repeat(60)}**deep**`, 200)).toBe(`${"- ".repeat(60)}**deep**`);
  });

  it("survives quotes nested without end", () => {
    expect(plain(`${"> ".repeat(20_000)}deep`)).toContain("deep");
  });

  it("loses no word and writes no row wider than the terminal, whatever the marks", () => {
    const parts = constantFrom(
      "North",
      "leads",
      "**",
      "*",
      "`",
      "\n",
      "\n\n",
      "- ",
      "1. ",
      "## ",
      "> ",
      "[1]",
      "_",
    );
    assert(
      property(array(parts, { maxLength: 60 }), (words) => {
        const shown = plain(words.join(" "), 30);
        for (const word of ["North", "leads"])
          expect(shown.split(word).length).toBe(words.filter((one) => one === word).length + 1);
        const rows = words.includes("`") || /^ {4}/m.test(shown) ? [] : shown.split("\n");
        expect(Math.max(0, ...rows.map((row) => row.length))).toBeLessThanOrEqual(30);
      }),
    );
  });
});

it("wraps a list of sources with an indent", () => {
  expect(wrapLines("  [1] [3] Strategy 2026, p. 4, § Delivery of the roaster\n  [2] Minutes", 34, 4)).toBe(
    "  [1] [3] Strategy 2026, p. 4,\n      § Delivery of the roaster\n  [2] Minutes",
  );
});
