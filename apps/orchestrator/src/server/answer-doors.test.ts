import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { TaskState } from "@a2a-js/sdk";
import { connectAgent, type RemoteRequest } from "@troupe/a2a/client";
import { serveAgent } from "@troupe/a2a/server";
import { answering, plainClient, scriptedAgent } from "@troupe/a2a/testing";
import { silentLog } from "@troupe/core";
import { finishOf, gate } from "@troupe/core/testing";
import type { AgentEvent } from "@troupe/stream";
import type { RunDetail, RunView } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { settings } from "./settings.ts";
import { start } from "./start.ts";

const signal = AbortSignal.timeout(30_000);
const human = (id: string, depends_on: readonly string[]) => ({
  id,
  kind: "human",
  instruction: "Who?",
  form: { title: `${id}?`, fields: [{ field_name: "pages", field_type: "number" }] },
  depends_on,
});
/** Two questions at once, one behind the first of them, and one behind all. */
const steps = [human("a", []), human("b", []), human("c", ["a"]), human("d", ["b", "c"])];
const workflow = { version: 1, name: "Ask", mode: "parallel", steps };
const reply = (step: string, pages: string | number = 3) => ({ requestId: step, values: { pages } });

async function asking(asked: object = workflow, agents: readonly string[] = []) {
  const home = mkdtempSync(join(tmpdir(), "troupe-doors-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const running = await start(settings.parse({ home, port: 0, agents }), { log: silentLog });
  onTestFinished(() => running.close());
  const remote = await connectAgent(running.url, { signal });
  const turn = async (request: RemoteRequest) => {
    const { taskId } = await remote.send({ userId: "ann", ...request }, { signal });
    const events: AgentEvent[] = [];
    for await (const event of remote.join(taskId, { signal })) events.push(event);
    const asked = events.flatMap((event) => (event.type === "input-required" ? event.request.requestId : []));
    // Its own; a step says its end too.
    const end = finishOf(events.filter(({ stepId }) => stepId === undefined));
    return { taskId, end, asked };
  };
  const { taskId: runId } = await turn({ text: "Go.", metadata: { workflow: asked as typeof workflow } });
  const post = async (body: unknown, type = "application/json") => {
    const options = { method: "POST", headers: { "content-type": type }, body: JSON.stringify(body) };
    const response = await fetch(`${running.url}/api/runs/${runId.slice(0, 8)}/answer`, options);
    return { status: response.status, said: await response.text() };
  };
  const detail = async () =>
    (await (await fetch(`${running.url}/api/runs/${runId}/detail`)).json()) as RunDetail;
  const view = async () => (await (await fetch(`${running.url}/api/runs/${runId}`)).json()) as RunView;
  const cancel = (taskId: string) => remote.cancel(taskId);
  return { url: running.url, runId, turn, post, view, detail, cancel };
}

it("takes the answers of one run by any door, also before they are asked for, and says who gave each", async () => {
  const { runId, turn, post, view } = await asking();
  // Not asked yet, by HTTP and by A2A.
  expect(await post(reply("d", 4))).toMatchObject({ status: 200, said: expect.stringContaining("accepted") });
  const metadata = { run_id: runId, through: "slack" };
  const early = await turn({ reply: reply("c"), metadata });
  expect(early).toMatchObject({ end: { outcome: "input-required" }, asked: ["a", "b"] });
  // What the task asks is answered at the task.
  expect((await turn({ reply: reply("a"), taskId: runId })).end.outcome).toBe("input-required");
  expect(await post(reply("b"))).toMatchObject({ status: 200 });
  // What has its answer is not asked again by whoever joins a moment later.
  expect((await turn({ text: "", metadata })).end.outcome).toBe("completed");
  const given = (await view()).steps.map(({ id, answers }) => [id, answers]);
  const by = (requestId: string, through: string) => ({
    requestId,
    through,
    by: "ann",
    at: expect.any(Number),
  });
  expect(given).toEqual([
    ["a", [by("a", "a2a")]],
    ["b", [by("b", "api")]],
    ["c", [by("c", "slack")]],
    ["d", [by("d", "api")]],
  ]);
});

it("takes the same early answer again, and tells another one, and what is wrong with one", async () => {
  const { runId, turn, post, url } = await asking();
  expect((await post(reply("d", 4))).status).toBe(200);
  expect((await post(reply("d", "4"))).status).toBe(200);
  expect(await post(reply("d", 5))).toMatchObject({
    status: 409,
    said: expect.stringMatching(/"input\.conflict".*has been answered already by ann \(\S+Z, api\);/),
  });
  const { end } = await turn({ reply: reply("d", 6), metadata: { run_id: runId } });
  expect(end).toMatchObject({ outcome: "input-required", error: { code: "input.conflict" } });

  for (const [body, why] of [
    [reply("c", "many"), "is not a number"],
    [reply("e"), 'does not ask \\"e\\"'],
    [null, "An answer is"],
    [{ requestId: "c" }, "values"],
  ] as const)
    expect(await post(body)).toMatchObject({ status: 400, said: expect.stringContaining(why) });
  expect(await post(reply("c"), "text/plain")).toMatchObject({ status: 400 });
  expect((await post(reply("c", "x".repeat(1_000_001)))).status).toBe(413);
  expect((await fetch(`${url}/api/runs/none/answer`, { method: "POST" })).status).toBe(404);
});

/** A run that has its answer of ann's to a form with a field left out, and works until it is let, or has ended. */
async function answeredOnce(how: "is at work" | "is over") {
  const [reached, held] = [gate(), gate()];
  const agent = scriptedAgent(
    async function* () {
      reached.open();
      await held.opened;
      yield* answering(["Done."]);
    },
    { name: "worker" },
  );
  const served = await serveAgent({ agent });
  onTestFinished(() => served.close());
  const fields = [
    { field_name: "who" },
    { field_name: "pages", field_type: "number", required: false, default_value: 5 },
  ];
  const ask = { id: "ask", kind: "human", form: { title: "Who?", fields } };
  const work = { id: "work", agent: "worker", instruction: "Go.", depends_on: ["ask"] };
  const asked = { version: 1, name: "Ask", mode: "parallel", steps: [ask, work] };
  const run = await asking(asked, [served.url]);
  const by = (who: string, values: object = {}) => ({ requestId: "ask", values: { who, ...values } });
  expect(await run.post(by("Ann"))).toMatchObject({ status: 200 });
  await reached.opened;
  if (how === "is over") {
    held.open();
    // They are told until it ends.
    await (await fetch(`${run.url}/api/runs/${run.runId}/events`)).text();
  }
  return { ...run, by, held };
}

const TAKEN_BY_ANN = /"ask" has been answered already by ann \(\S+Z, api\); this answer was not taken\./;

it.each([
  ["is at work", 400, 'does not ask \\"nosuch\\"'],
  ["is over", 409, "is over"],
] as const)(
  "takes the same answer again over HTTP, and tells another one whose was first, where the run %s",
  async (how, status, why) => {
    const { runId, by, post } = await answeredOnce(how);
    const accepted = { status: 200, said: JSON.stringify({ runId, answer: "accepted" }) };
    for (const values of [{}, { pages: null }, { pages: 5 }, { pages: "5" }])
      expect(await post(by("Ann", values))).toEqual(accepted);
    for (const other of [by("Bob"), by("Ann", { pages: 6 }), by("Ann", { pages: "many" })]) {
      const told = await post(other);
      const { error } = JSON.parse(told.said) as { readonly error: object };
      expect([told.status, error]).toEqual([
        409,
        expect.objectContaining({
          code: "input.conflict",
          message: expect.stringMatching(TAKEN_BY_ANN) as string,
        }),
      ]);
    }
    // What was never asked is no conflict.
    const never = await post({ requestId: "nosuch", values: {} });
    expect(never).toMatchObject({ status, said: expect.stringContaining(why) });
  },
);

it.each(["is at work", "is over"] as const)(
  "joins a run with the same answer again over A2A, and tells another one whose was first, where the run %s",
  async (how) => {
    const { runId, by, turn, held } = await answeredOnce(how);
    const metadata = { run_id: runId };
    for (const other of [by("Bob"), by("Ann", { pages: 6 })])
      expect((await turn({ reply: other, metadata })).end).toMatchObject({
        outcome: "failed",
        error: { code: "input.conflict", message: expect.stringMatching(TAKEN_BY_ANN) },
      });
    const joined = [{}, { pages: "5" }].map((values) => turn({ reply: by("Ann", values), metadata }));
    held.open();
    for (const { end } of await Promise.all(joined)) {
      expect(end).toMatchObject({ runId, outcome: "completed", response: { content: "Done." } });
      expect(end.error).toBeUndefined();
    }
  },
);

it("asks on at the task where it is given the answer again to what was asked before, or one before its time", async () => {
  const { runId, turn } = await asking({
    version: 1,
    name: "Three",
    steps: [human("a", []), human("b", ["a"]), human("c", ["b"])],
  });
  expect((await turn({ reply: reply("a"), taskId: runId })).asked).toContain("b");
  for (const given of [reply("a", "3"), reply("c"), reply("c")]) {
    const { end, asked } = await turn({ reply: given, taskId: runId });
    expect([end.outcome, end.error, asked.at(-1)]).toEqual(["input-required", undefined, "b"]);
  }
  const { end } = await turn({ reply: reply("a", 4), taskId: runId });
  expect(end).toMatchObject({ outcome: "input-required", error: { code: "input.conflict" } });
  expect((await turn({ reply: reply("b"), taskId: runId })).end.outcome).toBe("completed");
});

it("takes the same answer again to a step whose turn never came", async () => {
  const { runId, cancel, post, view } = await asking();
  expect((await post(reply("d", "4"))).status).toBe(200);
  await cancel(runId);
  await expect.poll(async () => (await view()).status).toBe("canceled");
  expect((await post(reply("d", "4"))).status).toBe(200);
  expect((await post(reply("d", 5))).status).toBe(409);
});

it("goes on with the task that waits when its run is answered over HTTP, to the next question and to the end", async () => {
  const { url, runId, post } = await asking({
    version: 1,
    name: "Two",
    steps: [human("a", []), human("b", ["a"])],
  });
  const client = await plainClient(url);
  const task = () => client.getTask({ id: runId, tenant: "", historyLength: 0 });
  const asked = async () => {
    const { status } = await task();
    const data = status?.message?.parts.find(({ content }) => content?.$case === "data")?.content?.value;
    return { state: status?.state, data: data as { readonly requestId?: string } | undefined };
  };
  expect((await post(reply("a", 4))).status).toBe(200);
  await expect.poll(asked).toMatchObject({
    state: TaskState.TASK_STATE_INPUT_REQUIRED,
    data: { requestId: "b" },
  });
  expect((await post(reply("b", 5))).status).toBe(200);
  await expect.poll(async () => (await asked()).state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(JSON.stringify((await task()).artifacts)).toContain("pages: 5");
});

it("says of a reply that was taken that there is no such run, where there is none", async () => {
  const { turn } = await asking();
  const metadata = { reply_taken: true };
  expect((await turn({ reply: reply("a"), metadata })).end).toMatchObject({
    outcome: "failed",
    error: { code: "input.not-found" },
  });
});

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"];

it("takes what a person answers to fields of any name, by every door", async () => {
  const odd = (id: string) => ({
    id,
    kind: "human",
    form: { title: "Odd", fields: NAMES.map((field_name) => ({ field_name, default_value: "default" })) },
  });
  const steps = ["http", "a2a", "words"].map(odd);
  const { runId, post, turn, detail } = await asking({ version: 1, name: "Odd", mode: "parallel", steps });
  const given = (requestId: string) => ({
    requestId,
    values: Object.fromEntries(NAMES.map((name) => [name, `my ${name}`])),
  });
  expect((await post(given("http"))).status).toBe(200);
  await turn({ reply: given("a2a"), taskId: runId });
  const text = NAMES.map((name) => `${name}: my ${name}`).join("\n");
  await turn({ text, taskId: runId });
  const answers = (await detail()).steps.map(({ id, answer }) => [id, answer]);
  const all = NAMES.map((name) => `${name}: my ${name}`).join("\n");
  expect(answers).toEqual(["http", "a2a", "words"].map((id) => [id, all]));
});
