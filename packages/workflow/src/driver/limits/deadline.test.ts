import type { Model } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { tryWorkflow } from "../../testing/index.ts";

const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});
const HOUR = 3_600_000;
/** Never says a word, nor that it has ended. */
const model: Model = {
  id: "silent",
  stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }),
};

describe("a run that is not done by its deadline", () => {
  const steps = [step("a"), step("b"), step("c")];
  const script = (_request: unknown, agent: string) =>
    agent === "b-agent" ? { never: true } : { ms: 2_000 };

  it("keeps what is finished, tells who runs to stop and ends in a state with a name", async () => {
    const trial = await tryWorkflow({ deadline_seconds: 10, steps }, script);
    const started = trial.clock.now();
    const ended = trial.engine
      .result("run-1")
      .then((outcome) => ({ outcome, after: trial.clock.now() - started }));
    await trial.clock.advance(HOUR);
    const { outcome, after } = await ended;
    expect(after).toBe(10_000);
    expect(outcome).toMatchObject({
      outcome: "partial",
      error: {
        code: "workflow.deadline",
        message: expect.stringMatching(/deadline of 10 s .* raise deadline_seconds/),
      },
      response: { is_task_complete: false, content: expect.stringContaining("do a") },
    });
    expect(outcome.steps.map(({ state, reason, ms }) => [state, reason, ms])).toEqual([
      ["completed", undefined, 2_000],
      ["failed", "given up, as the run's deadline of 10 s passed", 8_000],
      ["skipped", "the run's deadline of 10 s passed", 0],
    ]);
    expect(outcome.steps[1]?.error?.code).toBe("workflow.deadline");
    expect(trial.gateway.canceled).toEqual(["task-2"]);
    expect(trial.events().at(-1)).toMatchObject({ type: "finish", outcome: "partial", error: outcome.error });
  });

  it("has failed where nothing was found by then", async () => {
    const trial = await tryWorkflow({ deadline_seconds: 1, steps }, script);
    expect(await trial.outcome()).toMatchObject({ outcome: "failed", error: { code: "workflow.deadline" } });
  });

  it("ends at the moment that was promised, however long it was cut off meanwhile", async () => {
    const first = await tryWorkflow({ deadline_seconds: 60, steps }, script);
    const started = first.clock.now();
    await first.clock.advance(5_000);
    const second = await first.crash(20_000);
    const ended = second.engine.result("run-1").then(() => second.clock.now() - started);
    await second.clock.advance(HOUR);
    expect(await ended).toBe(60_000);

    const third = await tryWorkflow({ deadline_seconds: 60, steps }, script);
    await third.clock.advance(5_000);
    const late = await third.crash(HOUR);
    expect((await late.engine.result("run-1")).error?.code).toBe("workflow.deadline");
  });

  it("is over for whoever is asked too: a question does not stop this clock", async () => {
    const form = { fields: [{ field_name: "word" }] };
    const trial = await tryWorkflow(
      { deadline_seconds: 30, steps: [step("a"), { id: "who", kind: "human" as const, form }] },
      () => ({ ms: 10 }),
    );
    const outcome = await trial.outcome();
    expect(outcome.steps[1]).toMatchObject({ state: "failed", error: { code: "workflow.deadline" } });
    const late = await trial.engine.signal(
      "run-1",
      "human:who",
      { requestId: "who", values: {} },
      { idempotencyKey: "k" },
    );
    expect(late).toBe("no-run");
  });

  it("still ends as canceled when it is canceled while it tells its agents", async () => {
    const trial = await tryWorkflow({ deadline_seconds: 1, steps: [step("b")] }, script);
    expect(await trial.engine.cancel("run-1", "enough")).toBe("accepted");
    expect((await trial.outcome()).outcome).toBe("canceled");
  });
});

describe("a deadline", () => {
  it("is what an agent is given at most, by what the journal knows of the time", async () => {
    const trial = await tryWorkflow({ deadline_seconds: 100, steps: [step("a"), step("b")] }, () => ({
      ms: 30_000,
    }));
    await trial.outcome();
    const given = trial.gateway.calls.map(({ request }) => request.delegation.limits.timeoutMs);
    expect(given).toEqual([100_000, 70_000]);
  });

  it("changes nothing of a run that is done before", async () => {
    const trial = await tryWorkflow({ deadline_seconds: 100, steps: [step("a")] }, () => ({ ms: 10 }));
    expect(await trial.outcome()).toMatchObject({ outcome: "completed" });
    expect((await trial.outcome()).error).toBeUndefined();
  });

  it("changes nothing of one whose steps had all ended and whose answer needs no model", async () => {
    const a = step("a", { timeout_seconds: 1, retry: { attempts: 2, backoff_seconds: 1 } });
    const workflow = { mode: "parallel" as const, deadline_seconds: 6, steps: [a, step("b")] };
    const deaf = { never: true, stopsAfterMs: 9_000 };
    // It falls due while the first attempt is still being told to stop.
    const trial = await tryWorkflow(workflow, ({ messageId }) =>
      messageId === "run-1/a#1" ? deaf : { ms: 10 },
    );
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "completed",
      response: { is_task_complete: true, content: "## A\n\ndo a\n\n## B\n\ndo b" },
    });
    expect(outcome.error).toBeUndefined();
    expect(trial.journal.entries("run-1").map(({ name }) => name)).toContain("timer:deadline");
  });

  it("does not wait for a model to write the answer: what was found is handed over as it is", async () => {
    const workflow = { mode: "parallel" as const, deadline_seconds: 20, steps: [step("a"), step("b")] };
    const trial = await tryWorkflow(workflow, () => ({ ms: 10 }), { model });
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "partial",
      error: { code: "workflow.deadline" },
      response: { content: "## A\n\ndo a\n\n## B\n\ndo b" },
    });
    expect(outcome.steps.map(({ state }) => state)).toEqual(["completed", "completed"]);
  });
});

it("waits five minutes for a model to write the answer, with no deadline too", async () => {
  const workflow = { mode: "parallel" as const, steps: [step("a"), step("b")] };
  const trial = await tryWorkflow(workflow, () => ({ ms: 10 }), { model });
  const started = trial.clock.now();
  const ended = trial.engine.result("run-1").then(() => trial.clock.now() - started);
  await trial.clock.advance(HOUR);
  expect(await ended).toBe(300_010);
  expect((await trial.engine.result("run-1")).outcome).toBe("partial");
});
