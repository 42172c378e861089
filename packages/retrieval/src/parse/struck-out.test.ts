import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseMarkdown } from "./markdown.ts";

const textOf = (source: string): string => parseMarkdown(source).pages[0]?.text ?? "";

describe("what is struck out of Markdown", () => {
  it.each([
    ["tildes", "The budget is ~~EUR 5 million~~ EUR 6 million.", "The budget is EUR 6 million."],
    ["tildes around emphasis and a link", "It ends ~~**in [May](x)**~~ in June.", "It ends in June."],
    ["tildes over two lines", "We ~~ship on\nMonday and~~ ship on Friday.", "We ship on Friday."],
    ["tildes in tildes", "A ~~b ~~c~~ d~~ e", "A e"],
    ["tildes with one of them inside", "It costs ~~about ~5 EUR~~ 7 EUR.", "It costs 7 EUR."],
    ["elements", "Costs <del>5</del> <S class='x'>6</S> <strike>7</strike> 8 EUR.", "Costs 8 EUR."],
    [
      "an element over blocks",
      "Now.\n\n<del>\n\nOld fact.\n\n- old\n- older\n\n</del>\n\nToo.",
      "Now.\n\nToo.",
    ],
    ["an element in its like", "A <s>b <s>c</s> d</s> e", "A e"],
    ["elements that cross", "A <s>b <del>c</s> d</del> e", "A e"],
    ["an element behind one never closed", "A <s>b <s>c</s> d", "A b d"],
    ["an element in a heading", "# A <s>b</s>\n\nText.", "A\n\nText."],
    ["code in an element", "Set <del>`max=5`</del> `max=6`.", "Set max=6."],
    ["a whole item", "- kept\n- ~~gone~~\n- kept too", "- kept\n- kept too"],
    ["a whole heading", "# ~~Old~~\n\nText.", "Text."],
    ["a cell, which keeps its place", "| Year | ~~5~~ | 6 |", "Year |  | 6"],
    ["a whole row", "| a | b |\n|---|---|\n| ~~1~~ | ~~2~~ |\n| 3 | 4 |", "a | b\n3 | 4"],
  ])("is left out: %s", (_what, source, expected) => {
    expect(textOf(source)).toBe(expected.replaceAll("  ", " "));
  });

  it.each([
    ["code that shows the marks", "Write `~~x~~` or `<del>y</del>`.", "Write ~~x~~ or <del>y</del>."],
    ["a fence that shows the marks", "```\n~~x~~\n<del>y</del>\n```", "~~x~~\n<del>y</del>"],
    ["escaped marks", "Write \\~~x\\~~.", "Write ~~x~~."],
    ["tildes that say about", "From ~5 to ~10, ~~ 3 at ~~ 4.", "From ~5 to ~10, ~~ 3 at ~~ 4."],
    ["an element that is never closed", "One <del>two.\n\nThree.", "One two.\n\nThree."],
    ["an end without a beginning", "One </del> two <s>three", "One two three"],
    ["what goes over a heading", "One <s>two\n\n## Three\n\nFour</s>.", "One two\n\nThree\n\nFour."],
    ["what goes over a heading underlined", "A <s>b\n\nC\n---\n\nD</s>.", "A b\n\nC\n\nD."],
    ["what begins in a heading", "# One <s>two\n\nThree</s>.", "One two\n\nThree."],
    ["an opening mark alone", "One ~~two.", "One ~~two."],
    ["other elements", "<section>One</section> <small>two</small>.", "One two."],
  ])("is nothing of: %s", (_what, source, expected) => {
    expect(textOf(source)).toBe(expected);
  });

  it("never stays, and takes nothing else along", () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/);
    const piece = fc.record({
      word,
      how: fc.constantFrom("plain", "tildes", "del", "s", "code", "code of tildes"),
      after: fc.constantFrom(" ", "\n", "\n\n", "\n- ", "\n\n## "),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const marked = pieces.map(({ word: text, how, after }, at) => {
          const unique = `${text}${at}`;
          const written = {
            plain: unique,
            tildes: `~~${unique}~~`,
            del: `<del>${unique}</del>`,
            s: `<s>${unique}</s>`,
            code: `\`${unique}\``,
            "code of tildes": `\`~~${unique}~~\``,
          }[how];
          return { unique, gone: ["tildes", "del", "s"].includes(how), source: written + after };
        });
        const words = new Set(textOf(marked.map(({ source }) => source).join("")).match(/[a-z]+\d+/g));
        for (const { unique, gone } of marked) expect(words.has(unique)).toBe(!gone);
      }),
    );
  });
});
