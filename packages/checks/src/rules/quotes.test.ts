import { expect, test } from "vitest";

import { passages } from "../testing/evidence.ts";
import { findings } from "../testing/findings.ts";
import { splitSentences } from "../text/sentences.ts";
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

const LETTER = passages(
  "We will never stop growing. Revenue was EUR 12.4 million, up from EUR 11.1 million in 2024. It don't matter. " +
    "我们永远不会停止增长，收入增长。",
);
const LONG = "we will never stop growing ".repeat(40).trim();

test.each([
  ["She said: “We never stop. Growth is all we want.” [1]", ["quote: We never stop. Growth is all we want."]],
  ["She said: “We will never stop growing. Revenue was EUR 12.4 million.” [1]", ["verified"]],
  ['She said: "We never stop! Growth is all we want." [1]', ["quote: We never stop! Growth is all we want."]],
  ["She said ‘we never stop’ [1].", ["quote: we never stop"]],
  ["She said ‘we will never stop’ [1].", ["verified"]],
  ["She said ‘it doesn’t matter’ [1].", ["quote: it doesn’t matter"]],
  ["She said ‘it don’t matter’ [1].", ["verified"]],
  ["She said 'we never stop' [1].", ["quote: we never stop"]],
  ["She said 'it don't matter' [1].", ["verified"]],
  ["She said 'we will never stop' [1].", ["verified"]],
  ["The owners' firm and the workers' firm [1].", ["verified"]],
  ["It was rock 'n' roll 'n' more [1].", ["verified"]],
  ["Elle dit ‹ we never stop › [1].", ["quote: we never stop"]],
  ["Sie sagt ‚we never stop‘ [1].", ["quote: we never stop"]],
  ["Er meint: „Sie sagt ‚we never stop‘ oft“ [1].", ["quote: Sie sagt ‚we never stop‘ oft"]],
  ["Hon sa ”we never stop” [1].", ["quote: we never stop"]],
  ["她说「我们停止增长」[1]。", ["quote: 我们停止增长"]],
  ["她说「我们永远不会停止增长」[1]。", ["verified"]],
  ["She said &quot;we never stop&quot; [1].", ["quote: we never stop"]],
  [`She said “${LONG}” [1].`, [`quote: ${LONG}`]],
  ["She said “Revenue was [EUR 18.7 million], up from EUR 11.1 million” [1].", ["figure: 18.7 million"]],
  ["She said “Revenue was [EUR 12.4 million], up from EUR 11.1 million” [1].", ["verified"]],
])("quotes of all forms are compared: %s", (answer, expected) => {
  expect(findings(answer, LETTER, { language: "en" })).toEqual(expected);
});

test.each([
  'It is 5" wide. The other is 6" wide.',
  "“One. It never closes.",
  'The "cut" is here. Its "depth" is there.',
])("a sentence ends outside of quotes: %s", (answer) => {
  expect(splitSentences(answer)).toHaveLength(2);
});
