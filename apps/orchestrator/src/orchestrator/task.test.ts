import { createAgent, taskSchema, type Task } from "@troupe/core";
import { finishCall, runAgent, scriptedModel } from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";

async function open(...answers: readonly string[]) {
  const model = scriptedModel(answers.map((answer) => ({ calls: [finishCall(answer)] })));
  const writer = createAgent(
    { agent_type: "t", name: "writer", title: "w", description: "Writes.", system_prompt: "Test." },
    { model },
  );
  const orchestrator = await createOrchestrator({ agents: [writer], model: scriptedModel([]) });
  onTestFinished(() => orchestrator.close());
  return { orchestrator, model };
}

const workflow = { version: 1 as const, name: "Write", steps: [{ agent: "writer", instruction: "Write." }] };
const task: Task = {
  task_id: "t-1",
  description: "Write a letter.",
  user_id: "ann",
  collection_id: "letters",
  metadata: { ticket: 42, tags: ["urgent"] },
  status: "pending",
};

it("gives a task back as it was given, with its metadata and how far it is, and shows the metadata to no agent", async () => {
  const { orchestrator, model } = await open("Dear all.");
  expect(await orchestrator.task("t-1")).toBeNull();
  const seen: (Task | null)[] = [];
  const told: Promise<unknown>[] = [];
  await orchestrator.executeWorkflow(task, workflow, undefined, {
    onEvent: (event) => {
      if (event.type === "plan-update") told.push(orchestrator.task("t-1").then((at) => seen.push(at)));
    },
  });
  await Promise.all(told);
  expect(seen).toEqual([{ ...task, status: "in_progress" }]);
  const done = await orchestrator.task("t-1");
  expect(done).toEqual({ ...task, status: "completed" });
  expect(taskSchema.parse(done)).toEqual(done);
  expect(JSON.stringify(model.requests)).not.toContain("urgent");
});

it("gives back a task that was never begun", async () => {
  const { orchestrator } = await open();
  await runAgent(orchestrator.agent, { runId: "t-2", text: "Book a room." });
  expect(await orchestrator.task("t-2")).toEqual({
    task_id: "t-2",
    description: "Book a room.",
    metadata: {},
    status: "failed",
  });
});

it.each<[object, RegExp]>([
  [{ description: "x", meta: {} }, /The task is not valid.*"meta"/],
  [{ description: "x", metadata: "urgent" }, /metadata: /],
  [{ description: "x", status: "done" }, /status: /],
  [{ description: 7 }, /description: /],
  [{ description: " " }, /The task is empty/],
])("refuses what it would have to drop: %j", async (given, why) => {
  const { orchestrator } = await open();
  // As a caller without types may.
  const wrong = given as Task;
  await expect(orchestrator.executeWorkflow(wrong, workflow)).rejects.toThrow(why);
  await expect(orchestrator.planWorkflow(wrong)).rejects.toThrow(why);
  await expect(orchestrator.runSequential(wrong, ["writer"])).rejects.toThrow(why);
  expect(await orchestrator.runs()).toEqual([]);
});

it("takes keys without a value for keys that are not there", async () => {
  const { orchestrator } = await open("Dear all.");
  const loose = { description: "Write.", task_id: "t-3", user_id: undefined } as object as Task;
  expect((await orchestrator.executeWorkflow(loose, workflow)).outcome).toBe("completed");
  expect(await orchestrator.task("t-3")).not.toHaveProperty("user_id");
});
