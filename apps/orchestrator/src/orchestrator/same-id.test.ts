import { createAgent, type Caller } from "@troupe/core";
import { finishCall, finishOf, instantClock, runAgent, scriptedModel } from "@troupe/core/testing";
import type { HostedEngine, WorkflowInput } from "@troupe/workflow";
import { memoryEngine } from "@troupe/workflow/testing";
import { expect, it, onTestFinished } from "vitest";

import { sharedEngine } from "../testing/shared-engine.ts";
import { createOrchestrator } from "./create-orchestrator.ts";

const ann: Caller = { id: "ann", scopes: ["*"] };
const bob: Caller = { id: "bob", scopes: ["*"] };
const workflow: WorkflowInput = {
  version: 1,
  name: "Write",
  steps: [
    { id: "draft", agent: "writer", instruction: "Draft." },
    { id: "final", agent: "writer", instruction: "Polish." },
  ],
};
const task = { task_id: "letter", description: "Write a letter.", metadata: { ticket: 42, by: "mail" } };

/** One that writes what only Ann may read, and counts how often it is asked. */
async function staged(engine?: HostedEngine) {
  const model = scriptedModel(Array.from({ length: 8 }, () => ({ calls: [finishCall("Secret of Ann.")] })));
  const writer = createAgent(
    { agent_type: "t", name: "writer", title: "w", description: "Writes.", system_prompt: "Test." },
    { model },
  );
  const orchestrator = await createOrchestrator({
    agents: [writer],
    model: scriptedModel([]),
    clock: instantClock,
    ...(engine === undefined ? {} : { engine }),
  });
  onTestFinished(() => orchestrator.close());
  return { orchestrator, asked: () => model.requests.length };
}

const refusal = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => `not refused: ${JSON.stringify(value)}`,
    (error: Error & { readonly code?: string }) => `${error.code}: ${error.message}`,
  );

it("is the same run when its owner asks for the same again, in whatever order the keys stand and whatever rights are left", async () => {
  const { orchestrator, asked } = await staged();
  const first = await orchestrator.executeWorkflow(task, workflow, undefined, { caller: ann });
  const again = { metadata: { by: "mail", ticket: 42 }, description: task.description, task_id: "letter" };
  const caller = { id: "ann", scopes: ["agent:writer"] };
  expect(await orchestrator.executeWorkflow(again, workflow, undefined, { caller })).toEqual(first);
  expect(await orchestrator.executeWorkflow({ ...task, user_id: "ann" }, workflow)).toEqual(first);
  expect(asked()).toBe(2);
});

it("is one run when the same is asked for twice at once", async () => {
  const { orchestrator, asked } = await staged();
  const begin = () => orchestrator.executeWorkflow(task, workflow, undefined, { caller: ann });
  const [one, other] = await Promise.all([begin(), begin()]);
  expect(other).toEqual(one);
  expect(asked()).toBe(2);
});

it.each<[string, object, object, object]>([
  ["workflow", {}, { steps: [{ agent: "writer", instruction: "Something else." }] }, {}],
  ["description", { description: "Write a poem." }, {}, {}],
  ["metadata", { metadata: { ticket: 43 } }, {}, {}],
  ["collection", { collection_id: "letters" }, {}, {}],
  ["conversation", {}, {}, { threadId: "c" }],
  ["approve", {}, {}, { approve: true }],
])("does not take another %s for the same run", async (name, otherTask, otherWorkflow, options) => {
  const { orchestrator, asked } = await staged();
  await orchestrator.executeWorkflow(task, workflow, undefined, { caller: ann });
  const other = orchestrator.executeWorkflow(
    { ...task, ...otherTask },
    { ...workflow, ...otherWorkflow },
    undefined,
    { caller: ann, ...options },
  );
  expect(await refusal(other)).toBe(
    `input.conflict: Run "letter" was begun with another ${name}. Ask for exactly the same again to have that run, or choose another id.`,
  );
  expect(asked()).toBe(2);
});

it("is the same run in its conversation, also when that has gone on about another collection since", async () => {
  const { orchestrator } = await staged();
  const inThread = { caller: ann, threadId: "c" };
  const first = await orchestrator.executeWorkflow(task, workflow, undefined, inThread);
  const next = { description: "And those.", collection_id: "notes" };
  await orchestrator.executeWorkflow(next, workflow, undefined, inThread);
  expect(await orchestrator.executeWorkflow(task, workflow, undefined, inThread)).toEqual(first);
});

