import { silentLog, StoreError, systemClock } from "@troupe/core";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEventBody } from "@troupe/stream";
import { WorkflowError } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { openRunState, type RunState } from "./state.ts";
import { watchRun, type WatchOptions } from "./watch-run.ts";

const finish: AgentEventBody = {
  type: "finish",
  outcome: "completed",
  response: EMPTY_RESPONSE,
  answerItems: [],
};
const plan: AgentEventBody = { type: "plan-update", plan: { name: "n", steps: [] } };

/** A run with these events, whose engine says this of it. */
async function runOf(bodies: readonly AgentEventBody[], engine: Partial<RunState["engine"]>) {
  const state = openRunState({ clock: systemClock, log: silentLog });
  onTestFinished(() => state.close());
  await state.log.begin({ runId: "r", name: "n", objective: "" });
  for (const [seq, body] of bodies.entries())
    state.log.append("r", String(seq), {
      v: EVENT_VERSION,
      runId: "r",
      seq,
      attempt: 1,
      agent: "o",
      ...body,
    });
  const none = { stuck: async () => new Map<string, unknown>() };
  const parts = { ...state, engine: { ...state.engine, ...none, ...engine } };
  return async (options: WatchOptions = {}) => {
    const seen: (number | string)[] = [];
    try {
      for await (const { position } of watchRun(parts, "r", async (file) => file, options))
        seen.push(position);
    } catch (error) {
      seen.push(error instanceof Error ? error.message : "?");
    }
    return seen;
  };
}

const full = new StoreError("store.full", "the disk is full");
const interrupted = expect.stringContaining("The run is interrupted, not over: the disk is full.") as string;

it("tells how far a run came that cannot go on, from any position, and then why", async () => {
  const watch = await runOf([plan, plan, finish], { stuck: async () => new Map([["r", full]]) });
  // Its end is not on record, so it is none.
  expect(await watch()).toEqual([0, 1, interrupted]);
  expect(await watch({ from: 1 })).toEqual([1, interrupted]);
  expect(await watch({ signal: AbortSignal.abort() })).toEqual([]);
});

it("says so too of one that gets stuck while it is watched", async () => {
  const stuck = Promise.withResolvers<never>();
  const watch = await runOf([plan], { result: () => stuck.promise });
  const watched = watch();
  stuck.reject(full);
  expect(await watched).toEqual([0, interrupted]);
});

it("ends without its last event when the orchestrator is closed meanwhile, so that it is told once, and whole", async () => {
  const closed = new WorkflowError("workflow.closed", "the engine was closed");
  const watch = await runOf([plan, finish], { result: () => Promise.reject(closed) });
  expect((await watch()).every((position) => position === 0)).toBe(true);
});

it("ends at once where nothing comes any more, and tells of no run that there is none", async () => {
  const watch = await runOf([plan, finish], { result: () => new Promise(() => undefined) });
  expect(await watch({ from: 2 })).toEqual([]);
  expect(await watch({ from: 9 })).toEqual([]);
  const state = openRunState({ clock: systemClock, log: silentLog });
  onTestFinished(() => state.close());
  await expect(watchRun(state, "nosuch", async (file) => file).next()).rejects.toMatchObject({
    code: "input.not-found",
  });
});

it("says of a run that goes on which position is its last, to whoever asks for one that cannot be", async () => {
  const watch = await runOf([plan, plan], { result: () => new Promise(() => undefined) });
  const said =
    'Position 3 is beyond what there is of run "r", which has its last event so far at position 1. Ask from 2 on, or from one before.';
  expect(await watch({ from: 3 })).toEqual([said]);
  const empty = await runOf([], {});
  expect(await empty({ from: 1 })).toEqual([expect.stringContaining('"r", which has no event yet.')]);
});
