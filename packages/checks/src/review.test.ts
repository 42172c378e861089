import { scriptedModel, type ScriptedModel } from "@troupe/core/testing";
import { expect, test } from "vitest";

import { answerCheck } from "./answer-check.ts";
import { evidenceOf, passages } from "./testing/evidence.ts";

const EVIDENCE = passages(
  "The list price has not changed since the launch in 2024. It is EUR 1,450.",
  "Operators answer every alarm themselves; nobody calls the customer.",
);
const ANSWER = "The list price has changed since the launch in 2024 [1]. Customers are called at night [2].";
const signal = new AbortController().signal;

async function review(text: string, answer = ANSWER) {
  const model: ScriptedModel = scriptedModel([{ text, usage: { inputTokens: 900, outputTokens: 40 } }]);
  const checks = answerCheck.check(answer, EVIDENCE, { language: "en" });
  const reviewed = await answerCheck.review(checks, EVIDENCE, { model, signal });
  return { model, usage: reviewed.usage, checks: reviewed.checks.map(({ finding }) => finding) };
}

const line = (n: number, verdict: string, words: string): string =>
  `${JSON.stringify({ n, verdict, words })}\n`;

test("a sentence is contradicted by words that are verbatim in its passage", async () => {
  const text = line(1, "contradicted", "has NOT  changed since") + line(2, "supported", "answer every alarm");
  const { checks, usage } = await review(text);
  expect(checks).toEqual([{ kind: "contradicted", detail: "has NOT  changed since" }, undefined]);
  expect(usage.map(({ inputTokens }) => inputTokens)).toEqual([900]);
});

test.each([
  ["in an array", (verdicts: readonly object[]) => JSON.stringify(verdicts)],
  [
    "over several lines in a fence",
    (verdicts: readonly object[]) => `\`\`\`json\n${JSON.stringify(verdicts, null, 2)}\n\`\`\``,
  ],
])("verdicts %s are read", async (_, written) => {
  const verdicts = [
    { n: 1, verdict: "contradicted", words: "has not changed since" },
    { n: 2, verdict: "supported", words: "answer {every} alarm" },
  ];
  expect((await review(written(verdicts))).checks).toEqual([
    { kind: "contradicted", detail: "has not changed since" },
    undefined,
  ]);
});

test("a verdict whose words are in no cited passage counts for nothing", async () => {
  const text =
    line(1, "contradicted", "the price was raised") + line(2, "contradicted", "has not changed since");
  expect((await review(text)).checks).toEqual([undefined, undefined]);
});

test("a sentence without figures may be not there; with figures that hold it may not", async () => {
  const text = line(1, "not there", "") + line(2, "not there", "");
  expect((await review(text)).checks).toEqual([undefined, { kind: "not-there", detail: "[2]" }]);
});

test.each([
  ["no JSON", "I think the first one is wrong."],
  ["broken JSON", '{"n": 1, "verdict": "contradicted", "words": "has not chan'],
  [
    "another shape",
    '[1, "contradicted"]\n{"n": "1", "verdict": "contradicted", "words": "has not changed"}\n{}\nnull',
  ],
  ["an unknown number", line(7, "contradicted", "has not changed since")],
  [
    "two verdicts",
    line(1, "contradicted", "has not changed since") + line(1, "supported", "has not changed since"),
  ],
])("malformed output makes no findings: %s", async (_, text) => {
  expect((await review(text)).checks).toEqual([undefined, undefined]);
});

test("one call has every cited sentence under its passage, each passage once", async () => {
  const { model } = await review("", `${ANSWER} It is EUR 1,450 [1].`);
  const [request] = model.requests;
  const [message] = request?.messages ?? [];
  const text = message?.role === "user" ? message.text : "";
  expect(model.requests).toHaveLength(1);
  expect(text.match(/The list price has not changed/g)).toHaveLength(1);
  expect(text).toContain("1. The list price has changed since the launch in 2024 .\n3. It is EUR 1,450");
});

test("a sentence without a citation is compared with the results, by the words of a row", async () => {
  const evidence = evidenceOf({
    results: [
      {
        id: "q1",
        title: "Sales",
        columns: ["region", "sales"],
        rows: [
          ["North", 412],
          ["South", 390],
        ],
      },
    ],
  });
  const checks = answerCheck.check("The South sold 390, more than the North.", evidence, { language: "en" });
  const reviewed = async (...lines: readonly string[]) => {
    const model = scriptedModel([{ text: lines.join("") }]);
    const found = await answerCheck.review(checks, evidence, { model, signal });
    return { findings: found.checks.map(({ finding }) => finding), model };
  };
  const { findings, model } = await reviewed(line(1, "contradicted", "North | 412"));
  expect(findings).toEqual([{ kind: "contradicted", detail: "North | 412" }]);
  const [message] = model.requests[0]?.messages ?? [];
  expect(message?.role === "user" && message.text).toContain(
    '<result id="q1" from="Sales">\nregion | sales\nNorth | 412\nSouth | 390\n</result>\n\nSentences that rest on q1:\n1. ',
  );
  expect((await reviewed(line(1, "contradicted", "North | 500"))).findings).toEqual([undefined]);
  expect((await reviewed(line(1, "not there", ""))).findings).toEqual([undefined]);
});

test("the items of a list are compared with the passage that its intro cites, not with results", async () => {
  const evidence = {
    ...passages("Havn made 412 tonnes.", "Sund has 5 boats and no crane."),
    tables: evidenceOf({ results: [{ id: "q1", columns: ["n"], rows: [[5]] }] }).tables,
  };
  const checks = answerCheck.check("Sund [2]:\n- 5 boats\n- a crane, since 5 boats need one", evidence);
  const model = scriptedModel([{ text: line(3, "contradicted", "no crane") }]);
  const reviewed = await answerCheck.review(checks, evidence, { model, signal });
  expect(reviewed.checks.map(({ finding }) => finding)).toEqual([
    undefined,
    undefined,
    { kind: "contradicted", detail: "no crane" },
  ]);
  const [message] = model.requests[0]?.messages ?? [];
  expect(message?.role === "user" && message.text).not.toContain("<result");
});

test("the deciding words are whole words", async () => {
  const { checks } = await review(line(1, "contradicted", "the list price has not chan"));
  expect(checks).toEqual([undefined, undefined]);
});

test("without a cited sentence no model is asked", async () => {
  const model = scriptedModel([]);
  await answerCheck.review(answerCheck.check("Hello.", EVIDENCE), EVIDENCE, { model, signal });
  expect(model.requests).toEqual([]);
});
