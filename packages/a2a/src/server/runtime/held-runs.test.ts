import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { yieldToLoop } from "../../adapters/yield-to-loop.ts";
import { answering, scriptedAgent } from "../../testing/index.ts";
import { runtimeOptions } from "../../testing/runtime-options.ts";
import { chunk, taskWith } from "../../testing/task-store/fixtures.ts";
import { HeldRuns } from "./held-runs.ts";
import type { TaskRun } from "./task-run.ts";

const MIB = 1024 * 1024;

it("keeps for the readers of all running turns together 64 MiB, each its share", async () => {
  const clock = virtualClock();
  const held = new HeldRuns(runtimeOptions({ agent: scriptedAgent(() => answering(["hello"])), clock }));
  const begin = (id: string): TaskRun => {
    const run = held.create("", { task: taskWith(id), version: 0 }, { turn: 1, structured: false });
    held.hold(run);
    return run;
  };
  const runs = Array.from({ length: 128 }, (_, n) => begin(`t${n}`));
  const [first] = runs;
  const piece = "x".repeat(MIB / 8);
  const tell = async (): Promise<number> => {
    for (let n = 0; n < 48; n++) first?.events.push(chunk(piece, true));
    await yieldToLoop();
    return first?.events.bytes ?? 0;
  };
  expect(await tell()).toBeLessThanOrEqual(MIB / 2);
  for (const run of runs.slice(1)) held.release(run);
  const alone = await tell();
  expect(alone).toBeGreaterThan(3 * MIB);
  expect(alone).toBeLessThanOrEqual(4 * MIB);
});
