// Cold import of core, against AI SDK: a process of its own each time, the import alone is timed.
import { execFileSync } from "node:child_process";

import { installCore } from "../lib/ours.mjs";
import { peerFolder } from "../lib/peers.mjs";

let core;
let ai;

export const unit = "ms";
export const pairs = 21;
export const warmup = 2;

export function prepare() {
  core = installCore();
  ai = peerFolder("ai");
}

export const ours = () => timeImport("@troupe/core", core);
export const peer = () => timeImport("ai", ai);

function timeImport(name, folder) {
  const script = `const start = performance.now(); await import(${JSON.stringify(name)}); console.log(performance.now() - start);`;
  return Number(
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: folder,
      encoding: "utf8",
    }),
  );
}
