import { silentLog, StoreError, systemClock } from "@troupe/core";
import { finishOf, runAgent } from "@troupe/core/testing";
import { EVENT_VERSION } from "@troupe/stream";
import { workflowSchema } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { orchestratorAgent } from "./orchestrator-agent.ts";
import { readMetadata } from "./request-metadata.ts";
import { readRunReport } from "./run-report.ts";
import { openRunState } from "./state.ts";

it("says of a run that cannot go on because nothing can be stored that it is interrupted, and how far it is", async () => {
  const state = openRunState({ clock: systemClock, log: silentLog });
  onTestFinished(() => state.close());
  const error = new StoreError("store.full", "the disk is full; free some space");
  const full = () => Promise.reject(error);
  const warnings: string[] = [];
  const agent = orchestratorAgent({
    thread: async () => ({}),
    plan: () => Promise.reject(new Error("not asked")),
    prepare: (workflow) => Promise.resolve(workflowSchema.parse(workflow)),
    async begin(_task, { name }, runId) {
      await state.log.begin({ runId, name, objective: "x" });
      const head = { v: EVENT_VERSION, runId, attempt: 1, agent: "orchestrator" } as const;
      const step = { id: "a", kind: "agent" as const, agent: "a", instruction: "b", dependsOn: [] };
      const plan = { name, steps: [step, { ...step, id: "c", dependsOn: ["a"] }] };
      state.log.append(runId, "1", { ...head, seq: 0, type: "plan-update", plan });
      state.log.append(runId, "2", { ...head, seq: 1, type: "step-status", step: "a", state: "in_progress" });
    },
    answer: () => Promise.resolve("no-run"),
    retry: () => Promise.resolve(),
    locate: (file) => Promise.resolve(file),
    state: {
      ...state,
      engine: {
        ...state.engine,
        result: full,
        cancel: full,
        stuck: async (runIds: readonly string[]) => new Map(runIds.map((id) => [id, error])),
      },
    },
    log: { ...silentLog, warn: (message) => void warnings.push(message) },
  });
  const workflow = { version: 1, name: "One", steps: [{ agent: "a", instruction: "b" }] };
  const abort = new AbortController();
  abort.abort();
  const events = await runAgent(agent, { text: "x", metadata: { workflow } }, { signal: abort.signal });
  expect(finishOf(events)).toMatchObject({
    outcome: "failed",
    error: {
      code: "store.full",
      message:
        "The run is interrupted, not over: the disk is full; free some space. It goes on from where it stands when it is resumed, or the orchestrator is started again.",
    },
  });
  expect(readRunReport(finishOf(events).response.data)).toMatchObject({
    interrupted: true,
    steps: [
      { id: "a", agent: "a", outcome: "in_progress" },
      { id: "c", agent: "a", outcome: "pending" },
    ],
  });
  expect(warnings).toEqual(["a run was not canceled"]);
  const over = await runAgent(agent, { reply: { requestId: "x", values: {} } });
  // An answer that nothing asks for tells how the run stands.
  expect(finishOf(over)).toMatchObject({ outcome: "failed", error: { code: "store.full" } });
});

it.each([
  ["YAML", "version: 1\nname: One\nsteps:\n  - agent: a\n"],
  ["JSON", '{"version":1,"name":"One","steps":[{"agent":"a"}]}'],
])("takes a workflow as the text of %s", (_, workflow) => {
  expect(readMetadata({ workflow }).workflow).toMatchObject({ name: "One", steps: [{ agent: "a" }] });
});

it("refuses a workflow as a long text before it is read", () => {
  const text = "version: 1\nname: One\nsteps: [{ agent: a, instruction: b }]\n";
  expect(() => readMetadata({ workflow: text.padEnd(65_537, "#") })).toThrow(
    "metadata.workflow has 65537 characters of text; the limit is 65536. Send a longer workflow as an object.",
  );
});

it.each([
  [{ run_id: 42 }, /run_id must be .* not 42/],
  [{ run_id: { $ne: "" } }, /run_id must be .* not \{"\$ne":""\}/],
  [{ run_id: "x".repeat(4_000_000) }, /run_id must be .{0,160}$/],
  [{ plan_only: "yes" }, /plan_only must be true or false, not "yes"/],
  [{ conversation: [] }, /conversation needs metadata\.plan_only/],
  [{ plan_only: true, conversation: [{ request: "x" }] }, /^metadata\.conversation must be a list .*answer/],
  [{ workflow: 5 }, /^metadata\.workflow must be an object .* or either as YAML or JSON text, not 5\.$/],
  [{ workflow: "version: 1\nname: x\nsteps: 3" }, /^metadata\.workflow is not a valid workflow:\n {2}line 3/],
])("refuses metadata of another kind than it reads, and runs nothing (%#)", async (metadata, why) => {
  const state = openRunState({ clock: systemClock, log: silentLog });
  onTestFinished(() => state.close());
  const unasked = () => Promise.reject(new Error("not asked"));
  const agent = orchestratorAgent({
    thread: async () => ({}),
    plan: unasked,
    prepare: unasked,
    begin: unasked,
    answer: unasked,
    retry: unasked,
    locate: unasked,
    state,
    log: silentLog,
  });
  const events = await runAgent(agent, { text: "x", metadata });
  expect(finishOf(events)).toMatchObject({
    outcome: "failed",
    error: { code: "input.invalid", message: expect.stringMatching(why) as string },
  });
});
