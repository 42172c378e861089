import type { InputReply } from "@troupe/stream";
import { expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { StoreError } from "../errors/store-error.ts";
import { silentLog } from "../ports/log.ts";
import type { SuspendedRuns } from "../ports/suspended-runs.ts";
import { gate } from "../testing/gate.ts";
import { eventsOf, finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { memorySuspendedRuns } from "./memory-suspended-runs.ts";

const save: ScriptedStep = { calls: [{ name: "save", arguments: { text: "x" } }] };
const answered = "has been answered already";

/** An agent that has asked about one call, and a reply that has read this and is held up there. */
async function setup(steps: readonly ScriptedStep[]) {
  const ran: string[] = [];
  const store = memorySuspendedRuns();
  const held = gate();
  const reached = gate();
  let holding = false;
  const suspended: SuspendedRuns = {
    ...store,
    async load(runId) {
      const state = await store.load(runId);
      if (!holding) return state;
      holding = false;
      reached.open();
      await held.opened;
      return state;
    },
  };
  const tool = echoTool("save", (text) => {
    ran.push(text);
    return { text };
  });
  const agent = createAgent(
    { ...testConfig, approve: ["save"] },
    { model: scriptedModel([save, ...steps]), tools: [tool], suspended },
  );
  const [asked] = eventsOf(await runAgent(agent), "input-required");
  const requestId = asked?.request.requestId ?? "";
  const replying = async (decisions: readonly object[]) =>
    runAgent(agent, { reply: { requestId, decisions } as InputReply });
  const late = async (decisions: readonly object[]) => {
    holding = true;
    const events = replying(decisions);
    await reached.opened;
    return { events, goOn: () => held.open() };
  };
  return { ran, store, replying, late };
}

const yes = [{ callId: "call-1", type: "approve" }];

it("a wrong reply that comes late does not bring back what was approved", async () => {
  const { ran, store, replying, late } = await setup([{ calls: [finishCall("Done.")] }]);
  const wrong = await late([]);
  expect(finishOf(await replying(yes)).outcome).toBe("completed");
  wrong.goOn();
  expect(finishOf(await wrong.events)).toMatchObject({
    outcome: "failed",
    error: { message: expect.stringContaining(answered) },
  });
  expect(await store.load("run-1")).toBeUndefined();
  expect(ran).toEqual(["x"]);
});

it("a second approval that comes late does not run the call again, and leaves what is asked by then", async () => {
  const { ran, store, replying, late } = await setup([save]);
  const second = await late(yes);
  expect(finishOf(await replying(yes)).outcome).toBe("input-required");
  second.goOn();
  expect(finishOf(await second.events).error?.message).toContain(answered);
  expect(ran).toEqual(["x"]);
  expect((await store.load("run-1"))?.request).toMatchObject({ calls: [{ callId: "call-2" }] });
});

it("tells a client nothing of the files in which a run could not be kept, and the log all", async () => {
  const errors: unknown[] = [];
  const log = {
    ...silentLog,
    error: (_: string, fields?: { readonly error?: unknown }) => void errors.push(fields?.error),
    child: () => log,
  };
  const full = new StoreError("store.full", 'Cannot be kept in "/home/ann/.troupe" (ENOSPC).');
  const suspended = { ...memorySuspendedRuns(), save: () => Promise.reject(full) };
  const model = scriptedModel([{ calls: [finishCall("?", { require_user_input: true })] }]);
  const { error } = finishOf(await runAgent(createAgent(testConfig, { model, suspended, log })));
  expect(error).toEqual({ code: "store.full", message: expect.not.stringContaining("/home/ann") });
  expect(errors).toEqual([full]);
});
