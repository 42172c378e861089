import { EMPTY_RESPONSE, type Citation } from "@troupe/stream";
import { expect, it } from "vitest";

import type { Expectations } from "./eval-file.ts";
import { checkTurn, type Observed } from "./expectations.ts";

const citation = (id: string, document: string, page: number): Citation => ({
  id,
  document,
  source: `${document}.pdf`,
  page,
  collection: "c",
  chunkId: id,
  quote: "q",
  start: 0,
  end: 1,
});

const ANSWER = "Employees have **28 days** of holiday [1]. Revenue was EUR 1.9 million [2].";

function seen(more: Partial<Observed> = {}, content = ANSWER): Observed {
  return {
    outcome: "completed",
    response: {
      ...EMPTY_RESPONSE,
      content,
      citations: [citation("1", "handbook", 4), citation("2", "report", 9), citation("3", "plan", 1)],
    },
    agents: ["rag-agent", "data-agent"],
    calls: 5,
    tokens: 9_000,
    seconds: 12.34,
    ...more,
  };
}

const failed = (expectations: Expectations, observed = seen()): readonly string[] =>
  checkTurn(expectations, observed).map(({ expectation, message }) => `${expectation}: ${message}`);

it("returns no failure for a turn that meets its expectations", () => {
  const all: Expectations = {
    facts: ["28 days", ["1.8 million", "/1\\.9\\s?(million|m)/"]],
    not: ["30 days"],
    numbers: [{ value: 1_900_000, unit: "EUR" }],
    citations: { min: 2, documents: [{ document: "handbook.pdf", page: 4 }, { document: "Report" }] },
    refusal: false,
    agents: { isExact: true, names: ["data-agent", "rag-agent"] },
    steps: { min: 2, max: 2 },
    outcome: ["completed"],
    max_calls: 5,
    max_tokens: 9_000,
    max_seconds: 13,
  };
  expect(failed(all)).toEqual([]);
});

it.each<[Expectations, string]>([
  [{ facts: ["30 days"] }, 'facts: "30 days" is not in the answer: "Employees have **28 days**'],
  [{ facts: [["a thing", "/b thing/"]] }, 'facts: "a thing" or /b thing/ is not in the answer'],
  [{ not: ["28 days"] }, 'not: "28 days" is in the answer: "Employees have **28 days** of holiday [1]."'],
  [
    { numbers: [{ value: 30, unit: "days" }] },
    "numbers: 30 days is not in the answer; it has 28 days, 1.9 million",
  ],
  [
    { citations: { min: 3, documents: [] } },
    "citations: at least 3 expected, 2 found: handbook, page 4, report, page 9",
  ],
  [
    { citations: { documents: [{ document: "plan" }] } },
    'citations: "plan" is not cited; cited: handbook, page 4, report, page 9',
  ],
  [
    { citations: { documents: [{ document: "handbook", page: 5 }] } },
    'citations: "handbook", page 5, is not cited',
  ],
  [{ refusal: true }, "refusal: the answer does not say that it is not there"],
  [
    { agents: { isExact: true, names: ["rag-agent"] } },
    "agents: rag-agent expected, used: rag-agent, data-agent",
  ],
  [
    { agents: { isExact: false, names: ["ppt-agent"] } },
    "agents: ppt-agent among others expected, used: rag-agent, data-agent",
  ],
  [{ steps: { min: 3 } }, "steps: at least 3 expected, there are 2"],
  [{ charts: { min: 1 } }, "charts: at least 1 expected, there are 0"],
  [{ verified: true }, "verified: nothing of the answer was checked"],
  [{ outcome: ["partial"] }, "outcome: partial expected, the run ended completed"],
  [{ deck: { slides: { min: 1, max: 2 } } }, "deck: a presentation is expected, the run made none"],
  [{ max_calls: 4 }, "max_calls: at most 4 model calls expected, it took 5"],
  [{ max_tokens: 8_999 }, "max_tokens: at most 8,999 tokens expected, it took 9,000"],
  [{ max_seconds: 12 }, "max_seconds: at most 12 seconds expected, it took 12.3"],
])("says of %j what was found instead", (expectations, message) => {
  expect(failed(expectations)).toEqual([expect.stringContaining(message)]);
});

