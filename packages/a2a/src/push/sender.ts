import type { Task } from "@a2a-js/sdk";
import type { Fetch, Log } from "@troupe/core";
import { backoffMs } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import type { KeptPushConfig, PushConfig, PushConfigs, PushTask } from "../store/push-configs.ts";
import { isSettled, isTerminal } from "../wire/state.ts";
import { deliver, type Attempt } from "./deliver.ts";
import { notificationOf, stateKey } from "./notification.ts";
import { createShares } from "./shares.ts";

export interface PushSenderOptions {
  readonly configs: PushConfigs;
  readonly load: (task: PushTask) => Promise<Task | undefined>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  /** Milliseconds for which an attempt may take. */
  readonly timeoutMs: number;
  /** Attempts at one notification before the config is given up. */
  readonly attempts: number;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Bytes of notifications that wait. */
  readonly maxBytes: number;
}

/** Notifies whoever wants to know of a task's new state, at least once, in order for each. */
export interface PushSender {
  /** A task is in a new state. `snapshot` is asked for when somebody is to be told. */
  readonly changed: (task: PushTask, snapshot: () => Task) => void;
  /** The config was deleted, or is about to be another one: nothing more goes there. */
  forget(task: PushTask, id: string): void;
  /** Tells what was not told before, such as by a process that was killed. */
  catchUp(): Promise<void>;
  /** What was not told by now is told after the next start. */
  close(): void;
}

interface Notification {
  readonly key: string;
  readonly body: string;
  readonly terminal: boolean;
}

/** What waits for one config: its notifications are sent one after the other, those of others meanwhile. */
interface Lane {
  readonly task: PushTask;
  readonly config: PushConfig;
  readonly queue: Notification[];
  readonly stop: AbortController;
}

/** States that wait for one config; of more the oldest are left out, never the last. */
const MAX_WAITING = 8;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** What a notification takes beside its text. */
const OVERHEAD = 512;

export function createPushSender(options: PushSenderOptions): PushSender {
  const { configs, clock, random, log, attempts, maxBytes } = options;
  const lanes = new Map<string, Lane>();
  /** By task: who is to be told is looked up in the order of the states. */
  const underway = new Map<string, Promise<void>>();
  const shares = createShares(options.concurrency);
  let bytes = 0;
  let behind = false;
  let closed = false;

  const changed = (task: PushTask, snapshot: () => Task): Promise<void> => {
    const key = keyOf(task);
    const next = lookUp(task, snapshot, underway.get(key)).finally(() => {
      if (underway.get(key) === next) underway.delete(key);
    });
    underway.set(key, next);
    return next;
  };

  const lookUp = async (
    task: PushTask,
    snapshot: () => Task,
    before: Promise<void> | undefined,
  ): Promise<void> => {
    await before;
    try {
      const known = closed ? [] : await configs.list(task);
      for (const kept of known) if (kept.state === "open") enqueue(task, kept, snapshot());
    } catch (error) {
      log.error("nobody could be notified of a task", { ...task, error });
    }
  };

  const enqueue = (task: PushTask, { config, told }: KeptPushConfig, state: Task): void => {
    const key = keyOf(task, config.id);
    const lane = lanes.get(key);
    const notification = {
      key: stateKey(state),
      body: notificationOf(state, config.version),
      terminal: isTerminal(state.status?.state),
    };
    if (closed || (lane?.queue.at(-1)?.key ?? told) === notification.key) return;
    if (bytes > maxBytes) {
      // How it stands can be read from the store, once there is room.
      behind = true;
      return;
    }
    bytes += notification.body.length + OVERHEAD;
    if (lane !== undefined) {
      lane.queue.push(notification);
      // The first is on its way.
      if (lane.queue.length > MAX_WAITING) drop(lane, 1);
      return;
    }
    const begun = { task, config, queue: [notification], stop: new AbortController() };
    lanes.set(key, begun);
    void work(key, begun);
  };

  const drop = (lane: Lane, at: number, count = 1): void => {
    for (const { body } of lane.queue.splice(at, count)) bytes -= body.length + OVERHEAD;
  };

  const work = async (key: string, lane: Lane): Promise<void> => {
    try {
      for (let [first] = lane.queue; first !== undefined; [first] = lane.queue) {
        const { why } = await tell(lane, first);
        if (lane.stop.signal.aborted) return;
        const state = why !== undefined ? "disabled" : first.terminal ? "done" : "open";
        await configs.note(lane.task, lane.config.id, { told: first.key, state });
        drop(lane, 0, why === undefined ? 1 : Infinity);
      }
    } catch (error) {
      if (!lane.stop.signal.aborted) log.error("a notification could not be noted", { ...lane.task, error });
    } finally {
      drop(lane, 0, Infinity);
      if (lanes.get(key) === lane) lanes.delete(key);
      if (behind && bytes < maxBytes / 2) {
        behind = false;
        void catchUp();
      }
    }
  };

  /** Answers why it was given up; throws where the lane was stopped. */
  const tell = async ({ task, config, stop }: Lane, { body }: Notification): Promise<{ why?: string }> => {
    const { signal } = stop;
    for (let failures = 1; ; failures++) {
      const attempt = await once(task.owner, { config, body }, signal);
      if (attempt.kind === "told") return {};
      const askedMs = attempt.kind === "again" ? attempt.askedMs : undefined;
      const wait = backoffMs(failures, { firstMs: FIRST_WAIT_MS, mostMs: LONGEST_WAIT_MS, askedMs, random });
      if (attempt.kind === "never" || failures >= attempts || wait === undefined) {
        // The rest of the address may hold a secret.
        const at = { taskId: task.taskId, config: config.id, host: new URL(config.url).host };
        log.warn("a push notification config is given up", {
          ...at,
          attempts: failures,
          reason: attempt.why,
        });
        return { why: attempt.why };
      }
      await clock.sleep(wait, signal);
      // Another process may have been told to let it go.
      if (!(await isKept(task, config))) stop.abort();
    }
  };

  const isKept = async (task: PushTask, config: PushConfig): Promise<boolean> =>
    (await configs.list(task)).some(
      (kept) => kept.state === "open" && kept.config.id === config.id && kept.config.url === config.url,
    );

  const once = async (
    owner: string,
    { config, body }: { readonly config: PushConfig; readonly body: string },
    signal: AbortSignal,
  ): Promise<Attempt> => {
    const leave = await shares.enter(owner, signal);
    try {
      return await deliver(config, body, { ...options, signal });
    } finally {
      leave();
    }
  };

  const catchUp = async (): Promise<void> => {
    try {
      for await (const task of configs.open()) {
        if (closed || behind) return;
        const found = await options.load(task);
        if (found !== undefined && isSettled(found.status?.state)) await changed(task, () => found);
      }
    } catch (error) {
      log.error("notifications of an earlier run could not be looked up", { error });
    }
  };

  return {
    changed: (task, snapshot) => void changed(task, snapshot),
    forget(task, id) {
      const key = keyOf(task, id);
      lanes.get(key)?.stop.abort();
      lanes.delete(key);
    },
    catchUp,
    close() {
      closed = true;
      for (const { stop } of lanes.values()) stop.abort();
    },
  };
}

function keyOf({ owner, taskId }: PushTask, id = ""): string {
  return JSON.stringify([owner, taskId, id]);
}
