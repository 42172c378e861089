import { AgentError } from "@troupe/core";
import { expect, it } from "vitest";

import { tryWorkflow, type WorkflowTrial } from "../testing/index.ts";

const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});

it("joins a running task again after a crash instead of sending it anew", async () => {
  const first = await tryWorkflow({ steps: [step("a"), step("b")] }, () => ({ ms: 1_000 }));
  await first.clock.advance(500);
  const second = await first.crash();
  const outcome = await second.outcome();
  expect(outcome.outcome).toBe("completed");
  expect(second.gateway.calls.map((call) => call.request.messageId)).toEqual(["run-1/a#1", "run-1/b#1"]);
  expect(outcome.steps[0]).toMatchObject({ ms: 1_000 });
});

it("ends the same and does no finished step again, wherever it is cut", async () => {
  const workflow = {
    mode: "parallel" as const,
    steps: [step("a", { retry: { attempts: 2 } }), step("b"), step("c", { depends_on: ["a", "b"] })],
  };
  const script = () => {
    let tries = 0;
    return (_request: unknown, agent: string) =>
      agent === "a-agent" && ++tries === 1
        ? { ms: 100, break: new AgentError("agent.unreachable", "gone", { retryable: true }) }
        : { ms: 300 };
  };
  const whole = await tryWorkflow(workflow, script());
  const expected = await whole.outcome();
  const entries = whole.journal.names("run-1");
  expect(expected.outcome).toBe("completed");

  for (let cut = 0; cut <= 2_000; cut += 50) {
    let trial: WorkflowTrial = await tryWorkflow(workflow, script());
    await trial.clock.advance(cut);
    trial = await trial.crash();
    await trial.clock.advance(30);
    trial = await trial.crash();
    const outcome = await trial.outcome();
    expect(outcome.steps.map(({ stepId, state, answer }) => [stepId, state, answer])).toEqual(
      expected.steps.map(({ stepId, state, answer }) => [stepId, state, answer]),
    );
    expect(trial.gateway.calls.map((call) => call.request.messageId)).toEqual(
      whole.gateway.calls.map((call) => call.request.messageId),
    );
    expect(trial.journal.names("run-1").toSorted()).toEqual(entries.toSorted());
    expect(trial.events().map((event) => event.type)).toEqual(whole.events().map((event) => event.type));
  }
});

it("keeps a timer's moment over a crash", async () => {
  const first = await tryWorkflow({ steps: [step("a", { timeout_seconds: 10 })] }, () => ({ never: true }));
  const started = first.clock.now();
  await first.clock.advance(8_000);
  const second = await first.crash();
  const ended = second.engine.result("run-1").then(() => second.clock.now() - started);
  await second.clock.advance(5_000);
  expect(await ended).toBe(10_000);
});