it("compares the slides of a presentation", () => {
  const deck = {
    name: "a.pptx",
    titles: ["AI strategy", "Sources"],
    charts: 0,
    unverified: ["slide 1: Not found in the sources: 71 %"],
    problems: ["slide 2: too small"],
  };
  const wanted = { slides: { min: 3, max: 5 }, charts: { min: 1 }, titles: ["strategy", "risks"] };
  expect(failed({ deck: { ...wanted, verified: true, lint: true } }, seen({ deck }))).toEqual([
    "deck.slides: 3 to 5 expected, there are 2",
    "deck.charts: at least 1 expected, there are 0",
    'deck.titles: "risks" is in no title: AI strategy | Sources',
    "deck.verified: 1 of its slides state what is not found: slide 1: Not found in the sources: 71 %",
    "deck.lint: 1 found: slide 2: too small",
  ]);
});

it.each([
  ["The documents do not say what parking costs in Oslo.", true],
  ["No passage matches these words: opera.", true],
  ["In den Unterlagen steht nichts zu Parkgebühren.", true],
  ["Les documents ne mentionnent pas le prix.", true],
  ["The policy does not say it; it names only Bergen [1].\n\nThere is no information on Oslo.", true],
  ["There is no charge in the documents [1].", false],
  ["Parking costs EUR 12 [1].", false],
  ["- Parking costs EUR 12. [1]\n\nThese are quotes; fixed rules write no answer.", false],
])("takes %j for a refusal: %s", (content, isRefusal) => {
  expect(failed({ refusal: true }, seen({}, content)).length === 0).toBe(isRefusal);
  expect(failed({ refusal: false }, seen({}, content)).length === 0).toBe(!isRefusal);
});

it.each([
  ["Looking further takes a model.", true],
  ["It costs EUR 12 [1], but not in Oslo.", false],
])("takes the partial answer %j for a refusal: %s", (content, isRefusal) => {
  const partial = seen({ outcome: "partial" }, content);
  expect(failed({ refusal: true }, partial).length === 0).toBe(isRefusal);
});

it.each([
  { facts: ["/(a+)+$/"] },
  { not: ["/(a+)+$/"] },
  { deck: { titles: ["/(a+)+$/"] } },
] satisfies readonly Expectations[])(
  "stops a regular expression that takes too long, and names its line: %j",
  (expectations) => {
    const text = `${"a".repeat(50)}!`;
    const deck = { name: "a.pptx", titles: [text], charts: 0, unverified: [], problems: [] };
    const failures = checkTurn(expectations, seen({ deck }, text), new Map([["/(a+)+$/", 12]]));
    expect(failures.map(({ message }) => message)).toEqual([
      "line 12: /(a+)+$/ takes longer than 1 s on this text; write it without a repetition inside another",
    ]);
  },
);

it("shows 120 characters of a long answer", () => {
  const [failure = ""] = failed({ facts: ["x".repeat(300)] }, seen({}, "An answer. ".repeat(100)));
  expect(failure.length).toBeLessThan(250);
});

it("counts a task without an agent as a refusal, and an answer with unverified claims as none", () => {
  const error = { code: "workflow.no-agent", message: "No agent books rooms.", retryable: false };
  const nobody = seen({ outcome: "failed", error, agents: [] }, "");
  expect(failed({ refusal: true, agents: { isExact: true, names: [] } }, nobody)).toEqual([]);
  expect(failed({}, nobody)).toEqual([
    "outcome: completed expected, the run ended failed: No agent books rooms.",
  ]);
  const content = "The documents do not say it, but it is EUR 12.";
  const finding = {
    sentence: content,
    status: "finding",
    finding: { kind: "uncited", detail: "12" },
  } as const;
  const response = { ...EMPTY_RESPONSE, content, checks: [finding] };
  expect(failed({ refusal: true }, seen({ response }))).toHaveLength(1);
  expect(failed({ verified: true }, seen({ response }))).toEqual([
    `verified: "${content}" is not in its sources: 12`,
  ]);
});
