import type { AgentResult } from "@troupe/core";
import type { InputRequest } from "@troupe/stream";
import { expect, it } from "vitest";

import { answerSignal } from "../engine/answer-signal.ts";
import { answerValue } from "../engine/answer-value.ts";
import { tryWorkflow } from "../testing/index.ts";

const HOUR = 3_600_000;
const field = { field_name: "audience", field_label: "Audience", default_value: "everybody" };
const ask = { id: "ask", kind: "human" as const, form: { title: "Who?", fields: [field] } };
const after = { id: "after", agent: "after-agent", instruction: "go on" };
const form = { title: "?", description: "", fields: [] };
const asks: Partial<AgentResult> & { readonly request: InputRequest } = {
  outcome: "input-required",
  request: { requestId: "own", kind: "form", form },
};

it("fails a human step that nobody answers in time, and what comes of the run is up to its policy", async () => {
  const steps = [{ ...ask, expires_seconds: 86_400, on_failure: "continue" as const }, after];
  const trial = await tryWorkflow({ steps }, () => ({ ms: 60_000 }));
  const asked = trial.clock.now();
  expect((await trial.engine.get("run-1"))?.requests).toMatchObject([
    { request: { requestId: "ask", expiresAt: asked + 24 * HOUR } },
  ]);
  await trial.clock.advance(24 * HOUR - 1);
  expect(trial.states()).toEqual(["ask input_required"]);
  await trial.clock.advance(1_000);
  // Nobody waits for it any more.
  const late = { requestId: "ask", values: { audience: "us" } };
  await trial.engine.signal("run-1", answerSignal("ask"), late, { idempotencyKey: "late" });
  const outcome = await trial.outcome();
  expect(outcome.steps).toMatchObject([
    {
      state: "failed",
      ms: 24 * HOUR,
      error: { code: "input.expired", message: 'nobody answered "ask" within 1 d' },
    },
    { state: "completed" },
  ]);
});

it("takes the form's own values where the workflow says so, and says that nobody gave them", async () => {
  const steps = [{ ...ask, expires_seconds: 60, on_expiry: "default" as const }];
  const trial = await tryWorkflow({ steps }, () => ({}));
  const due = trial.clock.now() + 60_000;
  const outcome = await trial.outcome();
  expect(outcome.steps).toMatchObject([
    {
      state: "completed",
      data: { values: { audience: "everybody" } },
      answers: [{ requestId: "ask", at: due, through: "default" }],
    },
  ]);
});

it("bounds what agents ask, counts on while nobody runs, and tells the agent to stop", async () => {
  const steps = [{ ...after, expires_seconds: 2 * 3_600 }];
  const trial = await tryWorkflow({ steps }, () => ({ ms: 10, result: asks }));
  await trial.clock.advance(HOUR);
  const again = await trial.crash(10 * HOUR);
  const outcome = await again.outcome();
  expect(outcome.steps).toMatchObject([{ state: "failed", error: { code: "input.expired" } }]);
  expect(trial.gateway.canceled).toEqual(["task-1"]);
});

it("takes an answer that was given in time, also when its run is taken up again after that", async () => {
  const trial = await tryWorkflow({ expires_seconds: 3_600, steps: [ask] }, () => ({}));
  const reply = { requestId: "ask", values: { audience: "the board" } };
  const answered = { by: "ann", at: trial.clock.now() + 5, through: "cli" };
  // The process dies before the run has read it.
  const told = trial.engine.signal("run-1", answerSignal("ask"), answerValue(reply, answered), {
    idempotencyKey: "1",
  });
  await trial.engine.close();
  expect(await told).toBe("accepted");
  const again = await trial.crash(100 * HOUR);
  const outcome = await again.outcome();
  expect(outcome.steps).toMatchObject([
    { state: "completed", answer: "Audience: the board", answers: [{ requestId: "ask", ...answered }] },
  ]);
  expect(await again.engine.get("run-1")).toMatchObject({
    steps: [{ answers: [{ requestId: "ask", ...answered }] }],
  });
});

it("keeps who answered an agent, each time it asked", async () => {
  const trial = await tryWorkflow({ steps: [after] }, ({ messageId }) =>
    messageId.endsWith(".2") ? { ms: 10 } : { ms: 10, result: asks },
  );
  for (const [id, by] of [
    ["after#1", "ann"],
    ["after#2", "bob"],
  ] as const) {
    await trial.clock.advance(HOUR);
    const value = answerValue({ requestId: id, values: {} }, { by, at: 7, through: "api" });
    await trial.engine.signal("run-1", answerSignal(id), value, { idempotencyKey: id });
  }
  const answers = [
    { requestId: "after#1", by: "ann", at: 7, through: "api" },
    { requestId: "after#2", by: "bob", at: 7, through: "api" },
  ];
  expect((await trial.outcome()).steps).toMatchObject([{ state: "completed", answers }]);
  expect((await trial.engine.get("run-1"))?.steps).toMatchObject([{ answers }]);
});

it("bounds no work that goes on with the answer", async () => {
  const steps = [{ ...after, expires_seconds: 60 }];
  const trial = await tryWorkflow({ steps }, ({ reply }) =>
    reply ? { ms: 120_000 } : { ms: 10, result: asks },
  );
  await trial.clock.advance(30_000);
  const reply = { requestId: "after#1", values: {} };
  await trial.engine.signal("run-1", answerSignal("after#1"), reply, { idempotencyKey: "1" });
  expect((await trial.outcome()).steps).toMatchObject([{ state: "completed" }]);
});
