/** Ends its process at a bound of resident memory: the engine's own limit misses strings and lists. */
import { workerData } from "node:worker_threads";

const INTERVAL_MS = 20;
const { rssBytes } = workerData as { readonly rssBytes: number };

setInterval(() => {
  if (process.memoryUsage.rss() > rssBytes) process.kill(process.pid, "SIGKILL");
}, INTERVAL_MS);
