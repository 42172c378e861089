import { silentLog, type AgentRequest } from "@troupe/core";
import type { AgentEvent } from "@troupe/stream";
import { expect, it } from "vitest";

import { answering, scriptedAgent } from "../testing/index.ts";
import { execute, type ExecuteOptions } from "./execute.ts";

const { signal } = new AbortController();
const request: AgentRequest = { runId: "r", text: "go", history: [] };

/** How many events came before each turn that was given to the loop. */
async function turnsOf(deltas: number, run: Partial<ExecuteOptions["run"]>): Promise<readonly number[]> {
  const told: AgentEvent[] = [];
  const turns: number[] = [];
  await execute({
    agent: scriptedAgent(() => answering(Array.from({ length: deltas }, (_, n) => `${n} `))),
    request,
    run: { signal, stop: undefined, crowded: false, followed: false, ...run },
    sink: { push: (event) => told.push(event), ended: () => told.at(-1)?.type === "finish" },
    log: silentLog,
    yieldToLoop: () => Promise.resolve(void turns.push(told.length)),
  });
  expect(told).toHaveLength(deltas + 3);
  return turns;
}

it("leaves a burst of one task turns for the others, every 64 events", async () => {
  // Of which the first, the begin of the text, sends nothing and does not count.
  expect(await turnsOf(200, {})).toEqual([65, 129, 193]);
});

it("gives the first events a person waits for a turn each to leave, and every one while readers lag", async () => {
  expect(await turnsOf(10, { followed: true })).toEqual([2, 3, 4]);
  expect(await turnsOf(4, { crowded: true })).toEqual([2, 3, 4, 5, 6]);
});
