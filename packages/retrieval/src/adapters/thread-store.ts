import { Worker } from "node:worker_threads";

import { StoreError } from "@troupe/core";

import type { IndexStore } from "../store/index-store.ts";
import { entryOf } from "./entry.ts";
import { fromWireError, type WireError } from "./wire-error.ts";

export interface StoreCall {
  readonly id: number;
  readonly method: keyof IndexStore;
  readonly args: readonly unknown[];
}

export type StoreReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: WireError };

/** The same store, awaited. */
export type ThreadStore = {
  readonly [M in keyof IndexStore]: (
    ...args: Parameters<IndexStore[M]>
  ) => Promise<ReturnType<IndexStore[M]>>;
};

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Starts a thread that owns the index file. Resolves when the file is open. */
export async function openThreadStore(path: string): Promise<ThreadStore> {
  const { url, execArgv } = entryOf("index-thread");
  const worker = new Worker(url, { workerData: { path }, execArgv: [...execArgv], env: {} });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: Error | undefined;
  let closing = false;

  const expectReply = (id: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      // The thread keeps the process alive only while somebody waits for it.
      worker.ref();
    });
  const endAll = (error: Error): void => {
    ended = error;
    for (const call of waiting.values()) call.reject(error);
    waiting.clear();
  };
  worker.on("message", (message: StoreReply) => {
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (waiting.size === 0 && !closing) worker.unref();
    if ("error" in message) call?.reject(fromWireError(message.error));
    else call?.resolve(message.value);
  });
  worker.on("error", (cause) =>
    endAll(new StoreError("store.io", "The index stopped working. Start this process again.", { cause })),
  );
  worker.on("exit", () => endAll(ended ?? new StoreError("store.io", "The index is closed.")));

  const call = (method: keyof IndexStore, args: readonly unknown[]): Promise<unknown> => {
    if (ended) return Promise.reject(ended);
    lastId += 1;
    worker.postMessage({ id: lastId, method, args } satisfies StoreCall, []);
    return expectReply(lastId);
  };

  try {
    await expectReply(0);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  const methods = [
    "search",
    "collections",
    "documents",
    "page",
    "outline",
    "passages",
    "states",
    "write",
    "deleteDocument",
  ] as const;
  return {
    ...(Object.fromEntries(methods.map((name) => [name, (...args: unknown[]) => call(name, args)])) as Pick<
      ThreadStore,
      (typeof methods)[number]
    >),
    async close() {
      if (ended) return;
      const gone = new Promise<void>((resolve) => {
        worker.once("exit", () => resolve());
      });
      closing = true;
      await call("close", []);
      await gone;
    },
  };
}
