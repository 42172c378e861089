import { NO_USAGE, type Decision } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { answerSignal } from "../engine/answer-signal.ts";
import { answerValue } from "../engine/answer-value.ts";
import { PLAN_REQUEST, planHash, planIn } from "../engine/plan-request.ts";
import type { RunInput } from "../engine/run.ts";
import { retryInput } from "../runs/retry-input.ts";
import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema } from "../schema/workflow-schema.ts";
import { tryWorkflow, type WorkflowTrial } from "../testing/index.ts";

const HOUR = 3_600_000;
const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});
const steps = [step("a"), step("b")];
const proposed = { version: 1, name: "trial", steps } as const;
const other = { version: 1, name: "other", steps: [step("c")], deadline_seconds: 3_600 } as const;
const specOf = (workflow: object) => normalizeWorkflow(workflowSchema.parse(workflow));
const json = (value: object) => value as NonNullable<RunInput["approval"]>["workflow"];

const begin = (approval: object = {}) =>
  tryWorkflow({ steps }, () => ({ ms: 10 }), {
    input: {
      approval: { workflow: json(proposed), ...approval },
      planning: {
        model: "planner",
        usage: { ...NO_USAGE, inputTokens: 5, modelCalls: 1 },
      },
    },
  });

async function asked({ engine }: WorkflowTrial) {
  const view = await engine.get("run-1");
  const [request, ...others] = view?.requests ?? [];
  if (request === undefined || others.length > 0) throw new Error("no plan is asked about");
  return { view, request: request.request, plan: planIn(request.request) };
}

async function say(trial: WorkflowTrial, decision: object, edited?: object): Promise<void> {
  const { plan } = await asked(trial);
  const decisions = [{ callId: plan?.callId ?? "", ...decision } as Decision];
  const value = answerValue(
    { requestId: PLAN_REQUEST, decisions },
    { by: "ann", at: trial.clock.now(), through: "cli" },
    edited && specOf(edited),
  );
  await trial.engine.signal("run-1", answerSignal(PLAN_REQUEST), value, { idempotencyKey: "1" });
}

const approved = { requestId: PLAN_REQUEST, by: "ann", through: "cli" };
const agents = (trial: WorkflowTrial) => trial.gateway.calls.map(({ agent }) => agent);

describe("a run whose plan waits for a person's word", () => {
  it("runs nothing before that, however long it takes and whatever is restarted, and then what was approved", async () => {
    const first = await begin();
    await first.clock.advance(100 * HOUR);
    const trial = await first.crash(HOUR);
    const { view, plan } = await asked(trial);
    expect(view).toMatchObject({
      status: "input-required",
      requests: [{ step: "", request: { requestId: "$plan", kind: "approval" } }],
      steps: [
        { id: "a", state: "pending" },
        { id: "b", state: "pending" },
      ],
    });
    expect(plan).toMatchObject({ arguments: proposed, callId: planHash(specOf(proposed)) });
    expect(agents(trial)).toEqual([]);
    await say(trial, { type: "approve" });
    const again = await trial.crash();
    const outcome = await again.outcome();
    expect(outcome).toMatchObject({
      outcome: "completed",
      plan: { hash: planHash(specOf(proposed)), approved },
      usage: { inputTokens: 5, modelCalls: 1 },
    });
    expect(outcome.plan).not.toHaveProperty("spec");
    expect(agents(trial)).toEqual(["a-agent", "b-agent"]);
    expect(await again.engine.get("run-1")).toMatchObject({ requests: [], approval: approved });
  });

  it("runs the plan that was put in its place, in its own time, and nothing of the other", async () => {
    const trial = await begin();
    await trial.clock.advance(10 * HOUR);
    await say(trial, { type: "edit", arguments: other }, other);
    const again = await trial.crash();
    const outcome = await again.outcome();
    expect(outcome).toMatchObject({ outcome: "completed", response: { content: "do c" } });
    expect(outcome.plan).toMatchObject({ hash: planHash(specOf(other)), spec: specOf(other), approved });
    expect(agents(trial)).toEqual(["c-agent"]);
    expect((await again.engine.get("run-1"))?.steps.map(({ id }) => id)).toEqual(["c"]);
    const recorded = await again.engine.recorded("run-1");
    if (recorded === undefined) throw new Error("no run");
    const ended = { spec: recorded.spec, outcome, input: { objective: "x", approval: { workflow: {} } } };
    const retried = retryInput(ended, "c");
    expect(retried).toEqual({ objective: "x", retryOf: "run-1", kept: {} });
  });

  it("ends canceled with the reason when the plan is rejected, and so when the run is canceled", async () => {
    const rejected = await begin();
    await say(rejected, { type: "reject", reason: "too dear" });
    const outcome = await rejected.outcome();
    expect(outcome).toMatchObject({
      outcome: "canceled",
      error: { message: "the plan was rejected: too dear" },
      usage: { inputTokens: 5 },
      steps: [{ state: "canceled" }, { state: "canceled", reason: "the plan was rejected: too dear" }],
    });
    const canceled = await begin();
    await canceled.engine.cancel("run-1", "never mind");
    expect(await canceled.outcome()).toMatchObject({
      outcome: "canceled",
      error: { message: "never mind" },
    });
    expect([...agents(rejected), ...agents(canceled)]).toEqual([]);
  });

  it("fails when nobody says it in time", async () => {
    const trial = await begin({ expiresMs: HOUR });
    expect((await asked(trial)).request.expiresAt).toBe(trial.clock.now() + HOUR);
    const again = await trial.crash(2 * HOUR);
    expect(await again.outcome()).toMatchObject({
      outcome: "failed",
      error: { code: "input.expired" },
      steps: [{ state: "skipped" }, { state: "skipped" }],
    });
    expect(agents(trial)).toEqual([]);
  });

  it.each<[string, object]>([
    ["of another plan", { callId: "plan-0", type: "approve" }],
    ["of another workflow without its plan", { type: "edit", arguments: { steps: [] } }],
    ["in no form", { type: "run it" }],
  ])("runs nothing on a word %s", async (_what, decision) => {
    const trial = await begin();
    await say(trial, decision);
    expect((await trial.outcome()).outcome).toMatch(/canceled|failed/);
    expect(agents(trial)).toEqual([]);
  });
});

it("names a plan by what it is, not by the order in which its keys were kept", () => {
  const spec = specOf(proposed);
  const turned = Object.fromEntries(Object.entries(spec).toReversed()) as typeof spec;
  expect(planHash(turned)).toBe(planHash(spec));
  expect(planHash(specOf({ ...proposed, steps: [step("a", { instruction: "do a!" })] }))).not.toBe(
    planHash(spec),
  );
});

it("counts what planning took among what the run may use", async () => {
  const usage = { ...NO_USAGE, outputTokens: 600, modelCalls: 1 };
  const trial = await tryWorkflow({ steps, limits: { max_total_tokens: 1_000 } }, () => ({ ms: 10 }), {
    input: { planning: { model: "planner", usage } },
  });
  expect((await trial.outcome()).usage).toEqual(usage);
  expect(trial.gateway.calls[0]?.request.delegation.limits.maxTotalTokens).toBe(400);
  expect(trial.events()).toContainEqual(expect.objectContaining({ type: "usage", model: "planner", usage }));
});
