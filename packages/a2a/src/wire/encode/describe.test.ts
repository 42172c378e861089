import { EMPTY_RESPONSE, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import { expect, it } from "vitest";

import { encodeRun } from "../../testing/encode-run.ts";

const step = { stepId: "research", agent: "rag-agent" };
const text = (itemId: string, role: "open" | "answer"): readonly AgentEventBody[] => [
  { type: "text-start", itemId, role },
  { type: "text-delta", itemId, delta: "So." },
  { type: "text-end", itemId },
];
const plan = { name: "Deck", steps: [] };
const finish = {
  type: "finish",
  outcome: "completed",
  response: { ...EMPTY_RESPONSE, content: "So." },
  answerItems: ["a"],
} as const satisfies AgentEventBody;

function described(events: readonly (AgentEventBody & Partial<AgentEvent>)[], structured: boolean) {
  const run = events.map((body, seq): AgentEvent => {
    return { v: 1, runId: "r", seq, attempt: 1, agent: "orchestrator", ...body };
  });
  return encodeRun(run, { structured, pauses: new Set() });
}

it("describes each artifact in a line, also after it was replaced", async () => {
  const { snapshots } = await described(
    [
      { type: "plan-update", plan },
      { type: "step-status", step: "research", state: "in_progress" },
      ...text("draft", "open").map((body) => ({ ...body, ...step })),
      { type: "tool-start", callId: "1", tool: "search", arguments: {}, ...step },
      { type: "tool-end", callId: "1", tool: "search", status: "ok", summary: "3", ms: 1, ...step },
      { ...finish, outcome: "partial", ...step },
      ...text("a", "answer"),
      finish,
    ],
    true,
  );
  expect(snapshots.at(-1)?.artifacts.map(({ name, description }) => [name, description])).toEqual([
    ["execution_plan_status_update", "Plan of orchestrator with the state of its steps"],
    ["streaming_result", "Draft text from rag-agent in step research"],
    ["tool_notification_start", "Call of tool search by rag-agent in step research"],
    ["tool_notification_end", "Result of tool search for rag-agent in step research"],
    ["complete_result", "Partial structured response from rag-agent in step research"],
    ["streaming_result", "Answer from orchestrator"],
    ["final_result", "Structured response from orchestrator"],
  ]);
});

it("calls a result that is text no structured response", async () => {
  const { snapshots } = await described([finish], false);
  expect(snapshots.at(-1)?.artifacts.map(({ description }) => description)).toEqual([
    "Response from orchestrator",
  ]);
});
