import { NO_USAGE, type SentenceCheck } from "@troupe/stream";
import { expect, it } from "vitest";

import type { StepResult } from "../ports/delegation.ts";
import { givenByStep, givenInMessages } from "./given.ts";
import { withoutArguments } from "./written-arguments.ts";

const step = (answer: string, more: Partial<StepResult> = {}): StepResult => ({
  stepId: "s",
  agent: "a",
  outcome: "completed",
  answer,
  data: null,
  citations: [],
  artifacts: [],
  usage: NO_USAGE,
  provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
  ...more,
});
const passage = {
  id: "1",
  document: "d",
  source: "d.md",
  collection: "c",
  chunkId: "k",
  quote: "q",
  start: 0,
  end: 1,
};
const held = (sentence: string): SentenceCheck => ({ sentence, status: "verified" });

it.each([
  ["a query without hits", 'No passages for "growth of Tideline in 2024".', 'No passages for " ".'],
  ["a title", "Added slide 3: Revenue grew 4,5 %", "Added slide 3:         grew     %"],
  ["a figure with separators", "Took 1,200,000 of 9.", "Took           of 9."],
  ["a unit of a figure it found", "92.5 EUR by Tideline", "92.5 EUR by         "],
])("keeps of a tool text with %s what does not stand in the arguments", (_, text, rest) => {
  const args = {
    query: "growth of Tideline in 2024",
    slides: [{ title: "Revenue to 4.5", amount: 1_200_000, to: "EUR" }],
  };
  expect(withoutArguments(text, args)).toBe(rest);
});

it("gives nothing of a text where the arguments are too many to look for", () => {
  const args = Array.from({ length: 2_100 }, (_, n) => `a word ${n}`);
  expect(withoutArguments("Sales were 4.5.", args)).toBe("");
});

it("gives of a cut answer its checked sentences and not the beginning of the last", () => {
  const checks = [held("Sales rose to 4.5 [1].")];
  const cut = step("## Sales\nSales rose to 4.5 [1]. Tideline lost 2.4", {
    checks,
    abridged: { answerChars: 90 },
  });
  expect(givenByStep(cut)).toEqual(["Sales rose to 4.5 [1].\n## Sales"]);
  expect(givenByStep({ ...cut, answer: "Tideline lost 2.4", checks: [] })).toEqual([""]);
});

it("gives no answer with evidence that was not checked, nor figures beside its checked sentences", () => {
  expect(givenByStep(step("Sales were 2.4."))).toEqual(["Sales were 2.4."]);
  expect(givenByStep(step("Sales were 2.4.", { checks: [], citations: [passage] }))).toEqual([]);
  expect(givenByStep(step("Sales were 2.4.", { abridged: { citations: 3 } }))).toEqual([]);
  expect(givenByStep(step("So. Sales were 2.4.", { checks: [held("So.")] }))).toEqual(["So."]);
});

it("leaves out statements that tools list as unverified, in checked and unchecked answers", () => {
  const unverified = [
    { slide: 3, place: "title", statement: "Margin is 97 % now", problem: "97 % was not found" },
  ];
  const data = { save: { unverified, compared: true } };
  const line = 'Not found in the sources: slide 3, title: "Margin is 97 % now": 97 % was not found.';
  const said = `${line} Slide 4 has 12 points.`;
  for (const more of [{}, { checks: said.split(". ").map((one) => held(one.replace(/\.?$/, "."))) }]) {
    const given = givenByStep(step(said, { ...more, data })).join();
    expect(given).toContain("12 points");
    expect(given).not.toMatch(/97|Margin/);
  }
});

it("gives of messages of an older suspended run neither errors nor arguments nor refusals", () => {
  const request = { runId: "r", text: "", history: [] };
  const call = (callId: string) => ({ callId, name: "t", arguments: '{"n": 7}' });
  const result = (callId: string, text: string, isError = false) => ({ callId, name: "t", text, isError });
  const given = givenInMessages(
    [
      { role: "user", text: "Go." },
      { role: "assistant", text: "", toolCalls: [call("a"), call("b")] },
      { role: "tool", results: [result("a", "7 of 9"), result("b", "not 8", true)] },
      { role: "user", text: "The answer was not accepted. 2.4" },
    ],
    request,
  );
  expect(given).toEqual(["Go.", "  of 9"]);
});
