import { serveAgent } from "@troupe/a2a/server";
import { answering, asking, scriptedAgent } from "@troupe/a2a/testing";
import { freePort, scriptedModel } from "@troupe/core/testing";
import { throwawayPostgres, type ThrowawayPostgres } from "@troupe/core/testing/postgres";
import type { Decision, InputReply, PendingCall } from "@troupe/stream";
import { planIn, type WorkflowInput } from "@troupe/workflow";
import { openPostgresEventLog, type PostgresEventLog } from "@troupe/workflow/postgres";
import { openRestateEngine } from "@troupe/workflow-restate";
import { startRestate, type RestateServer } from "@troupe/workflow-restate/testing";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "../orchestrator/create-orchestrator.ts";
import type { Orchestrator } from "../orchestrator/orchestrator.ts";

let postgres: ThrowawayPostgres;
let restate: RestateServer;
let events: PostgresEventLog;
beforeAll(async () => {
  [postgres, restate] = await Promise.all([throwawayPostgres(), startRestate()]);
  events = await openPostgresEventLog({ connectionString: postgres.connectionString });
});
afterAll(async () => {
  await events.close();
  await Promise.all([postgres.close(), restate.stop()]);
});

const PATIENCE = { timeout: 60_000 };
const call: PendingCall = { callId: "call-1", tool: "post", arguments: { board: "staff" } };
let services = 0;

/** Orchestrators one after the other over one Restate, and an agent that outlives them and may ask to be approved. */
async function team() {
  const worker = scriptedAgent(
    ({ reply, delegation }) => {
      const instruction = delegation?.instruction ?? "";
      if (reply !== undefined) return answering([`${instruction}: ${JSON.stringify(reply)}`]);
      if (!instruction.startsWith("Post")) return answering([instruction]);
      const request = { requestId: "post", kind: "approval", calls: [call] } as const;
      return [{ type: "input-required", request }, ...asking("May it be posted?")];
    },
    { name: "worker" },
  );
  const served = await serveAgent({ agent: worker });
  onTestFinished(() => served.close());
  const own = { service: `people-${++services}`, port: await freePort(), inactivityMs: 300 };
  let open: Orchestrator | undefined;
  const close = async (): Promise<void> => {
    await open?.close();
    open = undefined;
  };
  onTestFinished(close);
  /** As when the process is another one. */
  const next = async (): Promise<Orchestrator> => {
    await close();
    const engine = await openRestateEngine({ ...restate, ...own, events });
    open = await createOrchestrator({ agents: [served.url], model: scriptedModel([]), engine });
    return open;
  };
  return { worker, next, close };
}

/** Begins a run whose plan waits for a word, and lets it go on by itself. */
async function begin(orchestrator: Orchestrator, workflow: WorkflowInput): Promise<string> {
  const runId = crypto.randomUUID();
  const task = { task_id: runId, description: "Do it." };
  // It is told that its orchestrator was closed, and the run goes on at the next.
  orchestrator.executeWorkflow(task, workflow, undefined, { approve: true }).catch(() => undefined);
  await asks(orchestrator, runId, ["$plan"]);
  return runId;
}

const open = async (orchestrator: Orchestrator, runId: string) =>
  ((await orchestrator.run(runId))?.requests ?? []).map(({ request }) => request);
const asks = (orchestrator: Orchestrator, runId: string, ids: readonly string[]) =>
  expect
    .poll(
      async () => (await open(orchestrator, runId)).map(({ requestId }) => requestId).toSorted(),
      PATIENCE,
    )
    .toEqual(ids);
const decided = (requestId: string, callId: string, decision: object): InputReply => ({
  requestId,
  decisions: [{ callId, ...decision } as Decision],
});
async function aboutPlan(orchestrator: Orchestrator, runId: string, decision: object): Promise<InputReply> {
  const [request] = await open(orchestrator, runId);
  return decided("$plan", (request && planIn(request)?.callId) ?? "", decision);
}

