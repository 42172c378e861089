// By how much the memory of a process grows with 10,000 runs that wait, each of them for a person who is
// asked by a step and for one who is asked by an agent; no collection is forced. `figures` have how long
// `register` takes in a process that begins with these runs, and how much more memory it has taken once they
// have all been taken up.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { built, entryOf } from "../lib/built.mjs";
import { sized } from "../lib/smoke.mjs";
import { emptyHome } from "../lib/troupe.mjs";

const RUNS = sized(10_000, 200);
const SETTLE_MS = sized(10_000, 500);

export const unit = "MB";
export const pairs = 3;

const { home, remove } = emptyHome();
let files = 0;

export async function prepare() {
  await built();
}

export async function ours() {
  const child = start(join(home, `${files++}.db`), RUNS);
  const empty = await child.told();
  child.say();
  const { rss } = await child.told();
  await child.end();
  return (rss - empty.rss) / 1e6;
}

export async function figures() {
  const path = join(home, "again.db");
  const first = start(path, RUNS);
  await first.told();
  first.say();
  await first.told();
  await first.kill();
  const second = start(path, 0);
  const begun = await second.told();
  // Nothing tells when the last of them has been taken up, and nobody has to know.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  second.say();
  const taken = await second.told();
  await second.end();
  return { registerMs: Math.round(begun.registerMs), takenUpMB: Math.round((taken.rss - begun.rss) / 1e6) };
}

export const close = async () => remove();

function start(path, runs) {
  const program = join(import.meta.dirname, "../lib/engine/waiting-child.mjs");
  const child = spawn(process.execPath, [program, entryOf("workflow"), path, String(runs)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const gone = once(child, "exit");
  const say = () => void child.stdin.write("\n");
  return {
    say,
    told: async () => JSON.parse((await lines.next()).value),
    async end() {
      say();
      say();
      await gone;
    },
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
