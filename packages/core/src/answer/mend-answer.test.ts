import { expect, it } from "vitest";

import { removeUnknownReferences, replaceSentences, withSquareBrackets } from "./mend-answer.ts";

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

it("applies 40 replacements of 2,000 characters at most", () => {
  const answer = Array.from({ length: 45 }, (_, n) => `Line ${n}.`).join(" ");
  const all = Array.from({ length: 45 }, (_, n) => ({ sentence: `Line ${n}.`, text: "So." }));
  expect(replaceSentences(answer, all).missing).toEqual([40, 41, 42, 43, 44].map((n) => `Line ${n}.`));
  const long = "a ".repeat(1_001);
  expect(replaceSentences(long, [{ sentence: long, text: "b" }])).toEqual({ text: long, missing: [long] });
});

it("finds a sentence that begins with repeated words", () => {
  const sentence = `${"a ".repeat(900)}b.`;
  const answer = `${"a ".repeat(2_000)}a\n b. End.`;
  const { text, missing } = replaceSentences(answer, [{ sentence, text: "c." }]);
  expect(missing).toEqual([]);
  expect(text.endsWith("a c. End.")).toBe(true);
});
