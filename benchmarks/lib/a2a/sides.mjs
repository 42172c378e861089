// Ours and the bare SDK, each a server in a process of its own that does nothing else.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { build } from "../built.mjs";
import { peerFolder } from "../peers.mjs";

/** Starts both, with tasks in memory, or in a SQLite file of their own. */
export async function startSides({ kept = "memory" } = {}) {
  build("a2a");
  const folder = mkdtempSync(join(tmpdir(), "troupe-bench-"));
  const theirs = kept === "memory" ? "memory" : "database";
  const sides = {
    ours: await start(join(import.meta.dirname, "serve-ours.mjs"), [kept, join(folder, "ours.db")]),
    peer: await start(join(peerFolder("a2a-sdk"), "serve.mjs"), [theirs, join(folder, "peer.db")]),
  };
  return {
    ...sides,
    async close() {
      await Promise.all(Object.values(sides).map((side) => side.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(file, args) {
  const child = fork(file, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const told = () =>
    new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`${file} ended (${code})`));
      child.once("exit", ended);
      child.once("message", (message) => {
        child.off("exit", ended);
        resolve(message);
      });
    });
  const { url } = await told();
  return {
    url: `${url}/a2a/jsonrpc`,
    /** CPU so far in microseconds, resident and heap bytes. */
    usage() {
      const answer = told();
      child.send("usage");
      return answer;
    },
    close: () =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.kill("SIGKILL");
      }),
  };
}

/** CPU that the server takes for `work`, in microseconds. */
export async function cpuOf(side, work) {
  const before = await side.usage();
  await work();
  const after = await side.usage();
  return after.cpu - before.cpu;
}
