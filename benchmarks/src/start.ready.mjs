// From starting `troupe up` until every server is ready: seven processes, each with its own port.
import { once } from "node:events";
import { createInterface } from "node:readline";

import { emptyHome, ended, startTroupe } from "../lib/troupe.mjs";

export const unit = "ms";
export const pairs = 5;
export const warmup = 1;

const { home, remove } = emptyHome();

export async function ours() {
  const start = performance.now();
  const child = startTroupe(["up", "--free-ports"], home);
  const exit = ended(child);
  const [line] = await once(createInterface(child.stdout), "line");
  const ms = performance.now() - start;
  if (!line.startsWith("ready ")) throw new Error(`not a ready line: ${line}`);
  child.kill("SIGTERM");
  await exit;
  return ms;
}

export const close = remove;
