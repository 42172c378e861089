import { TaskState } from "@a2a-js/sdk";
import { describe, expect, it } from "vitest";

import { yieldToLoop } from "../../adapters/yield-to-loop.ts";
import { collect } from "../../testing/index.ts";
import type { WireEvent } from "../../wire/parts.ts";
import { EventLog } from "./event-log.ts";

const capacity = { events: 3, bytes: 100_000 };
const update = (text: string): WireEvent => ({
  $case: "statusUpdate",
  value: {
    taskId: "t",
    contextId: "c",
    status: { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: text },
    metadata: undefined,
  },
});
const newLog = (events = capacity): EventLog =>
  new EventLog({ newEpoch: () => "e", capacity: () => events, yieldToLoop });

async function idsOf(log: EventLog, after: number): Promise<readonly string[]> {
  return (await collect(log.read(after))).map(({ id }) => id);
}

describe("the updates of a turn", () => {
  it("are numbered from 1 and replayed from any that is kept", async () => {
    const log = newLog();
    for (const text of ["a", "b", "c"]) log.push(update(text));
    log.close();
    expect(await idsOf(log, 0)).toEqual(["e.1", "e.2", "e.3"]);
    expect(await idsOf(log, 2)).toEqual(["e.3"]);
    expect(["e.0", "e.2", "e.3"].map((id) => log.positionOf(id))).toEqual([0, 2, 3]);
  });

  it("have no position for what is of another turn, not there yet, or no id at all", () => {
    const log = newLog();
    log.push(update("a"));
    for (const id of ["", ".", "e", "e.", "e.2", "e.-1", "e.01", "e.1e0", "e.1 ", "f.1", "x.e.1", "e.1.1"])
      expect(log.positionOf(id)).toBeUndefined();
  });

  it("are kept up to a count, and up to a size", async () => {
    const log = newLog();
    for (const text of ["a", "b", "c", "d"]) log.push(update(text));
    await yieldToLoop();
    expect(log.positionOf("e.0")).toBeUndefined();
    expect(log.positionOf("e.1")).toBe(1);
    log.push(update("x".repeat(60_000)));
    await yieldToLoop();
    expect(log.bytes).toBeLessThan(1);
    expect(log.positionOf("e.4")).toBeUndefined();
    expect(log.positionOf("e.5")).toBe(5);
  });

  it("reach who keeps up, however many come at once, and end for who does not", async () => {
    const log = newLog();
    const quick = idsOf(log, 0);
    const slow = log.read(0);
    log.push(update("a"));
    expect((await slow.next()).value).toMatchObject({ id: "e.1" });
    for (let i = 2; i <= 50; i++) log.push(update(String(i)));
    expect(log.crowded).toBe(true);
    await yieldToLoop();
    expect(log.crowded).toBe(false);
    expect((await slow.next()).done).toBe(true);
    log.push(update("more"));
    log.close();
    expect(await quick).toHaveLength(51);
  });

  it("stop for a reader that leaves, also while it waits", async () => {
    const log = newLog();
    const left = new AbortController();
    const waiting = collect(log.read(0, left.signal));
    await yieldToLoop();
    left.abort();
    expect(await waiting).toEqual([]);
    log.push(update("a"));
    expect(await collect(log.read(0, left.signal))).toEqual([]);
  });
});
