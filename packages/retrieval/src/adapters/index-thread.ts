import { parentPort, workerData } from "node:worker_threads";

import { openStore, type IndexStore } from "../store/index-store.ts";
import type { StoreCall, StoreReply } from "./thread-store.ts";
import { toWireError } from "./wire-error.ts";

/** The thread that owns the database: node:sqlite is synchronous and would stop the server. */
const port = parentPort;
let store: IndexStore | undefined;

function reply(message: StoreReply): void {
  port?.postMessage(message);
}

try {
  store = openStore((workerData as { readonly path: string }).path);
  reply({ id: 0, value: undefined });
} catch (error) {
  reply({ id: 0, error: toWireError(error) });
}

port?.on("message", ({ id, method, args }: StoreCall) => {
  try {
    const run = store?.[method] as ((...args: readonly unknown[]) => unknown) | undefined;
    const value = run?.(...args);
    reply({ id, value });
    if (method === "close") port.close();
  } catch (error) {
    reply({ id, error: toWireError(error) });
  }
});
