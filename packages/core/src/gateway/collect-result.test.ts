import type { AgentEventBody, AgentResponse } from "@troupe/stream";
import { expect, it } from "vitest";

import { collectResult } from "./collect-result.ts";

const usage = { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 0, modelCalls: 1 };
const response: AgentResponse = {
  is_task_complete: false,
  require_user_input: true,
  content: "Nearly.",
  metadata: { user_input: "", input_fields: [] },
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
