import { normalizeWorkflow, workflowSchema } from "@troupe/workflow";
import { expect, it } from "vitest";

import { approvalOf } from "./approval-of.ts";
import { requireEarlier } from "./require-earlier.ts";

const workflow = (more: object = {}, step: object = {}) =>
  workflowSchema.parse({
    version: 1,
    name: "w",
    steps: [{ id: "a", agent: "b", instruction: "Do it.", ...step }],
    ...more,
  });

it("lets a plan in the place of another build on what that one was begun with, and on no more", () => {
  const spec = normalizeWorkflow(workflow({}, { earlier: ["turn1.research"] }));
  const result = {
    stepId: "turn1.research",
    agent: "b",
    outcome: "completed",
    answer: "Found.",
    data: null,
    citations: [],
    artifacts: [],
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
    provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
  };
  const earlier = { v: 1, turns: [], results: { "turn1.research": result } };
  expect(() => requireEarlier(spec, { objective: "x", earlier })).not.toThrow();
  for (const input of [undefined, null, { objective: "x" }])
    expect(() => requireEarlier(spec, input)).toThrow('Step "a" builds on "turn1.research"');
  expect(() => requireEarlier(normalizeWorkflow(workflow()), undefined)).not.toThrow();
});

it("asks for a plan as long as its own questions may be answered, or those of its orchestrator", () => {
  expect(approvalOf(workflow({ expires_seconds: 1.5 }), 7)).toMatchObject({ expiresMs: 1_500 });
  expect(approvalOf(workflow(), 7)).toMatchObject({ expiresMs: 7 });
  expect(approvalOf(workflow(), undefined)).toEqual({ workflow: workflow() });
});
