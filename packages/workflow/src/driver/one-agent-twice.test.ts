import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent, type ChartSpec } from "@troupe/stream";
import { expect, it } from "vitest";

import { tryWorkflow } from "../testing/workflow-trial.ts";

const citation = (of: string, chunkId: string) => ({
  id: "1",
  document: of,
  source: `${of}.md`,
  collection: "c",
  chunkId,
  quote: of,
  start: 0,
  end: 1,
});
const chart = (title: string): ChartSpec => ({
  v: 1,
  id: "chart-1",
  kind: "bar",
  title,
  series: [{ field: "n", label: "N", type: "number" }],
  rows: [{ n: 1 }],
  provenance: { resultId: "result-1", query: title, source: "s.csv" },
});
const file = (digit: string) => ({
  id: "file-1",
  name: "notes.md",
  mediaType: "text/markdown",
  bytes: 1,
  sha256: digit.repeat(64),
  url: `http://127.0.0.1:9/${digit}`,
});
const event = (text: string): readonly AgentEvent[] => {
  const head = { v: EVENT_VERSION, runId: "own", attempt: 1, agent: "alpha" } as const;
  return [
    { ...head, seq: 0, type: "text-start", itemId: "t1", role: "answer" },
    { ...head, seq: 1, type: "text-delta", itemId: "t1", delta: text },
    { ...head, seq: 2, type: "text-end", itemId: "t1" },
    { ...head, seq: 3, type: "finish", outcome: "completed", response: EMPTY_RESPONSE, answerItems: ["t1"] },
  ];
};

/** Two steps of one agent, which numbers citations, charts, files, texts and calls alike in both. */
const run = (more: readonly { id: string; agent: string; instruction: string; depends_on: string[] }[]) =>
  tryWorkflow(
    {
      mode: "parallel",
      steps: [
        { id: "north", agent: "alpha", instruction: "North" },
        { id: "south", agent: "alpha", instruction: "South" },
        ...more,
      ],
    },
    ({ delegation }, agent) => {
      const { instruction } = delegation;
      if (agent !== "alpha") return {};
      const digit = instruction === "North" ? "1" : "2";
      return {
        events: event(instruction),
        result: {
          answer: `${instruction} rose [1], see [chart-1].`,
          // Two agents of two homes may even name their chunks alike.
          citations: [citation(instruction, "k-1")],
          data: { charts: [chart(instruction)] },
          artifacts: [file(digit)],
        },
      };
    },
  );

it("keeps apart what two steps of one agent found, for those that depend on them and in the answer", async () => {
  const trial = await run([]);
  const outcome = await trial.outcome();
  expect(outcome.response.content).toBe(
    "## North\n\nNorth rose [1], see [chart-1].\n\n## South\n\nSouth rose [2], see [chart-2].",
  );
  expect(outcome.citations.map(({ id, document }) => [id, document])).toEqual([
    ["1", "North"],
    ["2", "South"],
  ]);
  expect(outcome.response.data?.charts?.map(({ id, title }) => [id, title])).toEqual([
    ["chart-1", "North"],
    ["chart-2", "South"],
  ]);
  expect(outcome.artifacts.map(({ stepId, url }) => [stepId, url])).toEqual([
    ["north", "http://127.0.0.1:9/1"],
    ["south", "http://127.0.0.1:9/2"],
  ]);
  const keys = trial
    .events()
    .flatMap((one) =>
      one.type === "text-delta" && one.stepId !== undefined
        ? `${one.stepId}/${one.itemId}: ${one.delta}`
        : [],
    );
  expect(keys.toSorted()).toEqual(["north/t1: North", "south/t1: South"]);
  expect(trial.gateway.calls.map(({ request }) => request.messageId)).toEqual([
    "run-1/north#1",
    "run-1/south#1",
  ]);
});

it("hands a step the results of those it depends on by step, and nothing of what these were made of", async () => {
  const trial = await run([
    { id: "both", agent: "beta", instruction: "Both", depends_on: ["north", "south"] },
    { id: "one", agent: "beta", instruction: "One", depends_on: ["south"] },
    { id: "last", agent: "gamma", instruction: "Last", depends_on: ["both"] },
  ]);
  await trial.outcome();
  const handed = new Map(
    trial.gateway.calls.map(({ request }) => [
      request.messageId.replace("run-1/", ""),
      request.delegation.results,
    ]),
  );
  expect([...handed].map(([id, results]) => [id, Object.keys(results)])).toEqual([
    ["north#1", []],
    ["south#1", []],
    ["both#1", ["north", "south"]],
    ["one#1", ["south"]],
    ["last#1", ["both"]],
  ]);
  expect(handed.get("both#1")?.["north"]?.artifacts[0]?.url).toBe("http://127.0.0.1:9/1");
  expect(handed.get("both#1")?.["south"]?.artifacts[0]?.url).toBe("http://127.0.0.1:9/2");
  expect(handed.get("both#1")?.["south"]?.provenance).toMatchObject({
    taskId: expect.any(String),
    attempt: 1,
  });
  // Neither the words nor the sources of what its dependency was handed.
  expect(JSON.stringify(handed.get("last#1"))).not.toMatch(/North|South|chart-1|k-1/);
  expect(JSON.stringify(handed.get("one#1"))).not.toContain("North");
});
