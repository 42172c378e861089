import type { Artifact } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import type { AgentEvent, AgentEventBody } from "@troupe/stream";
import { expect, it } from "vitest";

import { EXT } from "../extension.ts";
import { createLedger } from "../ledger.ts";
import { artifactOf, dataOf, dataPart, type WireEvent } from "../parts.ts";
import { createEncoder } from "./encoder.ts";

const at = (runId: string, body: AgentEventBody, seq = 0): AgentEvent => {
  return { v: 1, runId, seq, attempt: 1, agent: "orchestrator", ...body };
};
const status = (step: string, state: "completed" | "in_progress"): AgentEventBody => {
  return { type: "step-status", step, state };
};
const steps = ["who", "deck"].map((id) => {
  return { id, kind: "agent" as const, agent: `${id}-agent`, instruction: `Do ${id}.`, dependsOn: [] };
});
const plan: AgentEventBody = { type: "plan-update", plan: { name: "Deck", steps, answerStep: "deck" } };

function artifact(id: string, turn: number, events: readonly AgentEvent[]): Artifact {
  const entries = events.map((event, order) => ({ order, event }));
  const metadata = { [EXT]: { v: 1, kind: "events", turn, events: entries } };
  return artifactOf(id, "execution_plan_status_update", [dataPart({ name: "", steps: [] })], metadata);
}

/** What a turn sends that begins with these artifacts of earlier ones. */
function turn(earlier: readonly Artifact[], events: readonly AgentEvent[]): readonly Artifact[] {
  const sent: Artifact[] = [];
  const task = { id: "t", contextId: "c" };
  const emit = (event: WireEvent): void => {
    if (event.$case === "artifactUpdate" && event.value.artifact) sent.push(event.value.artifact);
  };
  const known = earlier.map(({ artifactId }) => artifactId);
  const ledger = createLedger({ task, emit, known });
  const options = { task, ledger, status: () => {}, clock: virtualClock(), newId: () => "m", turn: 3 };
  const encoder = createEncoder({ ...options, earlier });
  for (const event of events) encoder.push(event);
  return sent;
}

it("continues the plan of the turns before, also where one of them was stored without it", () => {
  const earlier = [
    artifact("plan", 1, [at("r", plan), at("r", status("who", "in_progress"), 1)]),
    artifact("plan~2", 2, [at("r", status("who", "completed"), 2)]),
  ];
  const text: AgentEvent = {
    ...at("r", { type: "text-start", itemId: "a", role: "answer" }),
    stepId: "deck",
  };
  const delta: AgentEvent = { ...at("r", { type: "text-delta", itemId: "a", delta: "So." }), stepId: "deck" };
  const [shown, update] = turn(earlier, [text, delta, at("r", status("deck", "in_progress"), 3)]);
  expect(shown?.metadata).toMatchObject({ is_final_answer: true, plan_step_id: "deck" });
  expect(update?.artifactId).toBe("plan~3");
  expect(dataOf(update?.parts ?? [])).toMatchObject([
    {
      name: "Deck",
      steps: [
        { step_id: "who", title: "Do who.", agent: "who-agent", status: "completed" },
        { step_id: "deck", title: "Do deck.", agent: "deck-agent", status: "in_progress" },
      ],
    },
  ]);
  const record = update?.metadata?.[EXT];
  expect(record).toMatchObject({ events: [{ event: { type: "step-status", step: "deck", seq: 3 } }] });
});

it("does not continue the plan of another run", () => {
  const earlier = [artifact("plan", 1, [at("before", plan)])];
  const [update] = turn(earlier, [at("r", status("deck", "in_progress"))]);
  expect(dataOf(update?.parts ?? [])).toMatchObject([{ name: "", steps: [{ step_id: "deck", title: "" }] }]);
});
