import * as fc from "fast-check";
import { expect, it } from "vitest";

import { clip } from "../text/clip.ts";
import { removeUnknownReferences, replaceSentences, withSquareBrackets } from "./correct-answer.ts";

const isKnown = (id: string): boolean => id === "1";

it.each([
  "Der Wert liegt im Intervall [0, 1].",
  "Then x[3] = 4.",
  "Text.\n[2]: https://example.com",
  "Known [[1]].",
  "The law says [12] here.",
])("keeps brackets that are no reference: %s", (answer) => {
  expect(removeUnknownReferences(answer, isKnown, ["as in [12] of it"])).toEqual({
    text: answer,
    unknown: [],
  });
});

it("removes double brackets whole, and reads other brackets", () => {
  expect(removeUnknownReferences("So [[99]].", isKnown)).toEqual({ text: "So.", unknown: ["99"] });
  expect(withSquareBrackets("So【14】, `【2】`, 【3†plan】 and 【note】.")).toBe(
    "So[14], `【2】`, [3] and 【note】.",
  );
});

it.each([
  ["a [99†source].", "a."],
  ["b [Source 99].", "b."],
  ["c [doc 99].", "c."],
  ["d [#99].", "d."],
  ["e [ref99].", "e."],
  ["f [99–101].", "f."],
  ["g [99, p. 4].", "g."],
  ["h [99a].", "h."],
  ["i [^99].", "i."],
  ["j [**99**].", "j."],
  ["k ［99］.", "k."],
  ["l 【99†L1】.", "l."],
  ["m [1-99].", "m [1]."],
  ["```markdown\nn [99].\n```", "```markdown\nn.\n```"],
])("removes an unknown reference: %s", (answer, text) => {
  expect(removeUnknownReferences(answer, isKnown)).toMatchObject({ text });
  expect(removeUnknownReferences(answer, isKnown).unknown).toContain("99");
});

it.each(["[1, p. 99]", "[source 1]", "[^1]", "[1†source]"])("writes a known reference as [1]: %s", (mark) => {
  expect(removeUnknownReferences(`So ${mark}.`, isKnown)).toEqual({ text: "So [1].", unknown: [] });
});

it.each(["[Figure 1]", "[x[3]]", "[0.5, 0.7]", "[page](#a)", "- [x] done", "`[99]`", "```\nf(a[99])\n```"])(
  "keeps %j",
  (answer) => {
    expect(removeUnknownReferences(answer, isKnown)).toEqual({ text: answer, unknown: [] });
  },
);

it("applies 40 replacements of 2,000 characters at most", () => {
  const answer = Array.from({ length: 45 }, (_, n) => `Line ${n}.`).join(" ");
  const all = Array.from({ length: 45 }, (_, n) => ({ sentence: `Line ${n}.`, text: "So." }));
  expect(replaceSentences(answer, all).missing).toEqual([40, 41, 42, 43, 44].map((n) => `Line ${n}.`));
  const long = "a ".repeat(1_001);
  expect(replaceSentences(long, [{ sentence: long, text: "b" }])).toEqual({ text: long, missing: [long] });
});

it("replaces the whole sentence if the model quotes its shortened form", () => {
  const long = `It took ${"3.7 EUR, ".repeat(300)}and more [1].`;
  const shown = clip(long, 2_000);
  for (const rest of ["", " End.", "\n\nEnd."])
    expect(replaceSentences(`So. ${long}${rest}`, [{ sentence: shown, text: "It took less [1]." }])).toEqual({
      text: `So. It took less [1].${rest}`,
      missing: [],
    });
  expect(replaceSentences("So.", [{ sentence: shown, text: "b" }]).missing).toEqual([shown]);
});

it("finds a sentence that begins with repeated words", () => {
  const sentence = `${"a ".repeat(900)}b.`;
  const answer = `${"a ".repeat(2_000)}a\n b. End.`;
  const { text, missing } = replaceSentences(answer, [{ sentence, text: "c." }]);
  expect(missing).toEqual([]);
  expect(text.endsWith("a c. End.")).toBe(true);
});

it.each([
  ["- Sales rose.\n- Costs fell.", "- Costs fell.", "- Costs grew.", "- Sales rose.\n- Costs grew."],
  ["- Sales rose.\n- Costs fell.", "Costs fell.", "- Costs grew.", "- Sales rose.\n- Costs grew."],
  ["- Sales rose.\n- Costs fell.", "- Costs fell.", "Costs grew.", "- Sales rose.\n- Costs grew."],
  ["1. Sales rose.\n2. Costs fell.", "1. Costs fell.", "Costs grew.", "1. Sales rose.\n2. Costs grew."],
  ["Sales rose. Costs fell.", "- Costs fell.", "Costs grew.", "Sales rose. Costs grew."],
  ["- Sales rose. Costs fell.", "Costs fell.", "- Costs grew.", "- Sales rose. Costs grew."],
  ["Sales rose. Costs fell.", "Sales rose.", "- Sales fell.", "Sales fell. Costs fell."],
  ["- Es begann im Mai.", "Es begann im Mai.", "12. Juni war der Beginn.", "- 12. Juni war der Beginn."],
  ["Sales rose. Costs fell.", '"Costs fell."', "Costs grew.", "Sales rose. Costs grew."],
])("finds a sentence named with a mark or quotes: %j, %j by %j", (answer, sentence, text, expected) => {
  expect(replaceSentences(answer, [{ sentence, text }])).toEqual({ text: expected, missing: [] });
});

it("leaves an answer as it is where sentences are replaced by themselves", () => {
  const line = fc
    .tuple(
      fc.constantFrom("", "- ", "* ", "12. ", "> "),
      fc.stringMatching(/^[A-Z][a-z]{2,9} [a-z0-9 ]{0,20}[a-z]\.$/),
    )
    .map(([mark, sentence]) => ({ mark, sentence }));
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { minLength: 1, maxLength: 6, selector: (one) => one.sentence }),
      (lines) => {
        const answer = lines.map(({ mark, sentence }) => mark + sentence).join("\n");
        for (const withMark of [true, false]) {
          const named = lines.map(({ mark, sentence }) => (withMark ? mark : "") + sentence);
          const replacements = named.map((sentence) => ({ sentence, text: sentence }));
          expect(replaceSentences(answer, replacements)).toEqual({ text: answer, missing: [] });
        }
      },
    ),
  );
});
