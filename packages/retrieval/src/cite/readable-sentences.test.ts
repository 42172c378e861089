import { expect, it } from "vitest";

import { isReadable, readableSentences } from "./readable-sentences.ts";

it.each([
  "In 2025 we delivered 4,120 bikes, 18 % more than in 2024.",
  "Revenue rose from NOK 120.4 million to NOK 143.9 million in 2025.",
])("takes a sentence full of figures for one: %s", (sentence) => {
  expect(isReadable(sentence)).toBe(true);
  expect(readableSentences(`We are small. ${sentence}`).length).toBeGreaterThan(0);
});

it.each([
  "Skog 1,240 1,100 980 2,310 4,400.",
  "Q1 12 % Q2 14 % Q3 9 % Q4 11 %.",
  "A | B | C is a row of cells.",
])("takes a row of cells for none: %s", (row) => {
  expect(isReadable(row)).toBe(false);
});

it("takes a sentence that begins with there or it where it says by itself what is", () => {
  const passage = `There were 4 accidents in 2025. There are 84 employees at three sites.

- It is planned to reach ISO 9001 in May 2027.

The site in Graz is new. It is planned to open in May 2027.`;
  expect(readableSentences(passage).map(({ start, end }) => passage.slice(start, end))).toEqual([
    "There were 4 accidents in 2025.",
    "There are 84 employees at three sites.",
    "It is planned to reach ISO 9001 in May 2027.",
    "The site in Graz is new.",
  ]);
});
