import { TaskState, type Task } from "@a2a-js/sdk";
import { silentLog, type Fetch, type Log } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import type { PushConfig, PushConfigs } from "../store/push-configs.ts";
import { taskWriter } from "../testing/index.ts";
import { stateKey } from "./notification.ts";
import { createPushSender, type PushSenderOptions } from "./sender.ts";

const WORKING = TaskState.TASK_STATE_WORKING;
const COMPLETED = TaskState.TASK_STATE_COMPLETED;
const ASKS = TaskState.TASK_STATE_INPUT_REQUIRED;
const ann = { owner: "ann", taskId: "t" };
let at = 0;
const state = (now: TaskState): Task => ({
  id: "t",
  contextId: "c",
  status: { state: now, message: undefined, timestamp: new Date(++at).toISOString() },
  artifacts: [],
  history: [],
  metadata: undefined,
});
const config = (id: string, more: Partial<PushConfig> = {}): PushConfig => ({
  id,
  url: `https://${id}.example/hook?key=hidden`,
  token: "hidden-too",
  version: "1.0",
  ...more,
});

/** A sender on a clock and a network of the test's own: each request is answered by the script, or never. */
async function rig(
  script: (host: string, nth: number) => Response | Error | undefined,
  options: Partial<PushSenderOptions> = {},
) {
  const clock = virtualClock();
  const store = createMemoryTaskStore({ clock });
  const running = state(WORKING);
  for (const owner of ["ann", "bob"]) await taskWriter(store).claim(owner, "m", state(WORKING));
  const configs = store.push as PushConfigs;
  const sent: string[] = [];
  const logged: string[] = [];
  const counts = new Map<string, number>();
  const fetch: Fetch = (input, init) => {
    const { host } = new URL(new Request(input).url);
    const nth = (counts.get(host) ?? 0) + 1;
    counts.set(host, nth);
    const body = JSON.parse(init?.body as string) as { statusUpdate: { status: { state: string } } };
    sent.push(`${host} ${body.statusUpdate.status.state.replace("TASK_STATE_", "")}`);
    const answer = script(host, nth);
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer !== undefined) return Promise.resolve(answer);
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
    });
  };
  const log: Log = { ...silentLog, warn: (text, fields) => logged.push(`${text} ${JSON.stringify(fields)}`) };
  const sender = createPushSender({
    configs,
    load: () => Promise.resolve(running),
    fetch,
    clock,
    random: () => 0,
    log,
    timeoutMs: 10_000,
    attempts: 3,
    concurrency: 32,
    maxBytes: 1_000_000,
    ...options,
  });
  const changed = async (now: TaskState): Promise<Task> => {
    const task = state(now);
    sender.changed(ann, () => task);
    await clock.advance(0);
    return task;
  };
  return { clock, configs, sender, sent, logged, changed };
}

const ok = () => new Response(null, { status: 204 });
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response(null, { status: code, headers });

