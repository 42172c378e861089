import { silentLog, StoreError } from "@troupe/core";
import { gate, virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import type { TaskStore } from "../store/task-store.ts";
import { answering, collect, heldAgent, scriptedAgent, withServed } from "../testing/index.ts";

const signal = new AbortController().signal;

/** A store whose disk is full from the start of the work on. */
function fullStore(shared: { readonly leaseMs?: number } = {}) {
  const clock = virtualClock();
  const store = createMemoryTaskStore({ clock, ...shared });
  const disk = { full: true };
  const fated: TaskStore = {
    ...store,
    async save(...save) {
      if (disk.full) throw new StoreError("store.full", "the disk is full");
      return store.save(...save);
    },
  };
  const refused = gate();
  const log = { ...silentLog, child: () => log, error: () => refused.open() };
  return { clock, store: fated, disk, refused: refused.opened, log };
}

/** A new task with who follows it, once something of it was refused. */
async function followed(
  url: string,
  refused: Promise<void>,
  how: { readonly binding?: "JSONRPC" | "HTTP+JSON" } = {},
) {
  const remote = await connectAgent(url, how);
  const { taskId } = await remote.send({ text: "hi" }, { signal });
  const joined = collect(remote.join(taskId, { signal }));
  await refused;
  return { remote, taskId, joined };
}

it.each(["JSONRPC", "HTTP+JSON"] as const)(
  "tells who follows a task over %s whose end cannot be stored so, and its end to who follows it once it can be",
  async (binding) => {
    const { clock, store, disk, refused, log } = fullStore();
    const agent = scriptedAgent(() => answering(["done"]));
    await withServed({ agent, store, clock, log }, async ({ url }) => {
      const { remote, taskId, joined } = await followed(url, refused, { binding });
      const ended = joined.catch((error: unknown) => error);
      let told: unknown;
      void ended.then((error) => (told = error));
      await clock.advance(29_000);
      expect(told).toBeUndefined();
      await clock.advance(5_000);
      expect(await ended).toMatchObject({
        code: "agent.protocol",
        message: expect.stringContaining("could not be saved") as unknown,
      });
      disk.full = false;
      await clock.advance(2_000);
      const events = await collect(remote.join(taskId, { signal }));
      expect(events.at(-1)).toMatchObject({ type: "finish", outcome: "completed" });
    });
  },
);

it("lets who follows a task that is worked on hear what it tells, whether or not that can be stored", async () => {
  const { clock, store, disk, refused, log } = fullStore();
  const { agent, goOn } = heldAgent();
  await withServed({ agent, store, clock, log }, async ({ url }) => {
    const { joined } = await followed(url, refused);
    await clock.advance(120_000);
    disk.full = false;
    goOn();
    await clock.advance(2_000);
    expect((await joined).at(-1)).toMatchObject({ type: "finish", outcome: "completed" });
  });
});

it("lets who follows a task wait for a store that several processes have, however long it is away", async () => {
  const { clock, store, disk, refused, log } = fullStore({ leaseMs: 5_000 });
  const agent = scriptedAgent(() => answering(["done"]));
  await withServed({ agent, store, clock, log }, async ({ url }) => {
    const { joined } = await followed(url, refused);
    await clock.advance(120_000);
    disk.full = false;
    await clock.advance(2_000);
    expect((await joined).at(-1)).toMatchObject({ type: "finish", outcome: "completed" });
  });
});
