import { virtualClock } from "@troupe/core/testing";
import {
  addUsage,
  EVENT_VERSION,
  NO_USAGE,
  type AgentEvent,
  type AgentEventBody,
  type Usage,
} from "@troupe/stream";
import { expect, it } from "vitest";

import type { RunInput } from "../engine/run.ts";
import { humanRequestId } from "../engine/answer-signal.ts";
import { answerValue } from "../engine/answer-value.ts";
import type { AgentScript } from "../testing/scripted-gateway.ts";
import { tryWorkflow, type WorkflowTrial } from "../testing/workflow-trial.ts";
import { describeRun } from "./describe-run.ts";
import { eventsSoFar } from "../engine/events-so-far.ts";
import { retryInput } from "./retry-input.ts";

const RUN = "run-1";
/** So long after the run began. */
const at = (ms: number): number => virtualClock().now() + ms;
const usage = (inputTokens: number): Usage => ({ ...NO_USAGE, inputTokens, modelCalls: 1 });

const told = (seq: number, body: AgentEventBody, agent: string, stepId?: string): AgentEvent => ({
  v: EVENT_VERSION,
  runId: "own",
  seq,
  attempt: 1,
  agent,
  ...(stepId === undefined ? {} : { stepId }),
  ...body,
});
const uses = (seq: number, model: string, tokens: number, agent: string, stepId?: string): AgentEvent =>
  told(seq, { type: "usage", model, usage: usage(tokens) }, agent, stepId);

const file = { id: "f", name: "deck.pptx", mediaType: "x", bytes: 3, sha256: "0".repeat(64), url: "u" };
const steps = [
  { id: "who", kind: "human" as const, form: { title: "Who?", fields: [{ field_name: "audience" }] } },
  {
    id: "find",
    agent: "finder",
    instruction: "Find.",
    depends_on: [],
    retry: { attempts: 2, backoff_seconds: 1 },
  },
  { id: "make", agent: "maker", instruction: "Make.", depends_on: ["who", "find"] },
];

/** The finder breaks down once, and has another agent do a part of its work. */
function script(): AgentScript {
  let tries = 0;
  return (_request, agent) => {
    if (agent === "maker")
      return {
        ms: 2_000,
        result: { answer: "Made.", artifacts: [file], usage: usage(7) },
        events: [uses(0, "big", 7, agent)],
      };
    if (++tries === 1)
      return {
        ms: 500,
        events: [uses(0, "small", 1, agent)],
        result: { outcome: "failed", answer: "", usage: usage(1) },
      };
    const events = [uses(0, "small", 2, agent), uses(1, "big", 4, "helper", "look/closer")];
    return { ms: 1_000, events, result: { answer: "Found.", usage: addUsage(usage(2), usage(4)) } };
  };
}

const detailOf = async ({ engine }: WorkflowTrial) => {
  const [view, events, recorded] = await Promise.all([
    engine.get(RUN),
    eventsSoFar(engine.events, RUN),
    engine.recorded(RUN),
  ]);
  if (view === null || recorded === undefined) throw new Error("no run");
  return { detail: describeRun({ view, events, recorded }), view, events };
};