it("tells nobody else what an id stands for, whatever they ask under it", async () => {
  const { orchestrator, asked } = await staged();
  await orchestrator.executeWorkflow(task, workflow, undefined, { caller: ann });
  const same =
    'input.conflict: The id "letter" cannot be used for this run. Choose another, or leave it out.';
  const other = { ...workflow, name: "Another" };
  for (const by of [{ caller: bob }, {}]) {
    for (const given of [workflow, other])
      expect(await refusal(orchestrator.executeWorkflow(task, given, undefined, by))).toBe(same);
  }
  expect(await refusal(orchestrator.executeWorkflow({ ...task, user_id: "bob" }, workflow))).toBe(same);
  await orchestrator.executeWorkflow({ ...task, task_id: "own" }, workflow, undefined, { caller: bob });
  const retried = orchestrator.retry("own", { task_id: "letter", from: "final", caller: bob });
  expect(await refusal(retried)).toBe(same);
  // In a process of one's own too, where nobody stands between the agent and its caller.
  const request = { runId: "letter", text: "Go.", userId: "bob" };
  const events = await runAgent(orchestrator.agent, request);
  expect(finishOf(events).error?.code).toBe("input.not-found");
  expect(JSON.stringify(events)).not.toContain("Secret");
  expect(asked()).toBe(4);
});

it("does not take over an id of somebody whose run is still planned, or never got a plan", async () => {
  const engine = memoryEngine();
  const { orchestrator, asked } = await staged(engine);
  await engine.events.begin({ runId: "letter", name: "", objective: "Go.", userId: "ann" });
  const begin = (caller: Caller) =>
    refusal(orchestrator.executeWorkflow(task, workflow, undefined, { caller }));
  expect(await begin(bob)).toMatch(/^input.conflict: The id "letter" cannot be used/);
  const nobodys = { version: 1, name: "Poem", steps: [{ agent: "nobody", instruction: "Go." }] };
  const request = { runId: "poem", text: "Go.", userId: "ann", metadata: { workflow: nobodys } };
  expect(finishOf(await runAgent(orchestrator.agent, request)).outcome).toBe("failed");
  const poem = { ...task, task_id: "poem" };
  expect(await refusal(orchestrator.executeWorkflow(poem, workflow, undefined, { caller: ann }))).toMatch(
    /^input.conflict: Run "poem" has ended/,
  );
  expect(asked()).toBe(0);
});

it("does a run again once under one id, and refuses that id for another step and another run", async () => {
  const { orchestrator, asked } = await staged();
  await orchestrator.executeWorkflow(task, workflow, undefined, { caller: ann });
  await orchestrator.executeWorkflow({ ...task, task_id: "second" }, workflow, undefined, { caller: ann });
  const again = (run: string, from: string) =>
    orchestrator.retry(run, { from, task_id: "again", caller: ann });
  expect(await again("letter", "final")).toEqual({ runId: "again" });
  await orchestrator.result("again");
  expect(await again("letter", "final")).toEqual({ runId: "again" });
  expect(asked()).toBe(5);
  expect(await refusal(again("letter", "draft"))).toContain('Run "again" was begun with another step to');
  expect(await refusal(again("second", "final"))).toContain('Run "again" was begun with another run to do');
  expect(
    await refusal(orchestrator.retry("letter", { from: "final", task_id: "letter", caller: ann })),
  ).toContain('Run "letter" was begun with another run to do again');
});

it("waits for an engine outside to say what a run was begun with", async () => {
  const engine = memoryEngine();
  let silent = 3;
  const slow: HostedEngine = {
    ...sharedEngine(engine),
    recorded: async (runId) => (silent-- > 0 ? undefined : engine.recorded(runId)),
  };
  const { orchestrator } = await staged(slow);
  const begin = (description: string) =>
    orchestrator.executeWorkflow({ ...task, description }, workflow, undefined, { caller: ann });
  const first = begin(task.description);
  const second = begin("Write a poem.");
  expect(await refusal(second)).toContain("another description");
  expect(silent).toBeLessThan(0);
  expect((await first).outcome).toBe("completed");
});

it("says that it is to be asked again when the engine never says so", async () => {
  const engine = memoryEngine();
  const { orchestrator } = await staged({ ...sharedEngine(engine), recorded: async () => undefined });
  const begin = () => orchestrator.executeWorkflow(task, workflow, undefined, { caller: ann });
  const first = begin();
  expect(await refusal(begin())).toMatch(/^store.io: .*Ask again\.$/);
  await first;
});
