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