it("tells of each step what it was given by whom, its attempts, what it made and what it took", async () => {
  const trial = await tryWorkflow({ mode: "parallel", steps }, script(), { input: { collectionId: "docs" } });
  await trial.clock.advance(5_000);
  const reply = { requestId: "who", values: { audience: "Board" } };
  const answered = { requestId: "who", by: "ann", at: at(5_000), through: "cli" };
  await trial.engine.signal(RUN, "human:who", answerValue(reply, answered), { idempotencyKey: "1" });
  const outcome = await trial.outcome();
  const { detail, events } = await detailOf(trial);
  expect(detail).toMatchObject({
    v: 1,
    run: { runId: RUN, status: "completed", objective: "the objective" },
    collectionId: "docs",
    answer: "Made.",
    artifacts: [{ ...file, stepId: "make" }],
    events: events.length,
  });
  expect(detail).not.toHaveProperty("synthesis");
  const [who, find, make] = detail.steps;
  expect(who).toMatchObject({
    state: "completed",
    ms: 5_000,
    answer: "audience: Board",
    usage: { total: NO_USAGE },
  });
  expect(find?.attempts).toEqual([
    { startedAt: at(0), endedAt: at(500) },
    {
      startedAt: at(500),
      endedAt: expect.any(Number) as unknown,
      reason: expect.stringContaining("gave no reason") as unknown,
    },
  ]);
  expect(make).toMatchObject({
    instruction: "Make.",
    taskId: expect.any(String) as unknown,
    attempts: [{ startedAt: at(5_000), endedAt: at(7_000) }],
    given: [
      { step: "who", agent: "", outcome: "completed", characters: 15, files: [] },
      { step: "find", agent: "finder", outcome: "completed", characters: 6, files: [] },
    ],
    artifacts: [file],
  });
  expect(detail.questions).toMatchObject([
    { step: "who", askedAt: at(0), state: "answered", answered, answer: reply },
  ]);
  // Steps add up to the run, and what an agent had others do is part of its step.
  expect(find?.usage).toEqual({
    total: { ...usage(7), modelCalls: 3 },
    models: [
      { model: "small", usage: { ...usage(3), modelCalls: 2 } },
      { model: "big", usage: usage(4) },
    ],
  });
  expect(find?.calls).toEqual([
    {
      path: ["look", "closer"],
      agent: "helper",
      total: usage(4),
      models: [{ model: "big", usage: usage(4) }],
    },
  ]);
  expect(detail.usage.total).toEqual(outcome.usage);
  expect(detail.steps.reduce((sum, step) => addUsage(sum, step.usage.total), NO_USAGE)).toEqual(
    outcome.usage,
  );
});

it("tells of a run that has not ended what is known by then", async () => {
  const trial = await tryWorkflow({ mode: "parallel", steps }, script());
  await trial.clock.advance(600);
  const { detail } = await detailOf(trial);
  expect(detail.run.status).toBe("input-required");
  expect(detail.questions).toMatchObject([
    { step: "who", state: "open", request: { requestId: humanRequestId("who") } },
  ]);
  expect(detail.questions[0]).not.toHaveProperty("answer");
  const [, find, make] = detail.steps;
  expect(find?.attempts).toEqual([
    { startedAt: at(0), endedAt: at(500) },
    { startedAt: at(500), reason: expect.any(String) as unknown },
  ]);
  expect(make).not.toHaveProperty("given");
  expect(detail.usage.total).toEqual(usage(1));
  await trial.engine.cancel(RUN, "enough");
  await trial.outcome();
  const { detail: ended } = await detailOf(trial);
  expect(ended.questions).toMatchObject([{ state: "withdrawn" }]);
  expect(ended.steps.map(({ state }) => state)).toEqual(["canceled", "canceled", "canceled"]);
});

it("shows what a kept result took, and counts it no more", async () => {
  const two = steps.slice(1).map((step) => ({ ...step, depends_on: step.id === "make" ? ["find"] : [] }));
  const first = await tryWorkflow({ steps: two }, script());
  const outcome = await first.outcome();
  const recorded = await first.engine.recorded(RUN);
  if (recorded === undefined) throw new Error("no run");
  const input: RunInput = retryInput({ spec: recorded.spec, input: { objective: "o" }, outcome }, "make");
  const again = await tryWorkflow({ steps: two }, script(), { input });
  const second = await again.outcome();
  const { detail } = await detailOf(again);
  expect(detail).toMatchObject({ retryOf: RUN, usage: { total: usage(7) } });
  expect(detail.usage.total).toEqual(second.usage);
  expect(detail.steps[0]).toMatchObject({
    keptFrom: RUN,
    attempts: [],
    usage: { total: { inputTokens: 7 } },
  });
  expect(detail.steps[1]?.given).toMatchObject([{ step: "find", characters: 6 }]);
});
