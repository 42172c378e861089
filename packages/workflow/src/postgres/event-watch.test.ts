import { getEventListeners } from "node:events";

import { silentLog } from "@troupe/core";
import type { Sql } from "@troupe/core/postgres";
import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { EventWatch } from "./event-watch.ts";

/** A watch over runs with so many events each. */
function watching(events: Map<string, number>) {
  const clock = virtualClock();
  let looks = 0;
  const sql: Sql = {
    async query<Row>() {
      looks++;
      return [...events].map(([id, n]) => ({ id, events: n })) as Row[];
    },
    script: async () => undefined,
  };
  const watch = new EventWatch({ sql, ends: "", clock, log: silentLog, pollMs: 100 });
  return { clock, watch, looks: () => looks };
}

it("keeps nothing of ten thousand who followed and left, and looks for nobody", async () => {
  const { clock, watch, looks } = watching(new Map());
  const lasting = new AbortController();
  for (let n = 0; n < 10_000; n++) {
    const leave = new AbortController();
    const left = watch.change({ runId: `r${n % 3}`, from: 0, began: false }, leave.signal);
    leave.abort();
    await left;
    const told = watch.change({ runId: "r", from: 0, began: false }, lasting.signal);
    watch.stored(new Set(["r"]));
    await told;
  }
  expect(clock.pending).toBe(0);
  expect(getEventListeners(lasting.signal, "abort")).toHaveLength(0);
  await clock.advance(10_000);
  expect(looks()).toBe(0);
});

it("finds what came between the reading of a follower and its waiting", async () => {
  const events = new Map([["r", 3]]);
  const { clock, watch } = watching(events);
  const { signal } = new AbortController();
  // It had read two when the third came.
  const behind = watch.change({ runId: "r", from: 2, began: true }, signal);
  let even = false;
  void watch.change({ runId: "r", from: 3, began: true }, signal).then(() => (even = true));
  await clock.advance(100);
  await behind;
  expect(even).toBe(false);
  events.set("r", 4);
  await clock.advance(100);
  expect(even).toBe(true);
});