describe("push notifications", () => {
  it("are sent in order for each config, and no slow one is waited for by another", async () => {
    const { configs, sent, changed, clock } = await rig((host) =>
      host === "slow.example" ? undefined : ok(),
    );
    await configs.put(ann, config("slow"), "");
    await configs.put(ann, config("quick"), "");
    await changed(WORKING);
    const last = await changed(COMPLETED);
    expect(sent).toEqual(["slow.example WORKING", "quick.example WORKING", "quick.example COMPLETED"]);
    expect((await configs.list(ann)).map(({ told, state: now }) => [told, now])).toEqual([
      ["", "open"],
      [stateKey(last), "done"],
    ]);
    await clock.advance(10_000);
    expect(sent).toHaveLength(3);
  });

  it("of one whose addresses never answer keep nobody else's waiting", async () => {
    const { configs, sent, changed, sender, clock } = await rig((host) =>
      host.startsWith("hole") ? undefined : ok(),
    );
    for (let n = 0; n < 40; n++) await configs.put(ann, config(`hole${n}`), "");
    const bob = { owner: "bob", taskId: "t" };
    await configs.put(bob, config("quick"), "");
    await changed(COMPLETED);
    sender.changed(bob, () => state(COMPLETED));
    await clock.advance(0);
    expect(sent.slice(-1)).toEqual(["quick.example COMPLETED"]);
    // Three quarters of 32 are as many as one owner has.
    expect(sent).toHaveLength(24 + 1);
  });

  it("are tried again after what passes, as late as was asked for, and no state twice", async () => {
    const { configs, sent, changed, clock } = await rig((_host, nth) =>
      nth === 1 ? status(503) : nth === 2 ? status(429, { "Retry-After": "30" }) : ok(),
    );
    await configs.put(ann, config("a"), "");
    await changed(COMPLETED);
    expect(sent).toHaveLength(1);
    await clock.advance(999);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent).toHaveLength(2);
    await clock.advance(29_999);
    expect(sent).toHaveLength(2);
    await clock.advance(1);
    expect(sent).toHaveLength(3);
    await clock.advance(600_000);
    expect(sent).toHaveLength(3);
    expect((await configs.list(ann))[0]?.state).toBe("done");
  });

  it.each([
    ["never answers", () => undefined, "no answer within 10000 ms"],
    ["cannot be reached", () => new TypeError("fetch failed"), "it cannot be reached"],
    ["fails each time", () => status(500), "HTTP 500"],
    ["is gone", () => status(410), "HTTP 410"],
    ["leads elsewhere", () => status(302, { Location: "http://127.0.0.1/" }), "HTTP 302"],
    ["asks for too much patience", () => status(429, { "Retry-After": "86400" }), "HTTP 429"],
  ])("are given up where a config %s, and the log names no secret", async (_what, script, why) => {
    const { configs, sent, logged, changed, clock } = await rig(script);
    await configs.put(ann, config("a"), "");
    await changed(WORKING);
    await clock.advance(600_000);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(why);
    expect(logged[0]).toContain("a.example");
    expect(logged[0]).not.toContain("hidden");
    expect((await configs.list(ann))[0]?.state).toBe("disabled");
    const tries = sent.length;
    await changed(COMPLETED);
    expect(sent).toHaveLength(tries);
  });

  it("leave out states where too many wait, never the last", async () => {
    const gate: { open: boolean } = { open: false };
    const { configs, sent, changed, clock } = await rig(() => (gate.open ? ok() : status(503)));
    await configs.put(ann, config("a"), "");
    for (let n = 0; n < 20; n++) await changed(n % 2 === 0 ? WORKING : ASKS);
    await changed(COMPLETED);
    gate.open = true;
    await clock.advance(60_000);
    expect(sent.length).toBeLessThanOrEqual(10);
    expect(sent.at(-1)).toBe("a.example COMPLETED");
  });

  it("that found no room are told once there is some, from what is stored", async () => {
    const last = state(COMPLETED);
    const { configs, sent, changed, clock } = await rig((_host, nth) => (nth === 1 ? status(503) : ok()), {
      maxBytes: 100,
      load: () => Promise.resolve(last),
    });
    await configs.put(ann, config("a"), "");
    await changed(WORKING);
    await changed(COMPLETED);
    await clock.advance(1_000);
    expect(sent).toEqual(["a.example WORKING", "a.example WORKING", "a.example COMPLETED"]);
  });

  it("that an earlier process owed are sent at the start, and nothing that was told", async () => {
    const last = state(COMPLETED);
    const { configs, sent, sender, clock } = await rig(ok, { load: () => Promise.resolve(last) });
    await configs.put(ann, config("owed"), "");
    await configs.put(ann, config("told"), stateKey(last));
    await sender.catchUp();
    await clock.advance(0);
    expect(sent).toEqual(["owed.example COMPLETED"]);
  });

  it("are not tried again once another process has deleted their config", async () => {
    const { configs, sent, changed, clock } = await rig(() => status(503));
    await configs.put(ann, config("a"), "");
    await changed(WORKING);
    await configs.remove(ann, "a");
    await clock.advance(600_000);
    expect(sent).toEqual(["a.example WORKING"]);
  });

  it("end with their config, and with the process", async () => {
    const { configs, sent, sender, changed, clock } = await rig(() => status(503));
    await configs.put(ann, config("a"), "");
    await changed(WORKING);
    sender.forget(ann, "a");
    await configs.remove(ann, "a");
    await configs.put(ann, config("b"), "");
    await changed(ASKS);
    sender.close();
    await changed(COMPLETED);
    await clock.advance(600_000);
    expect(sent).toEqual(["a.example WORKING", "b.example INPUT_REQUIRED"]);
    expect((await configs.list(ann))[0]?.state).toBe("open");
  });
});
