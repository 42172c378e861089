import { expect, test } from "vitest";

import { passages } from "../testing/evidence.ts";
import { findings } from "../testing/findings.ts";
import { holdsVerbatim } from "./quotes.ts";

test.each([
  ["15 million customers", "5 million customers", false],
  ["€5 million customers", "5 million customers", true],
  ["It fell by -5 % in May", "by 5 % in May", false],
  ["The list price is EUR 1,450.", "the list price is EUR 1", false],
  ["The list price is EUR 1,450.", "“The list price is EUR 1,450”.", true],
  ["They sold 1.5 million units", "5 million units", false],
  ["The plants are large", "the plant", false],
  ["The plant is profitable. Nothing else changed", "the plant is … not … profitable", false],
  ["The plant is not at all profitable", "the plant is … not … profitable", true],
  ["The plant is not profitable", "… the plant [...] profitable …", true],
  ["The plant is profitable", "profitable … the plant", false],
  ["The plant grew", "The plant … the plant grew", false],
  ["The plant, in Havn, is *profitable*", "The plant in Havn is profitable", true],
  ["At 45% of the price", "45 % of the price", true],
  ["Dots ... alone", "... … [...]", false],
])("%j has %j verbatim: %j", (text, words, expected) => {
  expect(holdsVerbatim(text, words)).toBe(expected);
});

test.each([
  ["The report counts “5 million paying customers” [1].", "quote: 5 million paying customers"],
  ["The report counts “15 million paying customers” [1].", "verified"],
  ["The report says “…, …, …” [1].", "quote: …, …, …"],
])("a quote has to be verbatim: %s", (answer, expected) => {
  expect(findings(answer, passages("It has 15 million paying customers."))).toEqual([expected]);
});
