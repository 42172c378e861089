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
