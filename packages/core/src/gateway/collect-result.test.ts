import type { AgentEventBody, AgentResponse } from "@troupe/stream";
import { expect, it } from "vitest";

import { collectResult } from "./collect-result.ts";

const usage = { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 0, modelCalls: 1 };
const response: AgentResponse = {
  is_task_complete: false,
  require_user_input: true,
  content: "Nearly.",
  metadata: { user_input: false, question: "", input_fields: [] },
  citations: [],
  data: { n: 1 },
};
const file = (id: string, bytes: number) => ({
  id,
  name: `${id}.txt`,
  mediaType: "text/plain",
  bytes,
  sha256: "0".repeat(64),
  url: "u",
});
const request = { requestId: "q", kind: "form", form: { title: "", description: "", fields: [] } } as const;

function collect(events: readonly (AgentEventBody & { readonly stepId?: string })[]) {
  const collector = collectResult("tester");
  events.forEach((body, seq) => collector.add({ v: 1, runId: "r", seq, attempt: 1, agent: "a", ...body }));
  return collector.result();
}

it("adds up usage and files of the run and its steps; the answer is the run's own", () => {
  const finish = { type: "finish", response, answerItems: [] } as const;
  const inner = { ...response, content: "Of a step." };
  const events = [
    { type: "usage", model: "m", usage },
    { type: "usage", model: "m", usage, stepId: "find" },
    { type: "artifact", artifact: file("f", 1) },
    { type: "artifact", artifact: file("f", 2), stepId: "find" },
    { ...finish, outcome: "completed", response: inner, stepId: "find" },
  ] as const;
  expect(collect(events)).toBeUndefined();
  const error = { code: "agent.limit", message: "Too long." };
  expect(collect([...events, { ...finish, outcome: "partial", error }])).toEqual({
    agent: "tester",
    outcome: "partial",
    answer: "Nearly.",
    data: { n: 1 },
    citations: [],
    artifacts: [file("f", 2)],
    usage: { inputTokens: 6, outputTokens: 4, cacheReadTokens: 2, cacheWriteTokens: 0, modelCalls: 2 },
    error,
  });
});

it("has the checks of the answer", () => {
  const checks = [{ sentence: "Nearly.", status: "verified" }] as const;
  const finish = { type: "finish", outcome: "completed", answerItems: [] } as const;
  expect(collect([{ ...finish, response: { ...response, checks } }])).toMatchObject({ checks });
});

it("has the request of a run that waits for it, and of no other", () => {
  const asked = { type: "input-required", request } as const;
  const finish = { type: "finish", response, answerItems: [] } as const;
  expect(collect([asked, { ...finish, outcome: "input-required" }])?.request).toEqual(request);
  expect(
    collect([
      { ...asked, stepId: "find" },
      { ...finish, outcome: "input-required" },
    ])?.request,
  ).toBe(undefined);
  expect(collect([asked, { ...finish, outcome: "failed" }])?.request).toBeUndefined();
});

it("takes the same file again, and no more files than a run may name", () => {
  const artifacts = (count: number) =>
    Array.from(
      { length: count },
      (_, n) => ({ type: "artifact", artifact: file(`f${n % 1_001}`, 1) }) as const,
    );
  collect([...artifacts(1_000), ...artifacts(1_000)]);
  expect(() => collect(artifacts(1_001))).toThrow(/Agent "tester" named more than 1,000 files/);
});

it("keeps the files of two steps that name them alike, and takes one that a step makes anew", () => {
  const made = (stepId: string, digit: string) =>
    ({ type: "artifact", artifact: { ...file("f", 1), sha256: digit.repeat(64) }, stepId }) as const;
  const end = { type: "finish", response, answerItems: [], outcome: "completed" } as const;
  const shas = collect([made("a", "1"), made("a", "2"), made("b", "3"), made("c", "3"), end])?.artifacts.map(
    ({ sha256 }) => sha256.slice(0, 1),
  );
  expect(shas).toEqual(["2", "3"]);
});
