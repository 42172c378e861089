import { expect, it } from "vitest";

import { tryWorkflow } from "../testing/index.ts";
import { eventsSoFar } from "../engine/events-so-far.ts";
import { outcomeOnRecord } from "./outcome-on-record.ts";

const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});

it("tells how a run ended by its events alone: its answer whole, each step as it went", async () => {
  const steps = [step("a"), step("b", { on_failure: "continue" }), step("c", { depends_on: ["a", "b"] })];
  const trial = await tryWorkflow({ mode: "parallel", steps }, (_request, agent) => ({
    ms: 1_000,
    ...(agent === "b-agent" ? { result: { outcome: "failed", answer: "" } } : {}),
  }));
  const outcome = await trial.outcome();
  const { events } = trial.engine;
  const view = await events.view(outcome.runId);
  if (view === null) throw new Error("it is not on record");
  const found = outcomeOnRecord(view, await eventsSoFar(events, outcome.runId));
  const { response, error, usage } = outcome;
  expect(found).toMatchObject({
    outcome: "partial",
    response,
    usage,
    ...(error === undefined ? {} : { error }),
  });
  const told = ({ steps: all }: typeof outcome) =>
    all.map(({ stepId, agent, state, outcome: ended, ms, reason }) => [
      stepId,
      agent,
      state,
      ended,
      ms,
      reason,
    ]);
  expect(found && told(found)).toEqual(told(outcome));
});

it("tells of no end where none was told", async () => {
  const trial = await tryWorkflow({ steps: [step("a")] }, () => ({ never: true }));
  const view = await trial.engine.get("run-1");
  if (view === null) throw new Error("it is not on record");
  expect(outcomeOnRecord(view, await eventsSoFar(trial.engine.events, "run-1"))).toBeUndefined();
});