/** How Restate has the run. */
async function statusOf(runId: string): Promise<string | undefined> {
  const query = `SELECT status FROM sys_invocation WHERE target_service_key = '${runId}' AND target_handler_name = 'run'`;
  const response = await fetch(`${restate.adminUrl}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as { readonly rows: readonly { status: string }[] }).rows[0]?.status;
}

const form = (more: object = {}) => ({ title: "Who?", fields: [{ field_name: "name", ...more }] });
const who = { id: "who", kind: "human", instruction: "Who?", form: form() } as const;
const workflowOf = (...steps: WorkflowInput["steps"]): WorkflowInput => ({
  version: 1,
  name: "People",
  steps,
});

it("is approved, answered and approved again, each at another process, early answers and repeated ones too", async () => {
  const { worker, next } = await team();
  const steps = [
    who,
    { id: "post", agent: "worker", instruction: "Post it" },
    { ...who, id: "seen" },
    { id: "last", agent: "worker", instruction: "Done", depends_on: ["post", "seen"] },
  ];
  const first = await next();
  const runId = await begin(first, workflowOf(...steps));
  await expect.poll(() => statusOf(runId), PATIENCE).toBe("suspended");
  await expect(first.answer(runId, decided("$plan", "another", { type: "approve" }))).rejects.toMatchObject({
    code: "input.invalid",
  });

  const second = await next();
  const early = { requestId: "seen", values: { name: "Ann" } };
  expect(await second.answer(runId, early)).toBe("accepted");
  expect(await second.answer(runId, early)).toBe("accepted");
  expect(await second.answer(runId, { ...early, values: { name: "Bob" } })).toBe("duplicate");
  expect(
    await second.answer(runId, await aboutPlan(second, runId, { type: "approve" }), { user: "ann" }),
  ).toBe("accepted");
  await asks(second, runId, ["who"]);
  expect(worker.requests).toEqual([]);

  const third = await next();
  expect(await third.answer(runId, { requestId: "who", values: { name: "Eve" } })).toBe("accepted");
  await asks(third, runId, ["post#1"]);
  await expect.poll(() => statusOf(runId), PATIENCE).toBe("suspended");

  const fourth = await next();
  expect(await fourth.answer(runId, decided("post#1", call.callId, { type: "approve" }))).toBe("accepted");
  const outcome = await fourth.result(runId);
  expect(outcome).toMatchObject({
    outcome: "completed",
    response: { content: "Done" },
    plan: { approved: { requestId: "$plan", by: "ann", through: "library" } },
  });
  const answered = outcome.steps.flatMap(({ answers = [] }) => answers.map(({ requestId }) => requestId));
  expect(answered).toEqual(["who", "post#1", "seen"]);
  expect(worker.requests.map(({ delegation }) => delegation?.instruction)).toEqual([
    "Post it",
    "Post it",
    "Done",
  ]);
  expect(await fourth.answer(runId, early)).toBe("accepted");
  expect(await fourth.answer(runId, { ...early, values: { name: "Bob" } })).toBe("duplicate");

  const detail = await fourth.show(runId);
  expect(detail?.questions.map(({ request, state }) => [request.requestId, state])).toEqual([
    ["$plan", "answered"],
    ["who", "answered"],
    ["post#1", "answered"],
    ["seen", "answered"],
  ]);
  expect(await fourth.replay(await fourth.export(runId))).toMatchObject({ result: "same", differences: [] });
});

it("runs the plan that is put in the place of the one that was asked about, and nothing of that", async () => {
  const { worker, next } = await team();
  const first = await next();
  const runId = await begin(first, workflowOf({ id: "a", agent: "worker", instruction: "Planned" }));
  const second = await next();
  const instead = workflowOf({ id: "b", agent: "worker", instruction: "Edited" });
  expect(
    await second.answer(runId, await aboutPlan(second, runId, { type: "edit", arguments: instead })),
  ).toBe("accepted");
  const third = await next();
  expect(await third.result(runId)).toMatchObject({ outcome: "completed", response: { content: "Edited" } });
  expect(worker.requests.map(({ delegation }) => delegation?.instruction)).toEqual(["Edited"]);
  expect(await third.replay(await third.export(runId))).toMatchObject({ result: "same" });
});

it("ends with nothing begun when the plan is rejected, and when the run is canceled while it is asked about", async () => {
  const { worker, next } = await team();
  const first = await next();
  const work = workflowOf({ id: "a", agent: "worker", instruction: "Work" });
  const [rejected, canceled] = [await begin(first, work), await begin(first, work)];
  const second = await next();
  const no = await aboutPlan(second, rejected, { type: "reject", reason: "too dear" });
  expect(await second.answer(rejected, no)).toBe("accepted");
  expect(await second.cancel(canceled, "enough")).toBe("accepted");
  expect(await second.result(rejected)).toMatchObject({
    outcome: "canceled",
    error: { message: "the plan was rejected: too dear" },
  });
  expect(await second.result(canceled)).toMatchObject({ outcome: "canceled", error: { message: "enough" } });
  expect(worker.requests).toEqual([]);
});

it("expires when nobody answers in time, also while no process is there to ask", async () => {
  const { worker, next, close } = await team();
  const first = await next();
  const step = { id: "a", agent: "worker", instruction: "Work" } as const;
  const plan = await begin(first, { ...workflowOf(step), expires_seconds: 2 });
  const unasked = workflowOf({ ...who, expires_seconds: 1 }, step);
  const usual = workflowOf({
    ...who,
    form: form({ default_value: "nobody" }),
    expires_seconds: 1,
    on_expiry: "default",
  });
  const [fails, takes] = [await begin(first, unasked), await begin(first, usual)];
  const [asked] = await open(first, plan);
  const late = await aboutPlan(first, plan, { type: "approve" });
  expect(asked?.expiresAt).toBeGreaterThan(0);
  await close();
  // When the time is up Restate wakes the run, and finds nobody to drive it.
  await expect.poll(() => statusOf(plan), PATIENCE).toBe("backing-off");

  const second = await next();
  expect(await second.result(plan)).toMatchObject({ outcome: "failed", error: { code: "input.expired" } });
  expect(await second.answer(plan, late)).toBe("no-run");
  for (const runId of [fails, takes])
    expect(await second.answer(runId, await aboutPlan(second, runId, { type: "approve" }))).toBe("accepted");
  expect(await second.result(fails)).toMatchObject({
    outcome: "failed",
    steps: [
      { stepId: "who", error: { code: "input.expired" } },
      { stepId: "a", state: "skipped" },
    ],
  });
  expect(await second.result(takes)).toMatchObject({
    outcome: "completed",
    steps: [{ answers: [{ requestId: "who", through: "default" }] }],
  });
  expect(worker.requests).toEqual([]);
  for (const runId of [plan, fails, takes])
    expect(await second.replay(await second.export(runId))).toMatchObject({ result: "same" });
});
