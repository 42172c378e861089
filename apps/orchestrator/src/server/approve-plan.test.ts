import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent, type RemoteRequest } from "@troupe/a2a/client";
import { serveAgent } from "@troupe/a2a/server";
import { answering, plainClient, scriptedAgent } from "@troupe/a2a/testing";
import { silentLog } from "@troupe/core";
import type { AgentEvent, Decision } from "@troupe/stream";
import { planIn, type RunView } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { settings } from "./settings.ts";
import { start } from "./start.ts";

const signal = AbortSignal.timeout(30_000);

/** An orchestrator with one agent, which plans a request for it without a model. */
async function staged(more: object = {}) {
  const home = mkdtempSync(join(tmpdir(), "troupe-approve-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const worker = scriptedAgent(() => answering(["Done."]), { name: "worker" });
  const served = await serveAgent({ agent: worker });
  onTestFinished(() => served.close());
  const open = async () => {
    const running = await start(settings.parse({ home, port: 0, agents: [served.url], ...more }), {
      log: silentLog,
    });
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= running.close());
    onTestFinished(close);
    const remote = await connectAgent(running.url, { signal });
    const turn = async (request: RemoteRequest) => {
      const { taskId } = await remote.send(request, { signal });
      const events: AgentEvent[] = [];
      for await (const event of remote.join(taskId, { signal })) events.push(event);
      const asked = events.flatMap((event) => (event.type === "input-required" ? event.request : []));
      const end = events.at(-1);
      if (end?.type !== "finish") throw new Error("the turn did not end");
      return { taskId, events, asked, end };
    };
    const view = async (id: string) =>
      (await (await fetch(`${running.url}/api/runs/${id}`)).json()) as RunView;
    return { url: running.url, close, turn, view };
  };
  return { worker, open };
}

const reply = (callId: string, decision: object) => ({
  requestId: "$plan",
  decisions: [{ callId, ...decision } as Decision],
});

it("shows a plan and runs nothing of it before a person has said so, after a restart too", async () => {
  const { worker, open } = await staged();
  const before = await open();
  const first = await before.turn({ text: "Do it.", metadata: { approve_plan: true } });
  const runId = first.taskId;
  expect(first.end.outcome).toBe("input-required");
  const plan = first.asked[0] && planIn(first.asked[0]);
  expect(plan?.arguments).toMatchObject({ steps: [{ agent: "worker", instruction: "Do it." }] });
  expect(first.events.map(({ type }) => type)).toContain("plan-update");

  // What a client sees that knows nothing of ours.
  const plain = await plainClient(before.url);
  const shown = await plain.getTask({ id: runId, tenant: "", historyLength: 0 });
  const [words, data] = shown.status?.message?.parts.map(({ content }) => content?.value) ?? [];
  expect(words).toContain("run_workflow");
  expect(data).toMatchObject({ requestId: "$plan", kind: "approval" });
  await before.close();

  const { turn, view } = await open();
  expect(await view(runId)).toMatchObject({ status: "input-required", requests: [{ step: "" }] });
  expect(worker.requests).toEqual([]);
  const wordy = await turn({ text: "yes, run it", taskId: runId });
  expect(wordy.end).toMatchObject({ outcome: "input-required", error: { code: "input.invalid" } });
  const otherPlan = await turn({ reply: reply("plan-0", { type: "approve" }), taskId: runId });
  expect(otherPlan.end.error?.message).toContain('No call "plan-0" waits');
  expect(worker.requests).toEqual([]);

  const done = await turn({ reply: reply(plan?.callId ?? "", { type: "approve" }), taskId: runId });
  expect(done.end).toMatchObject({ outcome: "completed", response: { content: "Done." } });
  expect(await view(runId)).toMatchObject({ approval: { requestId: "$plan", through: "a2a" }, requests: [] });
});

it("runs a workflow that is handed in for the plan, once that can be run", async () => {
  const { worker, open } = await staged({ approve_plans: true });
  const { turn, view } = await open();
  const { taskId, asked } = await turn({ text: "Do it." });
  const callId = (asked[0] && planIn(asked[0])?.callId) ?? "";
  const edit = (agent: string) => ({
    type: "edit",
    arguments: { version: 1, name: "Mine", steps: [{ agent, instruction: "Do something else." }] },
  });
  const wrong = await turn({ reply: reply(callId, edit("nobody")), taskId });
  expect(wrong.end).toMatchObject({ outcome: "input-required", error: { code: "input.invalid" } });
  expect(wrong.end.error?.message).toContain('there is no agent "nobody"');
  expect(wrong.asked.map(({ requestId }) => requestId)).toEqual(["$plan"]);
  const done = await turn({ reply: reply(callId, edit("worker")), taskId });
  expect(done.end.outcome).toBe("completed");
  expect(worker.requests.map(({ delegation }) => delegation?.instruction)).toEqual(["Do something else."]);
  // A workflow that somebody hands in themselves is decided on.
  const given = edit("worker").arguments;
  expect((await turn({ text: "Go.", metadata: { workflow: given } })).end.outcome).toBe("completed");
  expect((await view(taskId)).steps).toMatchObject([{ id: "worker", state: "completed" }]);
});

it("keeps an answer that was given before the plan was approved, and takes no plan that it does not fit", async () => {
  const { open } = await staged({ approve_plans: true });
  const { url, turn, view } = await open();
  const who = (field_name: string, more: object = {}) => ({
    version: 1,
    name: "Mine",
    steps: [
      {
        id: "who",
        kind: "human",
        instruction: "Who?",
        form: { title: "Who?", fields: [{ field_name }] },
        ...more,
      },
    ],
  });
  const { taskId, asked } = await turn({
    text: "Go.",
    metadata: { workflow: who("name"), approve_plan: true },
  });
  const body = JSON.stringify({ requestId: "who", values: { name: "Ann" } });
  const headers = { "content-type": "application/json" };
  const early = await fetch(`${url}/api/runs/${taskId}/answer`, { method: "POST", headers, body });
  expect(early.status).toBe(200);
  const callId = (asked[0] && planIn(asked[0])?.callId) ?? "";
  const edit = (workflow: object) =>
    turn({ reply: reply(callId, { type: "edit", arguments: workflow }), taskId });
  const other = await edit(who("role"));
  expect(other.end).toMatchObject({ outcome: "input-required", error: { code: "input.invalid" } });
  expect(other.end.error?.message).toMatch(/"who" is answered already.*role/);
  expect((await edit(who("name", { instruction: "Who reads it?" }))).end.outcome).toBe("completed");
  expect(await view(taskId)).toMatchObject({ steps: [{ answers: [{ requestId: "who" }] }] });
});

it("ends canceled, with the reason, when the plan is rejected", async () => {
  const { worker, open } = await staged();
  const { turn, view } = await open();
  const { taskId, asked } = await turn({ text: "Do it.", metadata: { approve_plan: true } });
  const callId = (asked[0] && planIn(asked[0])?.callId) ?? "";
  const no = await turn({ reply: reply(callId, { type: "reject", reason: "too dear" }), taskId });
  expect(no.end).toMatchObject({ outcome: "canceled" });
  expect(await view(taskId)).toMatchObject({
    status: "canceled",
    reason: "the plan was rejected: too dear",
  });
  expect(worker.requests).toEqual([]);
});

it("asks about a plan that nobody approved again where its run is done again, and runs nothing before", async () => {
  const { worker, open } = await staged();
  const { turn } = await open();
  const first = await turn({ text: "Do it.", metadata: { approve_plan: true } });
  const [callId = ""] = first.asked.flatMap((asked) => planIn(asked)?.callId ?? []);
  const refused = await turn({
    taskId: first.taskId,
    reply: reply(callId, { type: "reject", reason: "too much" }),
  });
  expect(refused.end.outcome).toBe("canceled");
  const again = await turn({ text: "", metadata: { retry_of: first.taskId } });
  expect(again.end.outcome).toBe("input-required");
  expect(worker.requests).toEqual([]);
  const done = await turn({ taskId: again.taskId, reply: reply(callId, { type: "approve" }) });
  expect(done.end.outcome).toBe("completed");
  expect(worker.requests).toHaveLength(1);
});
