import { AgentError } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { tryWorkflow, type WorkflowTrial } from "../testing/index.ts";
import { retryWaitMs } from "./steps/retry-wait.ts";

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

it("calls agents in the name of whoever began the run, with their rights of then, also after a crash", async () => {
  const caller = { id: "ann", scopes: ["agent:a-agent"] };
  const first = await tryWorkflow({ steps: [step("a"), step("b")] }, () => ({ ms: 1_000 }), { caller });
  await first.clock.advance(500);
  const second = await first.crash();
  await second.clock.advance(600);
  await second.engine.cancel("run-1", "enough");
  expect((await second.outcome()).outcome).toBe("canceled");
  const { callers, canceled } = second.gateway;
  expect(canceled).toHaveLength(1);
  expect(callers).toEqual(Array.from(callers, () => caller));
  expect(callers.length).toBeGreaterThan(4);
});

it("keeps the moment of a pause over a crash", async () => {
  const steps = [step("a", { retry: { attempts: 2, backoff_seconds: 10 } })];
  let tries = 0;
  const first = await tryWorkflow({ steps }, () =>
    ++tries === 1 ? { refuse: new AgentError("agent.limit", "busy", { retryable: true }) } : {},
  );
  const started = first.clock.now();
  await first.clock.advance(2_000);
  const second = await first.crash(3_000);
  const ended = second.engine.result("run-1").then(() => second.clock.now() - started);
  await second.clock.advance(60_000);
  expect(await ended).toBe(retryWaitMs(10_000, 1, "run-1/a#1/backoff"));
});

describe("a run that was cut off for longer than a step may take", () => {
  const steps = [step("a", { timeout_seconds: 10 })];
  const DAY = 86_400_000;

  it("hears an agent that takes a moment to be joined again", async () => {
    const first = await tryWorkflow({ steps }, () => ({ ms: DAY + 9_000 }));
    await first.clock.advance(8_000);
    const outcome = await (await first.crash(DAY)).outcome();
    expect(outcome).toMatchObject({ outcome: "completed", response: { content: "do a" } });
  });

  it("sends again what its agent lost, in what is left since it was taken up", async () => {
    const gone = new AgentError("agent.task-lost", "was restarted", { retryable: true });
    let sent = 0;
    const first = await tryWorkflow({ steps }, () =>
      ++sent === 1 ? { ms: DAY + 9_000, break: gone } : { ms: 8_000 },
    );
    await first.clock.advance(8_000);
    const outcome = await (await first.crash(DAY)).outcome();
    expect(outcome.outcome).toBe("completed");
    expect(outcome.steps[0]?.provenance.attempt).toBe(2);
  });

  it("gives up an agent that gives nothing in the whole time after each interruption, and not before", async () => {
    const first = await tryWorkflow({ steps }, () => ({ never: true }));
    await first.clock.advance(8_000);
    const second = await first.crash(DAY);
    await second.clock.advance(9_000);
    const third = await second.crash(DAY);
    const resumed = third.clock.now();
    const ended = third.engine.result("run-1").then((run) => [run, third.clock.now() - resumed]);
    await third.clock.advance(60_000);
    expect(await ended).toMatchObject([{ steps: [{ error: { code: "agent.timeout" } }] }, 10_000]);
  });

  it("does not count the interruption against what follows a person's answer", async () => {
    const request = {
      requestId: "own",
      kind: "form" as const,
      form: { title: "", description: "", fields: [] },
    };
    let turn = 0;
    const first = await tryWorkflow({ steps }, () =>
      ++turn === 1 ? { ms: DAY + 9_000, result: { outcome: "input-required", request } } : { ms: 5_000 },
    );
    await first.clock.advance(8_000);
    const second = await first.crash(DAY);
    await second.clock.advance(2_000);
    const reply = { requestId: "a#1", values: {} };
    await second.engine.signal("run-1", "reply:a#1", reply, { idempotencyKey: "k" });
    expect((await second.outcome()).outcome).toBe("completed");
  });
});
