import { silentLog, StoreError, systemClock } from "@troupe/core";
import { finishOf, runAgent } from "@troupe/core/testing";
import { workflowSchema } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { orchestratorAgent } from "./orchestrator-agent.ts";
import { openRunState } from "./state.ts";

it("ends a turn whose run cannot go on because nothing can be stored, and survives its cancel", async () => {
  const state = openRunState({ clock: systemClock, log: silentLog });
  onTestFinished(() => state.close());
  const full = () => Promise.reject(new StoreError("store.full", "The disk is full."));
  const warnings: string[] = [];
  const agent = orchestratorAgent({
    plan: () => Promise.reject(new Error("not asked")),
    prepare: (workflow) => Promise.resolve(workflowSchema.parse(workflow)),
    begin: () => Promise.resolve(),
    answer: () => Promise.resolve("no-run"),
    locate: (file) => Promise.resolve(file),
    state: { ...state, engine: { ...state.engine, result: full, cancel: full } },
    log: { ...silentLog, warn: (message) => void warnings.push(message) },
  });
  const workflow = { version: 1, name: "One", steps: [{ agent: "a", instruction: "b" }] };
  const abort = new AbortController();
  abort.abort();
  const events = runAgent(agent, { text: "x", metadata: { workflow } }, { signal: abort.signal });
  await expect(events).rejects.toThrow("The disk is full.");
  expect(warnings).toEqual(["a run was not canceled"]);
  const over = await runAgent(agent, { reply: { requestId: "x", values: {} } });
  expect(finishOf(over)).toMatchObject({ outcome: "failed", error: { code: "input.not-found" } });
});

it.each([
  [{ run_id: 42 }, /run_id must be .* not 42/],
  [{ run_id: { $ne: "" } }, /run_id must be .* not \{"\$ne":""\}/],
  [{ run_id: "x".repeat(4_000_000) }, /run_id must be .{0,160}$/],
  [{ plan_only: "yes" }, /plan_only must be true or false, not "yes"/],
])("refuses metadata of another kind than it reads, and runs nothing (%#)", async (metadata, why) => {
  const state = openRunState({ clock: systemClock, log: silentLog });
  onTestFinished(() => state.close());
  const unasked = () => Promise.reject(new Error("not asked"));
  const agent = orchestratorAgent({
    plan: unasked,
    prepare: unasked,
    begin: unasked,
    answer: unasked,
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
