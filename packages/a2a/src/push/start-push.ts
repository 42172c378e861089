import { InputError, systemRandom, type Fetch, type Log } from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";
import type { Clock } from "@troupe/stream";

import type { TaskStore } from "../store/task-store.ts";
import { pushOperations, type PushOperations } from "./operations.ts";
import { createPushSender, type PushSender } from "./sender.ts";

/** How people and programs are notified of their tasks. */
export interface PushOptions {
  /** Origins that may be notified though they are not public, or not https. None by default. */
  readonly allow?: readonly string[];
  /** What sends; public https addresses and `allow` only, by default. */
  readonly fetch?: Fetch;
  /** Milliseconds for one attempt, 10 s by default. */
  readonly timeoutMs?: number;
  /** Attempts at one notification before its config is given up, 8 by default: about two minutes. */
  readonly attempts?: number;
  /** Requests at a time, 32 by default. */
  readonly concurrency?: number;
  /** Bytes of notifications that wait, 64 MiB by default; the rest is read from the store again. */
  readonly maxBytes?: number;
  /** Uniform in [0, 1), for the pauses between attempts. */
  readonly random?: () => number;
}

export interface Push {
  readonly operations: PushOperations;
  readonly sender: PushSender;
}

/** Throws an `InputError` where the store keeps nobody's wish to be notified. */
export function startPush(
  store: TaskStore,
  { allow = [], ...options }: PushOptions,
  parts: { readonly clock: Clock; readonly newId: () => string; readonly log: Log },
): Push {
  const { push: configs } = store;
  if (configs === undefined)
    throw new InputError(
      "input.invalid",
      "Push notifications are on, but the store of tasks keeps no configs for them. Take another store, or turn push off.",
    );
  const sender = createPushSender({
    configs,
    load: async ({ owner, taskId }) => (await store.load(owner, taskId))?.task,
    fetch: options.fetch ?? guardedFetch({ allow, httpsOnly: true }),
    clock: parts.clock,
    log: parts.log,
    random: options.random ?? systemRandom,
    timeoutMs: options.timeoutMs ?? 10_000,
    attempts: options.attempts ?? 8,
    concurrency: options.concurrency ?? 32,
    maxBytes: options.maxBytes ?? 64 * 1024 * 1024,
  });
  return { sender, operations: pushOperations({ configs, sender, newId: parts.newId, allow }) };
}
