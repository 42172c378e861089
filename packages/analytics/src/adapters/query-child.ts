/**
 * The process in which a statement of a model runs. It carries nothing that would be lost with it.
 */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";

import { openQueryEngine } from "./query-engine.ts";
import type { ChildSetup, FromChild, ToChild } from "./query-protocol.ts";

const setup = JSON.parse(process.argv[2] ?? "{}") as ChildSetup;
watchMemory(setup.rssMb);
const send = (message: FromChild): void => void process.send?.(message);
const engine = await openQueryEngine(setup, send);
process.on("message", (message) => engine.receive(message as ToChild));
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
send({ kind: "ready" });

/** In a thread of its own, because a long conversion would keep this one from looking. */
function watchMemory(rssMb: number): void {
  const file = new URL(`./memory-watch-thread${extname(import.meta.url)}`, import.meta.url);
  new Worker(file, { workerData: { rssBytes: rssMb * 1024 * 1024 } }).unref();
}
